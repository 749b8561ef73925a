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
#   warp/native/vec.h, quat.h, spatial.h and mat.h, adj_assign_copy for slices, vec.h line 1049: it visits the components in \
#   increasing order and counts the numbers of the slice upwards, also for a negative step."""
# workaround = "a slice with a positive step, and the numbers in the other order"
# forms = [
#   "gradient statement=reversed_slice options=overwrites dtype=*",
# ]
# related = [1697]
# ///
"""Exchanged gradients of an assignment to a slice with a negative step

With the option enable_vector_component_overwrites, v[2:0:-1] = p stores p[0] in v[2] and p[1] in v[1]. The backward pass
gives the gradient of v[1] to p[0]. Slices of quaternions, transforms and matrices do the same. Without the option the
gradient is right.
"""

import numpy as np
import warp as wp


@wp.kernel(module="unique")
def reversed_slice(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    v = wp.vec3(0.0, 0.0, 0.0)
    v[2:0:-1] = wp.vec2(x[0], x[1])
    out[0] = v[1] + v[2] * 10.0


VALUES = np.array([2.0, 3.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(reversed_slice, 1, [x, out], device="cpu")
    return x, out, tape


def main() -> int:
    """Print both gradients of the sum of the outputs, and return 1 if they differ."""
    before = wp.config.enable_vector_component_overwrites
    wp.config.enable_vector_component_overwrites = True
    x, out, tape = launch(VALUES)
    wp.config.enable_vector_component_overwrites = before
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
