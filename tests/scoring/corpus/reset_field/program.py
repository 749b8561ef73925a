import numpy as np
import warp as wp

T_AMBIENT = wp.constant(0.5)


@wp.kernel
def reset_field(
    field_out: wp.array(dtype=wp.float32, ndim=3),
    p_new: wp.array(dtype=wp.float32, ndim=3),
    bias: wp.float32,
    num_envs: wp.int32,
    width: wp.int32,
    ny: wp.int32,
):
    """Set each cell to a value that depends on its row."""
    env, x, y = wp.tid()
    if env >= num_envs or x >= width or y >= ny:
        return
    field_out[env, x, y] = T_AMBIENT + bias * float(y)
    p_new[env, x, y] = 0.0


random = np.random.default_rng(9)
field_out = wp.array(np.zeros((3, 7, 8)), dtype=wp.float32, device="cpu")
p_new = wp.array(np.zeros((3, 7, 8)), dtype=wp.float32, device="cpu")
bias = 0.06
num_envs = 3
width = 7
ny = 8
wp.launch(reset_field, dim=(3, 7, 8), inputs=[field_out, p_new, bias, num_envs, width, ny], device="cpu")
