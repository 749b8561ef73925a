import numpy as np
import warp as wp


@wp.kernel
def eval_ground_contact(
    particle_x: wp.array(dtype=wp.vec3),
    particle_v: wp.array(dtype=wp.vec3),
    inv_mass: wp.array(dtype=float),
    ke: float,
    kd: float,
    kf: float,
    particle_f: wp.array(dtype=wp.vec3),
):
    """Penalty forces of particles below the plane y = 0, with friction."""
    tid = wp.tid()
    if inv_mass[tid] == 0.0:
        return
    x = particle_x[tid]
    v = particle_v[tid]
    c = x[1]
    if c > 0.0:
        return
    vn = v[1]
    fn = ke * c
    fd = wp.min(vn, 0.0) * kd
    vt = wp.vec3(v[0], 0.0, v[2])
    friction = wp.vec3(0.0, 0.0, 0.0)
    speed = wp.length(vt)
    if speed > 0.0:
        friction = vt / speed * wp.min(kf * speed, -fn)
    particle_f[tid] = particle_f[tid] - wp.vec3(0.0, fn + fd, 0.0) - friction


random = np.random.default_rng(11)
positions = wp.array(random.uniform(-1.0, 1.0, (45, 3)), dtype=wp.vec3, device="cpu")
velocities = wp.array(random.uniform(-2.0, 2.0, (45, 3)), dtype=wp.vec3, device="cpu")
inv_mass = wp.array(random.integers(0, 4, (45,)) * 0.5, dtype=float, device="cpu")
forces = wp.array(random.uniform(-1.0, 1.0, (45, 3)), dtype=wp.vec3, device="cpu")
wp.launch(eval_ground_contact, dim=45, inputs=[positions, velocities, inv_mass, 40.0, 2.0, 0.5], outputs=[forces], device="cpu")
