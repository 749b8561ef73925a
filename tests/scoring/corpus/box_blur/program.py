import numpy as np
import warp as wp


@wp.kernel
def box_blur(src: wp.array2d(dtype=float), radius: int, dst: wp.array2d(dtype=float)):
    """Mean of the pixels of a window, as far as it lies inside the image."""
    y, x = wp.tid()
    height = src.shape[0]
    width = src.shape[1]
    if y >= height or x >= width:
        return
    total = float(0.0)
    count = int(0)
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            yy = y + dy
            xx = x + dx
            if yy >= 0 and yy < height and xx >= 0 and xx < width:
                total += src[yy, xx]
                count += 1
    dst[y, x] = total / float(count)


random = np.random.default_rng(16)
src = wp.array(random.uniform(0.0, 1.0, (21, 34)), dtype=float, device="cpu")
dst = wp.zeros((21, 34), dtype=float, device="cpu")
wp.launch(box_blur, dim=(21, 34), inputs=[src, 2], outputs=[dst], device="cpu")
