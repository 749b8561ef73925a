import numpy as np
import warp as wp


@wp.kernel
def drift_bodies(
    link_vel: wp.array2d[wp.vec3],
    body_acc: wp.array2d[wp.vec3],
    dt: float,
    qd_max: float,
    xpos: wp.array2d[wp.vec3],
):
    linear = wp.tid()
    worldid = linear // xpos.shape[1]
    bodyid = linear % xpos.shape[1]

    vel = link_vel[worldid, bodyid] + dt * body_acc[worldid, bodyid]
    len2 = wp.length(vel)
    if len2 > qd_max:
        vel = vel * (qd_max / len2)
    xpos[worldid, bodyid] += vel * dt


random = np.random.default_rng(43)
link_vel = wp.array(random.uniform(-1.0, 1.0, (2, 68, 3)), dtype=wp.vec3, device="cpu")
body_acc = wp.array(random.uniform(-2.0, 2.0, (2, 68, 3)), dtype=wp.vec3, device="cpu")
dt = 0.0128
qd_max = 0.88
xpos = wp.array(random.uniform(-2.0, 2.0, (2, 68, 3)), dtype=wp.vec3, device="cpu")
wp.launch(drift_bodies, dim=136, inputs=[link_vel, body_acc, dt, qd_max, xpos], device="cpu")
