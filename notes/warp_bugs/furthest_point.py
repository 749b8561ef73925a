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
#   warp/native/mesh.h, adj_mesh_query_furthest_point_no_sign calls the adjoint of the closest point; a comment there \
#   says so."""
# workaround = "a custom gradient, or the vertex of the result as a constant"
# ///
"""Wrong gradient of mesh_query_furthest_point_no_sign

The furthest point of a mesh is a vertex: its barycentric coordinates do not depend on the query point. The adjoint is
that of the closest point, and the derivative of the position of the furthest point is not 0.
"""

import numpy as np
import warp as wp


@wp.kernel
def furthest_point(mesh: wp.uint64, x: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    query = wp.mesh_query_furthest_point_no_sign(mesh, x[0], 0.0)
    if query.result:
        out[0] = wp.mesh_eval_position(mesh, query.face, query.u, query.v)


VALUES = np.array([[0.1, 0.2, 0.3]])
STEP = 0.03125
POINTS = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
INDICES = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]


def launch(values):
    """Return the input, the output and the tape of a launch."""
    points, indices = wp.array(POINTS, dtype=wp.vec3, device="cpu"), wp.array(INDICES, dtype=int, device="cpu")
    mesh = wp.Mesh(points, indices)
    x = wp.array(values, dtype=wp.vec3, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=wp.vec3, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(furthest_point, 1, [mesh.id, x, out], device="cpu")
    tape.mesh = mesh  # the backward pass needs it
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
