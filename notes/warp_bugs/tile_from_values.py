# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "tiles"
# kind = "gradient"
# status = "new"
# issues = []
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/native/tile.h, line 2627: adj_tile reads adj_ret.copy_to_register(), which copies the values of a shared tile; \
#   adj_untile likewise."""
# workaround = "no view of the result of wp.tile"
# forms = [
#   "gradient tile=tile|untile storage=* context=* use=*",
# ]
# ///
"""Wrong gradient of wp.tile if the tile is in shared memory

The derivative is three times the gradient of the output. Warp gives three times the values of the tile. wp.untile of a
tile in shared memory loses the gradient.
"""

import numpy as np
import warp as wp


@wp.kernel
def tile_from_values(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    _i, _j = wp.tid()
    s = x[0] * 3.0
    t = wp.tile(s)
    wp.tile_store(out, wp.tile_view(t, offset=(0,), shape=(1,)))


VALUES = np.array([2.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch_tiled(tile_from_values, dim=[1], inputs=[x, out], block_dim=1, device="cpu")
    return x, out, tape


def main() -> int:
    """Print both gradients of the sum of the outputs, and return 1 if they differ."""
    x, out, tape = launch(VALUES)
    tape.backward(grads={out: wp.ones_like(out)})
    warp = x.grad.numpy()
    right = np.zeros_like(warp)
    for i in np.ndindex(right.shape):
        step = np.zeros_like(VALUES)
        step[i] = STEP
        upper, lower = (launch(VALUES + sign * step)[1].numpy().sum() for sign in (1.0, -1.0))
        right[i] = (upper - lower) / (2.0 * STEP)
    print("right, by central differences:", right.tolist())
    print("Warp, by wp.Tape:             ", warp.tolist())
    return int(not np.allclose(warp, right, rtol=0.01, atol=0.01))


if __name__ == "__main__":
    raise SystemExit(main())
