import numpy as np
import warp as wp


@wp.kernel
def check_repeats_kernel(
    lengths: wp.array2d[wp.int32],
    key_ids: wp.array3d[wp.int32],
    sample_ids: wp.array2d[wp.int32],
    dup: wp.array2d[wp.int32],
    repeats: wp.array2d[wp.int32],
):
    head, sample = wp.tid()
    equal = int(0)
    for t in range(lengths[head, sample]):
        for prev_id in range(t):
            if key_ids[head, sample, prev_id] == key_ids[head, sample, t]:
                equal += 1
    dup[head, sample] = equal
    wp.atomic_add(repeats, head, sample_ids[head, sample], equal)


random = np.random.default_rng(18)
lengths = wp.array(random.integers(1, 8, (4, 43)), dtype=wp.int32, device="cpu")
key_ids = wp.array(random.integers(-1, 21, (4, 43, 8)), dtype=wp.int32, device="cpu")
sample_ids = wp.array(np.sort(random.integers(0, 6, (4, 43))), dtype=wp.int32, device="cpu")
dup = wp.array(np.zeros((4, 43)), dtype=wp.int32, device="cpu")
repeats = wp.array(np.zeros((4, 7)), dtype=wp.int32, device="cpu")
wp.launch(check_repeats_kernel, dim=(4, 43), inputs=[lengths, key_ids, sample_ids, dup, repeats], device="cpu")
