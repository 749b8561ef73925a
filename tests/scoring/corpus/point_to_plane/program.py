import numpy as np
import warp as wp

STIFFNESS = wp.constant(20.0)


@wp.kernel
def point_to_plane(
    ground_level: float,
    pts: wp.array(dtype=wp.vec3, ndim=2),
    num_points: int,
    dist_out: wp.array(dtype=float, ndim=2),
    f: wp.array(dtype=wp.vec3, ndim=2),
):
    idx = wp.tid()
    env = idx // num_points
    pid = idx % num_points

    dist = pts[env, pid][2] - ground_level
    dist_out[env, pid] = dist
    if dist < 0.0:
        f[env, pid] += -STIFFNESS * dist * wp.vec3(0.0, 0.0, 1.0)


random = np.random.default_rng(3)
ground_level = -0.1
pts = wp.array(random.uniform(-2.0, 2.0, (4, 29, 3)), dtype=wp.vec3, device="cpu")
num_points = 29
dist_out = wp.array(np.zeros((4, 29)), dtype=wp.float32, device="cpu")
f = wp.array(np.zeros((4, 29, 3)), dtype=wp.vec3, device="cpu")
wp.launch(point_to_plane, dim=116, inputs=[ground_level, pts, num_points, dist_out, f], device="cpu")
