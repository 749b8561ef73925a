# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "functions"
# kind = "gradient"
# status = "known"
# issues = []
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/native/builtin.h, line 1875: adj_frac is empty, with the comment MISSINGADJOINT: gradient is 1 between \
#   integers."""
# workaround = "x - wp.floor(x)"
# forms = [
#   "gradient builtin=frac target=*",
# ]
# related = [1466]
# ///
"""Lost gradient of wp.frac

The derivative of wp.frac(1.25 x) is 1.25 between integers. Warp gives 0.
"""

import numpy as np
import warp as wp


@wp.kernel
def fraction(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    out[0] = wp.frac(1.25 * x[0])


VALUES = np.array([2.0])
STEP = 0.0625


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(fraction, 1, [x, out], device="cpu")
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
