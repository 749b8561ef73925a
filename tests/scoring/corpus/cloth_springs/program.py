import numpy as np
import warp as wp


@wp.kernel
def eval_springs(
    x: wp.array(dtype=wp.vec3),
    v: wp.array(dtype=wp.vec3),
    spring_indices: wp.array(dtype=int),
    rest_lengths: wp.array(dtype=float),
    stiffness: float,
    damping: float,
    f: wp.array(dtype=wp.vec3),
):
    tid = wp.tid()
    i = spring_indices[tid * 2 + 0]
    j = spring_indices[tid * 2 + 1]
    xij = x[i] - x[j]
    vij = v[i] - v[j]
    l = wp.length(xij) + 0.05
    dir = xij / l
    fs = dir * (stiffness * (l - rest_lengths[tid]) + damping * wp.dot(dir, vij))
    wp.atomic_sub(f, i, fs)
    wp.atomic_add(f, j, fs)


random = np.random.default_rng(15)
x = wp.array(random.uniform(-1.0, 1.0, (24, 3)), dtype=wp.vec3, device="cpu")
v = wp.array(random.uniform(-1.0, 1.0, (24, 3)), dtype=wp.vec3, device="cpu")
spring_indices = wp.array(random.integers(0, 24, (122,)), dtype=int, device="cpu")
rest_lengths = wp.array(random.uniform(0.2, 1.0, (61,)), dtype=float, device="cpu")
f = wp.zeros(24, dtype=wp.vec3, device="cpu")
wp.launch(eval_springs, dim=61, inputs=[x, v, spring_indices, rest_lengths, 12.0, 0.6], outputs=[f], device="cpu")
