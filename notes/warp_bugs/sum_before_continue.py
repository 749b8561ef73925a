# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "loops"
# kind = "gradient"
# status = "known"
# issues = [1552]
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py, emit_Continue: the jump is part of the forward statements that the reverse body repeats, and \
#   skips the reverse statements."""
# workaround = "else in place of continue, or continue above all sums of the body"
# forms = [
#   "gradient exit=continue_after context=* operator=* target=*",
# ]
# ///
"""Wrong gradient of a sum before continue

The backward pass leaves an iteration at continue before it reaches the adjoint of the sum above the continue: the
gradient of these steps is lost.
"""

import numpy as np
import warp as wp


@wp.kernel
def sum_before_continue(c: wp.array(dtype=int), x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    s = float(0.0)
    for j in range(n):
        if c[j] == 1:
            s += x[j]
            continue
        s += 2.0 * x[j]
    out[0] = s


VALUES = np.array([2.0, 3.0, 4.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    c = wp.array([1, 0, 1], dtype=int, device="cpu")
    with wp.Tape() as tape:
        wp.launch(sum_before_continue, 1, [c, x, 3, out], device="cpu")
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
