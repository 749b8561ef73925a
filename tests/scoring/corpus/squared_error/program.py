import numpy as np
import warp as wp


@wp.kernel
def squared_error(
    inv_n: float,
    y_hat: wp.array2d[float],
    y: wp.array2d[float],
    per_sample_loss: wp.array2d[float],
    loss_sum: wp.array2d[float],
):
    """Accumulate the relative error of the predictions."""
    env_id, i = wp.tid()
    diff = y_hat[env_id, i] - y[env_id, i]
    cost = diff * diff / (1.0 + y[env_id, i] * y[env_id, i])
    per_sample_loss[env_id, i] = cost
    wp.atomic_add(loss_sum, env_id, 0, cost * inv_n)


random = np.random.default_rng(51)
inv_n = 0.124
y_hat = wp.array(random.uniform(-2.0, 2.0, (4, 42)), dtype=wp.float32, device="cpu")
y = wp.array(random.uniform(-2.0, 2.0, (4, 42)), dtype=wp.float32, device="cpu")
per_sample_loss = wp.array(np.zeros((4, 42)), dtype=wp.float32, device="cpu")
loss_sum = wp.array(np.zeros((4, 1)), dtype=wp.float32, device="cpu")
wp.launch(squared_error, dim=(4, 42), inputs=[inv_n, y_hat, y, per_sample_loss, loss_sum], device="cpu")
