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
# cause = "warp/native/tile.h, add_inplace of tiles: values before the change are not stored, as with arrays."
# workaround = "t = t + q"
# forms = [
#   "gradient tile=in_place|axpy storage=* context=* use=*",
# ]
# ///
"""Wrong gradient of a tile that is changed in place after it is read

The backward pass reads the changed tile. The derivative of t * t + t is 2 t + 1, and Warp uses the sum in place of t.
"""

import numpy as np
import warp as wp


@wp.kernel
def tile_changed(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    t = wp.tile_load(x, shape=4)
    q = t * t
    t += q
    wp.tile_store(out, t)


VALUES = np.array([2.0, 3.0, 4.0, 5.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(4, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch_tiled(tile_changed, dim=[1], inputs=[x, out], block_dim=32, device="cpu")
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
