import numpy as np
import warp as wp

DIGIT_MASK = wp.constant(15)
RADIX = wp.constant(16)


@wp.kernel(module="unique")
def count_digits_kernel(
    n: int,
    keys: wp.array(dtype=int),
    order: wp.array(dtype=int),
    range_lo: int,
    hist: wp.array(dtype=int),
    block_histogram: wp.array2d(dtype=int),
):
    i = wp.tid()
    if i >= n:
        return
    key = keys[order[i]]
    digit = key & DIGIT_MASK
    # the largest digit collects invalid keys
    if key < range_lo:
        digit = RADIX - 1
    wp.atomic_add(hist, digit, 1)
    wp.atomic_add(block_histogram, i // 8, digit, 1)


random = np.random.default_rng(42)
n = 36
keys = wp.array(random.integers(0, 64, (36,)), dtype=wp.int32, device="cpu")
order = wp.array(random.permutation(36), dtype=wp.int32, device="cpu")
range_lo = 15
hist = wp.array(np.zeros((16,)), dtype=wp.int32, device="cpu")
block_histogram = wp.array(np.zeros((16, 16)), dtype=wp.int32, device="cpu")
wp.launch(count_digits_kernel, dim=64, inputs=[n, keys, order, range_lo, hist, block_histogram], device="cpu")
