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
#   warp/native/builtin.h, line 896: adj_mod adds adj_ret to adj_a only; warp/native/vec.h, line 1598: MISSINGADJOINT."""
# workaround = "a - b * float(int(a / b))"
# forms = [
#   "gradient builtin=mod|remainder|vec_mod target=* tile=*",
# ]
# related = [1466]
# ///
"""Lost gradient of wp.mod with respect to the divisor, and of wp.mod of vectors

The derivative of wp.mod(7, x) at x = 2 is -3. Warp gives 0: the adjoint has only the part of the first argument. wp.mod
of vectors has no adjoint at all.
"""

import numpy as np
import warp as wp


@wp.kernel
def mod_divisor(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    out[0] = wp.mod(7.0, x[0])


VALUES = np.array([2.2])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(mod_divisor, 1, [x, out], device="cpu")
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
