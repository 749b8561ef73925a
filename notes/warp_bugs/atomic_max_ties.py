# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "arrays"
# kind = "gradient"
# status = "new"
# issues = []
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/native/array.h, adj_atomic_minmax: the test value == *addr holds for all threads with the value."""
# workaround = "none in one kernel; wp.max over the elements in one thread"
# forms = [
#   "gradient target=atomic_max|atomic_min threads=same place=* context=*",
#   "gradient target=atomic_max|atomic_min threads=different context=static|dynamic",
#   "gradient target=atomic_max|atomic_min threads=different builtin=sign|round|floor|ceil|trunc|rint|outer|floordiv|quat_dot|spatial_top",
# ]
# related = [790]
# ///
"""The gradient of atomic_max is counted once per thread if several threads have the maximum

Each thread whose value equals the result receives the whole gradient. With four threads that have the same value, the
derivative is 1, and Warp gives 4. wp.atomic_min has the same fault. With different values both are right.
"""

import numpy as np
import warp as wp


@wp.kernel
def atomic_max_ties(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    wp.atomic_max(out, 0, x[0])


VALUES = np.array([2.0, 3.0, 4.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(atomic_max_ties, 4, [x, out], device="cpu")
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
