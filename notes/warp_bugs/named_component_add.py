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
#   warp/_src/codegen.py, emit_AugAssign: vector targets with an index become add_inplace, those with a name fall \
#   through to load, add and store; see component_assignment.py."""
# workaround = "p[0] += y, or the option enable_vector_component_overwrites"
# forms = [
#   "gradient target=vec_name|quat_name operator=add|sub|add_twice context=*",
#   "pair-gradient pair.target=vec_index~vec_name|quat_index~quat_name|vec_name~vec_negative_index operator=*",
# ]
# related = [1697]
# ///
"""Wrong gradient of += with a named component

p.x += y and p[0] += y mean the same. The gradient is right with the index and wrong with the name, because only the
name is compiled as p.x = p.x + y: the gradient of the previous value is counted twice. With
enable_vector_component_overwrites both are right.
"""

import numpy as np
import warp as wp


@wp.kernel
def named_component_add(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    p = wp.vec3(x[0], x[0], 1.0)
    p.x += x[1]
    out[0] = p.x + p.y


VALUES = np.array([2.0, 3.0, 4.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(named_component_add, 1, [x, out], device="cpu")
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
