# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "components"
# kind = "gradient"
# status = "new"
# issues = []
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/tape.py, get_adjoint: the adjoint of a struct is a new instance whose arrays are replaced by their gradients; \
#   its numbers keep the values of the argument, where the backward pass expects zeros."""
# workaround = "a copy of the number in a variable of its own, before the kernel changes it"
# forms = [
#   "gradient target=argument_member operator=* context=*",
# ]
# ///
"""The gradient of a member of a struct argument begins with the value of the member

A kernel assigns a member of its struct argument, which it may use as a variable. The backward pass of wp.Tape passes an
adjoint for the struct whose numbers are the values of the members, and adds to them: the derivative of out[0] by x[0]
is 1, and Warp gives 1 plus the value that the member has in the launch.
"""

import numpy as np
import warp as wp


@wp.struct
class StructArgument:
    a: float


@wp.kernel
def struct_argument(s: StructArgument, x: wp.array(dtype=float), out: wp.array(dtype=float)):
    s.a = x[0]
    out[0] = s.a


VALUES = np.array([2.0, 3.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    s = StructArgument()
    s.a = 10.0
    with wp.Tape() as tape:
        wp.launch(struct_argument, 1, [s, x, out], device="cpu")
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
