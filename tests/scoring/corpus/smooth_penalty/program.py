import numpy as np
import warp as wp


@wp.kernel
def smooth_penalty(
    gap: wp.array[wp.float32],
    breaking_threshold: wp.float32,
    penalties: wp.array[wp.float32],
    impedances: wp.array[wp.float32],
):
    tid = wp.tid()
    q = 1.0 - gap[tid] / breaking_threshold
    penalties[tid] = wp.exp(0.5 * q)
    impedances[tid] = 1.0 / (1.0 + wp.exp(-q))


random = np.random.default_rng(5)
gap = wp.array(random.uniform(-0.2, 0.2, (81,)), dtype=wp.float32, device="cpu")
breaking_threshold = 0.11
penalties = wp.array(np.zeros((81,)), dtype=wp.float32, device="cpu")
impedances = wp.array(np.zeros((81,)), dtype=wp.float32, device="cpu")
wp.launch(smooth_penalty, dim=81, inputs=[gap, breaking_threshold, penalties, impedances], device="cpu")
