import numpy as np
import warp as wp


@wp.kernel
def particle_to_grid(
    positions: wp.array(dtype=wp.vec2),
    mass: wp.array(dtype=float),
    inv_cell: float,
    grid_mass: wp.array2d(dtype=float),
):
    """Scatter the mass of particles to the four nodes around them, with bilinear weights."""
    p = wp.tid()
    pos = positions[p] * inv_cell
    fx = wp.clamp(pos[0], 0.0, float(grid_mass.shape[0]) - 1.001)
    fy = wp.clamp(pos[1], 0.0, float(grid_mass.shape[1]) - 1.001)
    i = int(wp.floor(fx))
    j = int(wp.floor(fy))
    wx = fx - float(i)
    wy = fy - float(j)
    m = mass[p]
    wp.atomic_add(grid_mass, i, j, m * (1.0 - wx) * (1.0 - wy))
    wp.atomic_add(grid_mass, i + 1, j, m * wx * (1.0 - wy))
    wp.atomic_add(grid_mass, i, j + 1, m * (1.0 - wx) * wy)
    wp.atomic_add(grid_mass, i + 1, j + 1, m * wx * wy)


random = np.random.default_rng(14)
positions = wp.array(random.uniform(0.0, 1.0, (150, 2)), dtype=wp.vec2, device="cpu")
mass = wp.array(random.uniform(0.5, 1.5, (150,)), dtype=float, device="cpu")
grid_mass = wp.zeros((9, 12), dtype=float, device="cpu")
wp.launch(particle_to_grid, dim=150, inputs=[positions, mass, 8.0], outputs=[grid_mass], device="cpu")
