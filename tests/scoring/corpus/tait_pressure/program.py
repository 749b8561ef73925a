import numpy as np
import warp as wp


@wp.kernel(module="unique")
def tait_pressure(
    densities: wp.array(dtype=float, ndim=2),
    p_new: wp.array(dtype=float, ndim=2),
    c_s: wp.array(dtype=float, ndim=2),
    rho0: float,
    bulk_modulus: float,
    num_worlds: int,
    particle_count: int,
):
    """Compute the pressure of each particle from its density."""
    world, pid = wp.tid()
    if world < num_worlds and pid < particle_count:
        ratio = densities[world, pid] / rho0
        press = bulk_modulus * wp.log(ratio)
        p_new[world, pid] = wp.max(press, 0.0)
        c_s[world, pid] = wp.sqrt(bulk_modulus / densities[world, pid])


random = np.random.default_rng(25)
densities = wp.array(random.uniform(0.5, 2.0, (4, 38)), dtype=wp.float32, device="cpu")
p_new = wp.array(np.zeros((4, 38)), dtype=wp.float32, device="cpu")
c_s = wp.array(np.zeros((4, 38)), dtype=wp.float32, device="cpu")
rho0 = 1.04
bulk_modulus = 4.0
num_worlds = 4
particle_count = 38
wp.launch(
    tait_pressure, dim=(4, 40), inputs=[densities, p_new, c_s, rho0, bulk_modulus, num_worlds, particle_count], device="cpu"
)
