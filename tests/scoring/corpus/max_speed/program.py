import numpy as np
import warp as wp


@wp.kernel
def max_speed(
    velocities: wp.array(dtype=wp.vec3), cell_of: wp.array(dtype=int), peak: wp.array(dtype=float), hits: wp.array(dtype=int)
):
    """Largest speed per cell, for the next time step."""
    tid = wp.tid()
    cell = cell_of[tid]
    if cell < 0:
        return
    speed = wp.length(velocities[tid])
    wp.atomic_max(peak, cell, speed)
    wp.atomic_add(hits, cell, 1)


random = np.random.default_rng(17)
velocities = wp.array(random.uniform(-3.0, 3.0, (130, 3)), dtype=wp.vec3, device="cpu")
cell_of = wp.array(random.integers(-1, 10, (130,)), dtype=int, device="cpu")
peak = wp.zeros(10, dtype=float, device="cpu")
hits = wp.zeros(10, dtype=int, device="cpu")
wp.launch(max_speed, dim=130, inputs=[velocities, cell_of], outputs=[peak, hits], device="cpu")
