import numpy as np
import warp as wp


@wp.kernel
def init_cells(origin: int, batch_count: int, count: int, matrix_out: wp.array3d(dtype=int)):
    env, idx, lane = wp.tid()
    if env >= batch_count or idx >= count or lane >= 4:
        return
    matrix_out[env, idx, lane] = idx * 4 + lane + origin


random = np.random.default_rng(1)
origin = 10
batch_count = 2
count = 49
matrix_out = wp.array(np.zeros((2, 49, 4)), dtype=wp.int32, device="cpu")
wp.launch(init_cells, dim=(2, 49, 4), inputs=[origin, batch_count, count, matrix_out], device="cpu")
