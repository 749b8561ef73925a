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
#   warp/_src/codegen.py, codegen_func_reverse: the adjoint of a parameter is a reference to the caller's adjoint, and \
#   the adjoint of add_inplace reads it."""
# workaround = "a helper that returns a new vector"
# forms = [
#   "gradient context=helper_parameter target=* operator=*",
# ]
# ///
"""Wrong gradient if a helper changes a component of its parameter

Parameters of functions are passed by value: the helper changes a copy, and the forward pass is right. The adjoint of
the helper receives the gradient of the caller's variable and adds the part that comes from the caller's later use of
the variable to the inputs of the change. The derivative by x[1] is 1, and Warp gives 11.
"""

import numpy as np
import warp as wp


@wp.func
def bumped(p: wp.vec3, f: float):
    p[0] += f
    return p


@wp.kernel
def helper_parameter_component(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    p = wp.vec3(x[0], 0.0, 0.0)
    q = bumped(p, x[1])
    out[0] = q[0] + p[0] * 10.0


VALUES = np.array([2.0, 3.0, 4.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(helper_parameter_component, 1, [x, out], device="cpu")
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
