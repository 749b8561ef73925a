import numpy as np
import warp as wp


@wp.kernel
def classify_scores(
    page_rank: wp.array[wp.float32],
    inv_out_degree: wp.array[wp.float32],
    lower_threshold: wp.float32,
    high_cut: wp.float32,
    tags: wp.array[wp.int32],
    counts: wp.array[wp.int32],
):
    node = wp.tid()
    importance = page_rank[node] * inv_out_degree[node]
    if importance < lower_threshold:
        tags[node] = 0
    elif importance < high_cut:
        tags[node] = 1
    else:
        tags[node] = 2
        wp.atomic_add(counts, 2, 1)


random = np.random.default_rng(17)
page_rank = wp.array(random.uniform(0.1, 1.0, (55,)), dtype=wp.float32, device="cpu")
inv_out_degree = wp.array(random.uniform(0.2, 1.0, (55,)), dtype=wp.float32, device="cpu")
lower_threshold = 0.35
high_cut = 0.73
tags = wp.array(np.zeros((55,)), dtype=wp.int32, device="cpu")
counts = wp.array(np.zeros((4,)), dtype=wp.int32, device="cpu")
wp.launch(classify_scores, dim=55, inputs=[page_rank, inv_out_degree, lower_threshold, high_cut, tags, counts], device="cpu")
