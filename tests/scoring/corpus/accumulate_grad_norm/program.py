import numpy as np
import warp as wp


@wp.kernel
def accumulate_grad_norm(
    ema_params: wp.array(dtype=float),
    params: wp.array(dtype=float),
    param_group: wp.array(dtype=int),
    sum_sq: wp.array(dtype=float),
):
    tid = wp.tid()
    g = params[tid] - ema_params[tid]
    wp.atomic_add(sum_sq, param_group[tid], g * g)


random = np.random.default_rng(22)
ema_params = wp.array(random.uniform(-1.0, 1.0, (55,)), dtype=wp.float32, device="cpu")
params = wp.array(random.uniform(-1.0, 1.0, (55,)), dtype=wp.float32, device="cpu")
param_group = wp.array(random.integers(0, 11, (55,)), dtype=wp.int32, device="cpu")
sum_sq = wp.array(np.zeros((11,)), dtype=wp.float32, device="cpu")
wp.launch(accumulate_grad_norm, dim=55, inputs=[ema_params, params, param_group, sum_sq], device="cpu")
