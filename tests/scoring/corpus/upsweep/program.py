import numpy as np
import warp as wp


@wp.kernel(module="unique")
def upsweep_kernel(j: int, n: int, val_in: wp.array(dtype=int)):
    row = wp.tid()
    right = (row + 1) * 2 * j - 1
    if right >= n:
        return
    left = right - j
    val_in[right] = val_in[right] + val_in[left]


random = np.random.default_rng(11)
j = 4
n = 76
val_in = wp.array(random.integers(-40, 61, (76,)), dtype=wp.int32, device="cpu")
wp.launch(upsweep_kernel, dim=76, inputs=[j, n, val_in], device="cpu")
