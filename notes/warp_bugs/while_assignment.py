# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "loops"
# kind = "gradient"
# status = "new"
# issues = []
# related = [729]
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py, emit_While: the backward pass runs the steps of a while loop from the first to the last one, \
#   where a for loop runs from the last to the first."""
# workaround = "for k in range(n)"
# forms = [
#   "gradient context=while_first|while_last",
#   "pair-gradient pair.context=dynamic~while_first|dynamic~while_last|static~while_first|static~while_last|dynamic_range3~while_first|dynamic_range3~while_last|helper_loop~while_first|helper_loop~while_last context=*",
# ]
# ///
"""The gradient of a value that a while loop assigns goes to the first step in place of the last one

A while loop assigns an element to a variable in each step; the result is the element of the last step, and the
derivative is (0, 0, 1). Warp gives (1, 0, 0): the backward pass begins with the first step, which receives the whole
gradient. The same loop over range(n) has a right gradient. Moving the increment to the end of the body changes nothing.
"""

import numpy as np
import warp as wp


@wp.kernel
def while_assignment(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    t = float(0.0)
    k = int(-1)
    while k < n - 1:
        k = k + 1
        t = x[k]
    out[0] = t


VALUES = np.array([2.0, 3.0, 4.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(while_assignment, 1, [x, 3, out], device="cpu")
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
