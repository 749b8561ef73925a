# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "components"
# kind = "gradient"
# status = "documented"
# issues = [1697]
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py, store to a component: without enable_vector_component_overwrites Warp emits assign_inplace; \
#   adj_assign_inplace adds the gradient of the component to the assigned value and does not clear it."""
# workaround = """\
#   the option enable_vector_component_overwrites of the module, or a new vector: p = wp.vec3(p[0], y, p[2])"""
# forms = [
#   "pair-gradient pair.target=* target=* operator=assign|assign_self|assign_add|assign_sub|assign_mul|assign_div|mul|div|max|min|assign_self_mul context=*",
#   "gradient target=vec_index|vec_name|vec_negative_index|mat_element|mat_row|quat_index|quat_name|transform_index operator=assign|assign_self|assign_add|assign_sub|assign_mul|assign_div|mul|div|max|min|assign_self_mul context=*",
#   "gradient target=argument_component operator=* context=*",
# ]
# ///
"""Wrong gradient of an assignment to a component of a vector

An assignment to a component of a local vector passes the gradient of the component to the assigned value and does not
clear it for the previous value of the component. An assigned expression that reads the component gets the gradient
twice. The same holds for quaternions and for elements and rows of matrices.

wp.config.enable_vector_component_overwrites = True mends it, at the cost of a copy. It is off by default, and nothing
is reported.
"""

import numpy as np
import warp as wp


@wp.kernel
def component_assignment(x: wp.array(dtype=float), out: wp.array(dtype=wp.vec3)):
    p = wp.vec3(x[0], x[1], x[2])
    p[1] = p[1]
    out[0] = p


VALUES = np.array([2.0, 3.0, 4.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=wp.vec3, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(component_assignment, 1, [x, out], device="cpu")
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
