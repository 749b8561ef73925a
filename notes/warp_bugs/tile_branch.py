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
# cause = "warp/native/tile.h, adj_where of tiles with one tile in shared memory."
# workaround = "a branch that selects a factor of the tile"
# forms = [
#   "gradient tile=branch|branch_view|where storage=* context=* use=*",
# ]
# related = [777]
# ///
"""Wrong gradient of a branch that assigns a tile in shared memory

A tile that is viewed, indexed, reshaped or broadcast is in shared memory. The adjoint of the where that joins both
sides of a branch copies values where it should add gradients: for the first block, the gradient of x is x itself.
"""

import numpy as np
import warp as wp


@wp.kernel
def tile_branch(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=8, offset=i * 8)
    if i > 0:
        t = t * 3.0
    wp.tile_store(out, wp.tile_view(t, offset=(0,), shape=(8,)), offset=i * 8)


VALUES = np.array([2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(8, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch_tiled(tile_branch, dim=[1], inputs=[x, out], block_dim=32, device="cpu")
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
