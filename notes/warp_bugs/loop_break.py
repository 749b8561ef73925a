# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "loops"
# kind = "gradient"
# status = "known"
# issues = [729, 1552]
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py, emit_Break: the reverse loop iterates over wp::iter_reverse of the whole range and contains \
#   the same jump."""
# workaround = "a condition around the statements in place of the break"
# forms = [
#   "gradient exit=break context=* operator=* target=* source=*",
#   "gradient exit=return_in_loop context=* operator=* target=* use=*",
# ]
# ///
"""Wrong gradient of a loop with break

The backward pass starts with the last possible step of the loop and leaves the loop at the break: it differentiates
exactly the steps that the forward pass does not run. A loop with a break is never unrolled, however short. return in a
dynamic loop has the same fault.
"""

import numpy as np
import warp as wp


@wp.kernel
def break_in_loop(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    s = float(0.0)
    for k in range(5):
        if k == 2:
            break
        s = s + x[k]
    out[0] = s


VALUES = np.array([2.0, 3.0, 4.0, 5.0, 6.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(break_in_loop, 1, [x, out], device="cpu")
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
