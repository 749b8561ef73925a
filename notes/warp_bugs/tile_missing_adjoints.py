# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "tiles"
# kind = "gradient"
# status = "documented"
# issues = [1785]
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/native/tile_scan.h, tile_reduce.h, tile_solve.h, tile_cholesky.h and tile.h: adjoints with the comment \
#   MISSINGADJOINT; is_differentiable=False in builtins.py."""
# workaround = "a product with a triangular matrix of ones, tile_sum, or a custom gradient"
# forms = [
#   "gradient tile=scan|scan_exclusive|scan_max|max|min|reduce|sort|full|from_thread|upper_solve|diag_add storage=* context=* use=*",
# ]
# ///
"""Lost gradient of scans, reductions and solvers of tiles

The gradient of wp.tile_scan_inclusive is lost without a diagnostic. The same holds for tile_scan_exclusive,
tile_scan_max_inclusive, tile_scan_min_inclusive, tile_max, tile_min, tile_reduce, tile_sort, tile_full and
tile_from_thread (by their value), tile_diag_add, tile_cholesky_inplace, tile_cholesky_solve, tile_upper_solve,
tile_lower_solve_inplace and tile_stack_push. Warp's registry marks them as not differentiable.
"""

import numpy as np
import warp as wp


@wp.kernel
def tile_scan(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    t = wp.tile_load(x, shape=4)
    wp.tile_store(out, wp.tile_scan_inclusive(t))


VALUES = np.array([2.0, 3.0, 4.0, 5.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(4, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch_tiled(tile_scan, dim=[1], inputs=[x, out], block_dim=32, device="cpu")
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
