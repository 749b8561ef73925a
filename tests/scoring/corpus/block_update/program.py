import numpy as np
import warp as wp


@wp.kernel
def block_update(
    fixed_nodes: wp.array2d[wp.int32],
    f3: wp.array2d[wp.vec3],
    clip: wp.float32,
    step_a: wp.float32,
    v_in: wp.array2d[wp.vec3],
    norm_acc: wp.array2d[wp.float32],
):
    thread = wp.tid()
    env = thread // fixed_nodes.shape[1]
    i = thread % fixed_nodes.shape[1]
    step = wp.normalize(f3[env, i]) * wp.min(wp.length(f3[env, i]), clip)
    if fixed_nodes[env, i] == 0:
        v_in[env, i] += step_a * step

    wp.atomic_add(norm_acc, env, 0, wp.dot(step, f3[env, i]))


random = np.random.default_rng(23)
fixed_nodes = wp.array(random.integers(0, 4, (3, 27)), dtype=wp.int32, device="cpu")
f3 = wp.array(random.uniform(-1.0, 1.0, (3, 27, 3)), dtype=wp.vec3, device="cpu")
clip = 1.06
step_a = 0.98
v_in = wp.array(random.uniform(-1.5, 1.5, (3, 27, 3)), dtype=wp.vec3, device="cpu")
norm_acc = wp.array(np.zeros((3, 1)), dtype=wp.float32, device="cpu")
wp.launch(block_update, dim=81, inputs=[fixed_nodes, f3, clip, step_a, v_in, norm_acc], device="cpu")
