import numpy as np
import warp as wp

ALIVE_BONUS = 0.33
GRACE_STEPS = 8


@wp.kernel
def discount_returns(
    flat_scale: float,
    dt_s: float,
    up_z: wp.array(dtype=float),
    progress_buf: wp.array(dtype=int),
    curriculum_level: wp.array(dtype=int),
    ep_reward: wp.array(dtype=float),
    rew: wp.array(dtype=float),
    log_rewards: wp.array(dtype=float),
):
    env_id = wp.tid()

    total = ALIVE_BONUS + flat_scale * up_z[env_id]
    if progress_buf[env_id] < GRACE_STEPS:
        return
    ep_reward[env_id] += total * dt_s
    rew[env_id] = total
    wp.atomic_add(log_rewards, curriculum_level[env_id], total)


random = np.random.default_rng(39)
flat_scale = 0.68
dt_s = 0.032
up_z = wp.array(random.uniform(-1.0, 1.0, (58,)), dtype=wp.float32, device="cpu")
progress_buf = wp.array(random.integers(0, 61, (58,)), dtype=wp.int32, device="cpu")
curriculum_level = wp.array(random.integers(0, 6, (58,)), dtype=wp.int32, device="cpu")
ep_reward = wp.array(random.uniform(-5.0, 20.0, (58,)), dtype=wp.float32, device="cpu")
rew = wp.array(np.zeros((58,)), dtype=wp.float32, device="cpu")
log_rewards = wp.array(np.zeros((6,)), dtype=wp.float32, device="cpu")
wp.launch(
    discount_returns,
    dim=58,
    inputs=[flat_scale, dt_s, up_z, progress_buf, curriculum_level, ep_reward, rew, log_rewards],
    device="cpu",
)
