import numpy as np
import warp as wp


@wp.kernel
def tag_histogram(
    remap_table: wp.array[int],
    color_in: wp.array[int],
    vertex_count: int,
    group_sizes: wp.array[int],
):
    i = wp.tid()

    if i < vertex_count:
        if remap_table[i] < 0:
            return
        color_i = color_in[i]
        # one bucket for each value
        wp.atomic_add(group_sizes, color_i, 1)


random = np.random.default_rng(24)
remap_table = wp.array(random.integers(-6, 25, (25,)), dtype=wp.int32, device="cpu")
color_in = wp.array(random.integers(0, 8, (25,)), dtype=wp.int32, device="cpu")
vertex_count = 25
group_sizes = wp.array(np.zeros((16,)), dtype=wp.int32, device="cpu")
wp.launch(tag_histogram, dim=32, inputs=[remap_table, color_in, vertex_count, group_sizes], device="cpu")
