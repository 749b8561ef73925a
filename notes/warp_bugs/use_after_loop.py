# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "loops"
# kind = "gradient"
# status = "documented"
# issues = [729, 1694]
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py, begin_for, end_for and materialize_redefinitions: the backward pass runs the reversed loop \
#   once, with the values of loop-carried variables from before the loop; the forward sweep of the backward pass skips a \
#   dynamic loop."""
# workaround = "the loop in a function that returns the sum, called by the code that uses the sum"
# forms = [
#   "gradient context=dynamic|dynamic_range3|while_first|while_last|static_in_dynamic|dynamic_in_dynamic|helper_loop use=square|times|branch|helper|loop|index|product_before operator=* target=* source=* call=* builtin=*",
#   "gradient context=static use=square|times|branch|helper|loop|index operator=* options=no_unroll",
# ]
# ///
"""Wrong gradient of a value that is used after its dynamic loop

The derivative of the square of a sum needs the sum. The backward pass does not run the dynamic loop again before it
differentiates the code behind the loop, so that the sum has its value from before the loop: the gradient is zero, or a
plausible number if the initial value is another one.
"""

import numpy as np
import warp as wp


@wp.kernel
def square_after_loop(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    s = float(0.0)
    for k in range(n):
        s = s + x[k]
    out[0] = s * s


VALUES = np.array([2.0, 3.0, 4.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(square_after_loop, 1, [x, 3, out], device="cpu")
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
