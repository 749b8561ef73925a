import numpy as np
import warp as wp


@wp.kernel
def evaluate_modes_kernel(
    omega: float,
    t: float,
    mode_count: int,
    sample_count: int,
    mode_shapes: wp.array2d[float],
    mode_coeffs: wp.array3d[float],
    heat: wp.array2d[float],
):
    """Sum the modes of each vertex over all probes."""
    tid = wp.tid()
    env = tid // mode_coeffs.shape[1]
    i = tid % mode_coeffs.shape[1]
    total = float(0.0)
    # sum over modes and probes
    for z in range(mode_count):
        for q in range(sample_count):
            total += mode_shapes[z, q] * mode_coeffs[env, i, z] * wp.cos(omega * t * float(z + 1))
    heat[env, i] += total / float(sample_count)


random = np.random.default_rng(21)
omega = 2.0
t = 1.2
mode_count = 5
sample_count = 3
mode_shapes = wp.array(random.uniform(-1.0, 1.0, (5, 3)), dtype=wp.float32, device="cpu")
mode_coeffs = wp.array(random.uniform(-1.0, 1.0, (2, 40, 5)), dtype=wp.float32, device="cpu")
heat = wp.array(random.uniform(-1.0, 1.0, (2, 40)), dtype=wp.float32, device="cpu")
wp.launch(
    evaluate_modes_kernel, dim=80, inputs=[omega, t, mode_count, sample_count, mode_shapes, mode_coeffs, heat], device="cpu"
)
