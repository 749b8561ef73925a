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
#   warp/native/tile.h, line 5480: adj_t.assign(tile_add(a, b)) treats the shared tile's values as its gradient."""
# workaround = "the transpose as the first use of the tile, with a name of its own"
# forms = [
#   "gradient tile=transpose|matmul_transpose|transpose_again storage=* context=* use=*",
# ]
# ///
"""Wrong gradient of a transpose of a tile that is used before

adj_tile_transpose adds the incoming gradient to adj_t and assigns the sum to adj_t with assign, which writes the values
of the tile in shared memory, not its gradient. The adjoints of earlier operations then read changed values.
"""

import numpy as np
import warp as wp


@wp.kernel
def tile_transposed(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    a = wp.tile_load(x, shape=(2, 2))
    s = wp.tile_matmul(a, wp.tile_transpose(a))
    wp.tile_store(out, s * wp.tile_transpose(a))


VALUES = np.array([[1.0, 2.0], [3.0, 4.0]])
STEP = 0.0625


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros((2, 2), dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch_tiled(tile_transposed, dim=[1], inputs=[x, out], block_dim=32, device="cpu")
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
