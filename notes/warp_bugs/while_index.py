# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "loops"
# kind = "gradient"
# status = "known"
# issues = [729]
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py, emit_While: the index is a loop-carried variable, see loop_product.py; the adjoint of the load \
#   uses its value after the increment."""
# workaround = "the increment as the first statement of the body, with x[k - 1], or for k in range(n)"
# forms = [
#   "gradient|crash context=while_last operator=add|sub|assign_add|assign_sub|add_twice source=* target=*",
# ]
# ///
"""Wrong gradient if the index of a while loop is incremented at its end

The backward pass runs the body forward before it differentiates it, with the index after the loop's last increment of
the step. It adds the gradient of x[k] to x[k + 1]. If the loop reaches the end of the array, the gradient of the last
step is written beyond the end.
"""

import numpy as np
import warp as wp


@wp.kernel
def index_at_end_of_while(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    s = float(0.0)
    k = int(0)
    while k < n:
        s = s + x[k]
        k = k + 1
    out[0] = s


VALUES = np.array([2.0, 3.0, 4.0, 5.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(index_at_end_of_while, 1, [x, 3, out], device="cpu")
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
