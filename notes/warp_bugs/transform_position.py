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
#   warp/_src/codegen.py, _store_attribute: the position of a transform is written by transform_set_translation, whose \
#   adjoint does not clear the gradient of the replaced position, and has no copying form."""
# workaround = "t = wp.transform(p, wp.transform_get_rotation(t))"
# forms = [
#   "gradient target=transform_p|transform_q operator=* context=* options=*",
# ]
# related = [1697]
# ///
"""Wrong gradient of an assignment to the position of a transform

t.p = t.p + v and t.p += v for a local transform t have a wrong gradient: the gradient of the replaced position is not
cleared, and its components are counted twice. The option enable_vector_component_overwrites, which mends components of
vectors and quaternions, does not change this; the script sets it. A component by index, t[0] += y, is right; t[0] =
t[0] * y is right with the option only.
"""

import numpy as np
import warp as wp


@wp.kernel(module="unique")
def transform_position(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    t = wp.transform(wp.vec3(x[0], x[0], 1.0), wp.quat(0.0, 0.0, 0.0, 1.0))
    t.p += wp.vec3(x[1], 0.0, 0.0)
    out[0] = t[0] + t[1]


VALUES = np.array([2.0, 3.0, 4.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    before = wp.config.enable_vector_component_overwrites
    wp.config.enable_vector_component_overwrites = True
    with wp.Tape() as tape:
        wp.launch(transform_position, 1, [x, out], device="cpu")
    wp.config.enable_vector_component_overwrites = before
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
