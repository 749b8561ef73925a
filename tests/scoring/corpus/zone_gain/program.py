import numpy as np
import warp as wp

IGNORE_LABEL = wp.constant(0)


@wp.kernel
def zone_gain_kernel(
    batch: wp.int32,
    img_w: wp.int32,
    seg: wp.array3d[wp.int32],
    valid: wp.array3d[wp.bool],
    src: wp.array3d[wp.float32],
    reference: wp.array3d[wp.float32],
    target_class: wp.int32,
    alpha_gain: wp.float32,
    response: wp.array3d[wp.float32],
):
    img_id, r, c = wp.tid()

    if img_id >= batch or r >= reference.shape[1] or c >= img_w:
        return
    if seg[img_id, r, c] == IGNORE_LABEL:
        response[img_id, r, c] = 0.0
    elif seg[img_id, r, c] == target_class and valid[img_id, r, c]:
        response[img_id, r, c] = alpha_gain * (src[img_id, r, c] - reference[img_id, r, c])
    else:
        response[img_id, r, c] = src[img_id, r, c] - reference[img_id, r, c]


random = np.random.default_rng(47)
batch = 2
img_w = 10
seg = wp.array(random.integers(0, 6, (2, 10, 10)), dtype=wp.int32, device="cpu")
valid = wp.array(random.integers(0, 2, (2, 10, 10)), dtype=wp.bool, device="cpu")
src = wp.array(random.uniform(0.0, 1.0, (2, 10, 10)), dtype=wp.float32, device="cpu")
reference = wp.array(random.uniform(0.0, 1.0, (2, 10, 10)), dtype=wp.float32, device="cpu")
target_class = 1
alpha_gain = 1.28
response = wp.array(np.zeros((2, 10, 10)), dtype=wp.float32, device="cpu")
wp.launch(
    zone_gain_kernel,
    dim=(2, 10, 12),
    inputs=[batch, img_w, seg, valid, src, reference, target_class, alpha_gain, response],
    device="cpu",
)
