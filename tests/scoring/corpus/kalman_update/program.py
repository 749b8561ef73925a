import numpy as np
import warp as wp

FLAG_FIXED = 4


@wp.kernel
def kalman_update_kernel(
    flag_in: wp.array2d[wp.int32],
    meas2: wp.array2d[wp.vec2],
    x: wp.array2d[wp.vec2],
    sensor_ids: wp.array2d[wp.int32],
    sigma2: wp.array2d[wp.mat22],
    sensor_noise2: wp.array2d[wp.mat22],
    x_new: wp.array2d[wp.vec2],
    P_new: wp.array2d[wp.mat22],
):
    """Correct the state of each track by its measurement, with the covariance in the short form."""
    robot, track = wp.tid()

    # fixed tracks keep their estimate
    if (flag_in[robot, track] & FLAG_FIXED) != 0:
        return
    z = meas2[robot, track]
    state = x[robot, track]
    dev_id = sensor_ids[robot, track]
    sigma = sigma2[robot, track]
    K = sigma @ wp.inverse(sigma + sensor_noise2[robot, dev_id])
    x_new[robot, track] = state + K * (z - state)
    P_new[robot, track] = sigma - K @ sigma


random = np.random.default_rng(6)
flag_in = wp.array(random.integers(0, 8, (4, 83)), dtype=wp.int32, device="cpu")
meas2 = wp.array(random.uniform(-2.0, 2.0, (4, 83, 2)), dtype=wp.vec2, device="cpu")
x = wp.array(random.uniform(-1.5, 1.5, (4, 83, 2)), dtype=wp.vec2, device="cpu")
sensor_ids = wp.array(random.integers(0, 5, (4, 83)), dtype=wp.int32, device="cpu")
sigma2 = wp.array(np.eye(2) + random.uniform(-0.2, 0.2, (4, 83, 2, 2)), dtype=wp.mat22, device="cpu")
sensor_noise2 = wp.array(np.eye(2) + random.uniform(-0.2, 0.2, (4, 5, 2, 2)), dtype=wp.mat22, device="cpu")
x_new = wp.array(np.zeros((4, 83, 2)), dtype=wp.vec2, device="cpu")
P_new = wp.array(np.zeros((4, 83, 2, 2)), dtype=wp.mat22, device="cpu")
wp.launch(
    kalman_update_kernel, dim=(4, 83), inputs=[flag_in, meas2, x, sensor_ids, sigma2, sensor_noise2, x_new, P_new], device="cpu"
)
