import numpy as np
import warp as wp


@wp.kernel
def transform_colors(
    rgb_to_xyz: wp.array(dtype=wp.mat33),
    valid: wp.array3d(dtype=bool),
    hdr: wp.array3d(dtype=wp.vec3),
    result: wp.array3d(dtype=wp.vec3),
    batch: int,
    height: int,
    img_w: int,
):
    """Multiply the colour of each pixel by the transposed colour matrix."""
    batch_id, r, c = wp.tid()
    if batch_id >= batch or r >= height or c >= img_w:
        return
    if not valid[batch_id, r, c]:
        return
    color_p = wp.transpose(rgb_to_xyz[0]) * hdr[batch_id, r, c]
    result[batch_id, r, c] = color_p


random = np.random.default_rng(60)
rgb_to_xyz = wp.array(random.uniform(-0.5, 1.2, (1, 3, 3)), dtype=wp.mat33, device="cpu")
valid = wp.array(random.integers(0, 2, (3, 12, 7)), dtype=wp.bool, device="cpu")
hdr = wp.array(random.uniform(0.0, 4.0, (3, 12, 7, 3)), dtype=wp.vec3, device="cpu")
result = wp.array(np.zeros((3, 12, 7, 3)), dtype=wp.vec3, device="cpu")
batch = 3
height = 12
img_w = 7
wp.launch(transform_colors, dim=(3, 12, 8), inputs=[rgb_to_xyz, valid, hdr, result, batch, height, img_w], device="cpu")
