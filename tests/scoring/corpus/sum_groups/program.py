import numpy as np
import warp as wp


@wp.kernel
def sum_groups_kernel(
    class_ids: wp.array2d[int],
    sample: wp.array2d[float],
    mu: wp.array2d[float],
    n: int,
    sum_x: wp.array2d[float],
    class_count: wp.array2d[int],
):
    tid = wp.tid()
    trial = tid // n
    i = tid % n
    g = class_ids[trial, i]
    xi = sample[trial, i]
    wp.atomic_add(sum_x, trial, g, xi)
    if xi > mu[trial, g]:
        # samples above the mean
        wp.atomic_add(class_count, trial, g, 1)


random = np.random.default_rng(52)
class_ids = wp.array(random.integers(0, 4, (2, 50)), dtype=wp.int32, device="cpu")
sample = wp.array(random.uniform(-2.0, 2.0, (2, 50)), dtype=wp.float32, device="cpu")
mu = wp.array(random.uniform(-0.5, 0.5, (2, 4)), dtype=wp.float32, device="cpu")
n = 50
sum_x = wp.array(np.zeros((2, 4)), dtype=wp.float32, device="cpu")
class_count = wp.array(np.zeros((2, 4)), dtype=wp.int32, device="cpu")
wp.launch(sum_groups_kernel, dim=100, inputs=[class_ids, sample, mu, n, sum_x, class_count], device="cpu")
