import numpy as np
import warp as wp


@wp.kernel
def eliminate_entries(
    nz_flags: wp.array2d(dtype=int),
    num_envs: int,
    num_entries: int,
    dst_slot: wp.array2d(dtype=int),
    solver_stats: wp.array2d(dtype=int),
):
    env, tid = wp.tid()
    if env >= num_envs or tid >= num_entries:
        return
    if nz_flags[env, tid] == 0:
        dst_slot[env, tid] = -1
    elif dst_slot[env, tid] > tid:
        dst_slot[env, tid] = tid
        wp.atomic_add(solver_stats, env, 1, 1)


random = np.random.default_rng(7)
nz_flags = wp.array(random.integers(0, 3, (2, 127)), dtype=wp.int32, device="cpu")
num_envs = 2
num_entries = 127
dst_slot = wp.array(random.integers(-1, 127, (2, 127)), dtype=wp.int32, device="cpu")
solver_stats = wp.array(np.zeros((2, 4)), dtype=wp.int32, device="cpu")
wp.launch(eliminate_entries, dim=(2, 127), inputs=[nz_flags, num_envs, num_entries, dst_slot, solver_stats], device="cpu")
