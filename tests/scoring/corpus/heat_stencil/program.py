import numpy as np
import warp as wp


@wp.kernel
def diffuse(u: wp.array2d(dtype=float), alpha: float, dt: float, dx: float, u_next: wp.array2d(dtype=float)):
    """One explicit step of the heat equation; cells of the border keep their value."""
    i, j = wp.tid()
    rows = u.shape[0]
    cols = u.shape[1]
    if i >= rows or j >= cols:
        return
    if i == 0 or j == 0 or i == rows - 1 or j == cols - 1:
        u_next[i, j] = u[i, j]
        return
    lap = (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j]) / (dx * dx)
    u_next[i, j] = u[i, j] + alpha * dt * lap


random = np.random.default_rng(13)
u = wp.array(random.uniform(0.0, 1.0, (19, 37)), dtype=float, device="cpu")
u_next = wp.zeros((19, 37), dtype=float, device="cpu")
wp.launch(diffuse, dim=(19, 37), inputs=[u, 0.8, 0.01, 0.2], outputs=[u_next], device="cpu")
