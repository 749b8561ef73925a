import numpy as np
import warp as wp

IMG_H = wp.constant(8)
IMG_W = wp.constant(7)
NUM_INPUTS = wp.constant(3)


@wp.kernel
def conv3x3_kernel(
    img: wp.array(dtype=float, ndim=3),
    conv_weight: wp.array(dtype=float, ndim=3),
    b: wp.array(dtype=float),
    out_channels: int,
    conv_out: wp.array(dtype=float, ndim=3),
):
    o, r, x = wp.tid()
    if o >= out_channels or r >= IMG_H or x >= IMG_W:
        return
    sum_c = float(b[o])
    for ky in range(3):
        sy = wp.clamp(r + ky - 1, 0, IMG_H - 1)
        for kx in range(3):
            sx = wp.clamp(x + kx - 1, 0, IMG_W - 1)
            for k in range(NUM_INPUTS):
                sum_c += img[k, sy, sx] * conv_weight[o, k, ky * 3 + kx]
    conv_out[o, r, x] = wp.max(sum_c, 0.0)


random = np.random.default_rng(58)
img = wp.array(random.uniform(-1.0, 1.0, (3, 8, 7)), dtype=wp.float32, device="cpu")
conv_weight = wp.array(random.uniform(-0.6, 0.6, (5, 3, 9)), dtype=wp.float32, device="cpu")
b = wp.array(random.uniform(-0.3, 0.3, (5,)), dtype=wp.float32, device="cpu")
out_channels = 5
conv_out = wp.array(np.zeros((5, 8, 7)), dtype=wp.float32, device="cpu")
wp.launch(conv3x3_kernel, dim=(5, 8, 8), inputs=[img, conv_weight, b, out_channels, conv_out], device="cpu")
