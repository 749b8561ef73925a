import numpy as np
import warp as wp


@wp.kernel
def dot_product(a: wp.array(dtype=float), b: wp.array(dtype=float), n: int, result: wp.array(dtype=float)):
    i = wp.tid()
    if i < n:
        wp.atomic_add(result, 0, a[i] * b[i])


random = np.random.default_rng(12)
a = wp.array(random.uniform(-1.0, 1.0, (700,)), dtype=float, device="cpu")
b = wp.array(random.uniform(-1.0, 1.0, (700,)), dtype=float, device="cpu")
result = wp.zeros(1, dtype=float, device="cpu")
wp.launch(dot_product, dim=700, inputs=[a, b, 700], outputs=[result], device="cpu")
