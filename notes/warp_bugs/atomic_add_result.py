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
# cause = "warp/native/array.h, adj_atomic_add: adj_ret is not used."
# workaround = "the element read before the addition, if one thread adds to it"
# forms = [
#   "gradient target=atomic_add_result|atomic_sub_result|atomic_max_result|atomic_min_result use=* context=* threads=*",
# ]
# related = [790]
# ///
"""Lost gradient of the result of atomic_add

wp.atomic_add returns the value before the addition. The gradient of this result is lost: with the output out[i] = s,
the derivative by the array that is added to is zero.
"""

import numpy as np
import warp as wp


@wp.kernel
def atomic_add_result(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    s = wp.atomic_add(x, 0, 1.0)
    out[0] = s * 2.0


VALUES = np.array([2.0, 3.0, 4.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(atomic_add_result, 1, [x, out], device="cpu")
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
