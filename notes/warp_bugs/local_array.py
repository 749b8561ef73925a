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
#   warp/_src/builtins.py, wp.zeros in kernels: the array has no gradient array, and the backward pass does not restore \
#   its elements."""
# workaround = "a vector of that length"
# forms = [
#   "gradient target=local_element operator=* context=* use=*",
#   "pair-gradient pair.target=local~local_element|local_element~member|local_element~nested_member operator=* use=* context=* builtin=* source=* call=*",
# ]
# related = [934, 794]
# ///
"""Lost gradient of values in an array local to a thread

Values that a kernel stores in an array that it creates with wp.zeros have no gradient: the derivative of own[0] *
own[1] is (3, 2), and Warp gives zero.
"""

import numpy as np
import warp as wp


@wp.kernel
def local_array(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    own = wp.zeros(shape=(2,), dtype=float)
    own[0] = x[0]
    own[1] = x[1]
    out[0] = own[0] * own[1]


VALUES = np.array([2.0, 3.0, 4.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(local_array, 1, [x, out], device="cpu")
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
