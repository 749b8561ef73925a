import numpy as np
import warp as wp


@wp.kernel
def gemm(alpha: float, a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), c: wp.array2d(dtype=float)):
    """C += alpha * A B."""
    i, j = wp.tid()
    total = float(0.0)
    for k in range(a.shape[1]):
        total += a[i, k] * b[k, j]
    c[i, j] = c[i, j] + alpha * total


random = np.random.default_rng(18)
a = wp.array(random.uniform(-1.0, 1.0, (18, 23)), dtype=float, device="cpu")
b = wp.array(random.uniform(-1.0, 1.0, (23, 29)), dtype=float, device="cpu")
c = wp.array(random.uniform(-1.0, 1.0, (18, 29)), dtype=float, device="cpu")
wp.launch(gemm, dim=(18, 29), inputs=[0.7, a, b], outputs=[c], device="cpu")
