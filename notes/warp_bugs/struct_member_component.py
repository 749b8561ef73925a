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
#   warp/_src/codegen.py, _store_subscript and _store_attribute: the member is a reference, for which Warp emits \
#   indexref and store; the adjoint of store has no gradient for the value. A message of level debug says so."""
# workaround = "a local vector that is assigned to the member: s.v = wp.vec3(s.v[0], y, s.v[2])"
# forms = [
#   "gradient target=member_index|member_name|nested_member_index operator=* context=*",
# ]
# related = [1697, 1451]
# ///
"""Lost gradient of an assignment to a component of a member of a local struct

An assignment to a component of a vector that is a member of a local struct loses the gradient of the assigned value. A
member that is a number has a right gradient.
"""

import numpy as np
import warp as wp


@wp.struct
class Holder:
    v: wp.vec3


@wp.kernel
def struct_member_component(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    s = Holder()
    s.v[1] = x[0]
    out[0] = s.v[1] * s.v[1]


VALUES = np.array([2.0, 3.0, 4.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(struct_member_component, 1, [x, out], device="cpu")
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
