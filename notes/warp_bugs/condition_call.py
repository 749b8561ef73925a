# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "functions"
# kind = "gradient"
# status = "new"
# issues = []
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py, emit_BoolOp, line 3766: the reverse code of a later operand is guarded by the result of the \
#   whole condition, and the forward code by that of the operands before it."""
# workaround = "the call in a statement of its own: found = store(x, out), and then if n > 0 and found"
# forms = [
#   "gradient|level-oracle statement=call_after_and|call_after_or dtype=* index=* shape=*",
# ]
# related = [1329]
# ///
"""Lost gradient of a function that a condition calls after "and" or "or"

The forward pass evaluates the second operand of n > 0 and store(x, out) if the first one is true. The backward pass runs
its adjoint only if the whole condition is true. The function below stores x * x and returns False, and its gradient is
0 in place of 4. For "or" the gradient is lost if the function returns True.
"""

import numpy as np
import warp as wp


@wp.func
def store(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    out[0] = x[0] * x[0]
    return x[0] < 0.0


@wp.kernel
def condition_call(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    if n > 0 and store(x, out):
        out[1] = 1.0


VALUES = np.array([2.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(2, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(condition_call, 1, [x, 3, out], device="cpu")
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
