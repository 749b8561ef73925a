import numpy as np
import warp as wp


@wp.kernel
def exponential_filter(
    smoothing: float,
    t_now: int,
    num_tracks: int,
    valid: wp.array2d(dtype=bool),
    positions: wp.array2d(dtype=wp.vec3),
    obs: wp.array2d(dtype=wp.vec3),
    pos_out: wp.array2d(dtype=wp.vec3),
    last_seen: wp.array2d(dtype=int),
):
    """Move each estimate towards its measurement."""
    tid = wp.tid()
    world = tid // num_tracks
    i = tid % num_tracks
    if valid[world, i]:
        pos_out[world, i] = positions[world, i] + (obs[world, i] - positions[world, i]) * smoothing
        last_seen[world, i] = t_now
    else:
        pos_out[world, i] = positions[world, i]


random = np.random.default_rng(49)
smoothing = 0.52
t_now = 40
num_tracks = 72
valid = wp.array(random.integers(0, 2, (2, 72)), dtype=wp.bool, device="cpu")
positions = wp.array(random.uniform(-1.5, 1.5, (2, 72, 3)), dtype=wp.vec3, device="cpu")
obs = wp.array(random.uniform(-2.0, 2.0, (2, 72, 3)), dtype=wp.vec3, device="cpu")
pos_out = wp.array(np.zeros((2, 72, 3)), dtype=wp.vec3, device="cpu")
last_seen = wp.array(np.zeros((2, 72)), dtype=wp.int32, device="cpu")
wp.launch(
    exponential_filter, dim=144, inputs=[smoothing, t_now, num_tracks, valid, positions, obs, pos_out, last_seen], device="cpu"
)
