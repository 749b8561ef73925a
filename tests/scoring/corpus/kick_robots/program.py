import numpy as np
import warp as wp


@wp.kernel
def kick_robots(
    target_pos: wp.array(dtype=wp.vec3),
    base_pos: wp.array(dtype=wp.vec3),
    root_lin_vel: wp.array(dtype=wp.vec3),
    push_velocity: float,
):
    env_id = wp.tid()

    v_f = push_velocity * wp.normalize(target_pos[env_id] - base_pos[env_id])
    root_lin_vel[env_id] += v_f


random = np.random.default_rng(40)
target_pos = wp.array(random.uniform(-1.0, 1.0, (53, 3)), dtype=wp.vec3, device="cpu")
base_pos = wp.array(random.uniform(-3.0, 3.0, (53, 3)), dtype=wp.vec3, device="cpu")
root_lin_vel = wp.array(random.uniform(-1.5, 1.5, (53, 3)), dtype=wp.vec3, device="cpu")
push_velocity = 0.72
wp.launch(kick_robots, dim=53, inputs=[target_pos, base_pos, root_lin_vel, push_velocity], device="cpu")
