import numpy as np
import warp as wp


@wp.func
def negative(v: int) -> int:
    return 255 - v


@wp.func
def to_byte(v: int) -> int:
    return wp.min(wp.max(v, 0), 255)


@wp.func
def snap_level(v: int, width: int):
    return v - v % width


@wp.kernel
def remap_levels(
    reference: wp.array3d(dtype=wp.int32),
    mask: wp.array3d(dtype=wp.bool),
    pixels_out: wp.array3d(dtype=wp.int32),
):
    batch_id, y, x = wp.tid()
    # fewer levels
    g_val = snap_level(reference[batch_id, y, x], 16)
    if mask[batch_id, y, x]:
        g_val = negative(g_val)
    pixels_out[batch_id, y, x] = to_byte(g_val + 32)


random = np.random.default_rng(14)
reference = wp.array(random.integers(0, 256, (2, 10, 12)), dtype=wp.int32, device="cpu")
mask = wp.array(random.integers(0, 2, (2, 10, 12)), dtype=wp.bool, device="cpu")
pixels_out = wp.array(np.zeros((2, 10, 12)), dtype=wp.int32, device="cpu")
wp.launch(remap_levels, dim=(2, 10, 12), inputs=[reference, mask, pixels_out], device="cpu")
