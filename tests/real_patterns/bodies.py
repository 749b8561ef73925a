"""Articulated bodies: poses, trees of joints, wrenches, structs of the state; and decompositions of matrices."""

from __future__ import annotations

import numpy as np

from real_patterns.pattern import Pattern, both, kept, member, null, number, plain, read, struct, written

PARENTS = np.array([-1, 0, 1, 1, 3, -1, 5, 5], np.int32)
STARTS = np.array([0, 5, 8], np.int32)

STATE = """
        @wp.struct
        class Material:
            stiffness: float
            limits: wp.vec2


        @wp.struct
        class Particle:
            x: wp.vec3
            v: wp.vec3
            mass: float
            material: Material
"""

PATTERNS = {
    "poses along a tree of joints": Pattern("""
        @wp.kernel
        def forward_kinematics(starts: wp.array(dtype=int), parents: wp.array(dtype=int), joint_x: wp.array(dtype=wp.transform),
                               poses: wp.array(dtype=wp.transform)):
            tree = wp.tid()
            for i in range(starts[tree], starts[tree + 1]):
                parent = parents[i]
                above = wp.transform_identity()
                if parent >= 0:
                    above = poses[parent]
                poses[i] = wp.transform_multiply(above, joint_x[i])
    """, (2,), (kept("starts", "int32", STARTS), kept("parents", "int32", PARENTS), read("joint_x", "transformf", 8, kind="unit"),
                both("poses", "transformf", 8))),
    "torques along a tree of joints": Pattern("""
        @wp.kernel
        def inverse_dynamics(parents: wp.array(dtype=int), axis: wp.array(dtype=wp.spatial_vector), f: wp.array(dtype=wp.spatial_vector),
                             n: int, total: wp.array(dtype=wp.spatial_vector), tau: wp.array(dtype=float)):
            for k in range(n):
                i = n - 1 - k
                wp.atomic_add(total, i, f[i])
                if parents[i] >= 0:
                    wp.atomic_add(total, parents[i], f[i])
                tau[i] = wp.dot(axis[i], f[i])
    """, (1,), (kept("parents", "int32", PARENTS), read("axis", "spatial_vectorf", 8), read("f", "spatial_vectorf", 8), number("n", 8),
                both("total", "spatial_vectorf", 8), written("tau", "float32", 8))),
    "points of bodies": Pattern("""
        @wp.kernel
        def contacts(body: wp.array(dtype=int), poses: wp.array(dtype=wp.transform), com: wp.array(dtype=wp.vec3),
                     points: wp.array(dtype=wp.vec3), plane: wp.vec4, f: wp.array(dtype=wp.spatial_vector)):
            i = wp.tid()
            b = body[i]
            p = points[i]
            if b >= 0:
                p = wp.transform_point(poses[b], points[i])
            depth = wp.dot(wp.vec3(plane[0], plane[1], plane[2]), p) + plane[3]
            if depth > 0.0:
                return
            force = wp.vec3(plane[0], plane[1], plane[2]) * (0.0 - depth * 100.0)
            if b >= 0:
                arm = p - wp.transform_point(poses[b], com[b])
                wp.atomic_add(f, b, wp.spatial_vector(wp.cross(arm, force), force))
    """, (20,), (kept("body", "int32", np.arange(20) % 5 - 1), read("poses", "transformf", 4, kind="unit"), read("com", "vec3f", 4, low=-0.1, high=0.1),
                 read("points", "vec3f", 20), plain("plane", "vec4f", 0.2, 0.4), both("f", "spatial_vectorf", 4))),
    "rotation of rigid bodies": Pattern("""
        @wp.func
        def advance(q: wp.quat, w: wp.vec3, dt: float):
            return wp.normalize(q + wp.quat(w[0], w[1], w[2], 0.0) * q * 0.5 * dt)


        @wp.kernel
        def rotate(q: wp.array(dtype=wp.quat), w: wp.array(dtype=wp.vec3), inertia: wp.array(dtype=wp.mat33), torque: wp.array(dtype=wp.vec3),
                   dt: float, q_new: wp.array(dtype=wp.quat), w_new: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            local = wp.quat_rotate_inv(q[i], w[i])
            t = wp.quat_rotate_inv(q[i], torque[i]) - wp.cross(local, inertia[i] * local)
            spin = wp.quat_rotate(q[i], local + wp.inverse(inertia[i]) * t * dt)
            q_new[i] = advance(q[i], spin, dt)
            w_new[i] = spin
    """, (9,), (read("q", "quatf", 9, kind="unit"), read("w", "vec3f", 9), read("inertia", "mat33f", 9, low=-0.1, high=0.1, kind="near_identity"),
                read("torque", "vec3f", 9), number("dt", 0.02), written("q_new", "quatf", 9), written("w_new", "vec3f", 9))),
    "arrays of structs": Pattern(STATE + """

        @wp.kernel
        def step(particles: wp.array(dtype=Particle), dt: float, out: wp.array(dtype=wp.vec3), energy: wp.array(dtype=float)):
            i = wp.tid()
            p = particles[i]
            a = p.x * (0.0 - p.material.stiffness / p.mass)
            v = p.v + a * dt
            speed = wp.clamp(wp.length(v), p.material.limits[0], p.material.limits[1])
            out[i] = p.x + wp.normalize(v) * speed * dt
            wp.atomic_add(energy, 0, 0.5 * p.mass * wp.dot(v, v))
    """, (12,), (struct("particles", "Particle", member("x", "vec3f", -1, 1), member("v", "vec3f", -1, 1), member("mass", "float32", 1, 2),
                        struct("material", "Material", member("stiffness", "float32", 1, 9), member("limits", "vec2f", 0.1, 2)), shape=(12,)),
                 number("dt", 0.1), written("out", "vec3f", 12), both("energy", "float32", 1))),
    "structs that are written": Pattern(STATE + """

        @wp.kernel
        def update(particles: wp.array(dtype=Particle), f: wp.array(dtype=wp.vec3), out: wp.array(dtype=Particle)):
            i = wp.tid()
            p = particles[i]
            p.v = p.v + f[i] / p.mass
            out[i] = p
    """, (12,), (struct("particles", "Particle", member("x", "vec3f", -1, 1), member("v", "vec3f", -1, 1), member("mass", "float32", 1, 2),
                        struct("material", "Material", member("stiffness", "float32", 1, 9), member("limits", "vec2f", 0.1, 2)), shape=(12,)),
                 read("f", "vec3f", 12),
                 struct("out", "Particle", member("x", "vec3f", role="output"), member("v", "vec3f", role="output"), member("mass", "float32", role="output"),
                        struct("material", "Material", member("stiffness", "float32", role="output"), member("limits", "vec2f", role="output"), role="output"),
                        shape=(12,), role="output"))),
    "structs without members": Pattern("""
        @wp.struct
        class Topology:
            pass

        @wp.struct
        class Domain:
            scale: float
            topology: Topology
            offsets: wp.array(dtype=float)

        @wp.func
        def neighbour(topology: Topology, i: int):
            return (i + 1) % 8

        @wp.kernel
        def differences(before: Topology, domain: Domain, x: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            j = neighbour(domain.topology, i)
            out[i] = domain.scale * (x[neighbour(before, j)] - x[j]) * x[i] + domain.offsets[i]
    """, (8,), (struct("before", "Topology"), struct("domain", "Domain", member("scale", "float32", 1, 2), struct("topology", "Topology"),
                 read("offsets", "float32", 8)), read("x", "float32", 8), written("out", "float32", 8))),
    "arrays in nested structs": Pattern("""
        @wp.struct
        class Shape:
            size: wp.array(dtype=wp.vec3)
            scale: wp.array(dtype=float)
            material: wp.array(dtype=int)


        @wp.struct
        class Model:
            shapes: Shape
            margin: float
            gravity: wp.vec3


        @wp.kernel
        def volume(model: Model, x: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
            i = wp.tid()
            s = model.shapes.size[i]
            if model.shapes.scale:
                s = s * model.shapes.scale[i]
            out[i] = s[0] * s[1] * s[2] + wp.dot(model.gravity, x[i]) * model.margin
            if model.shapes.material and model.shapes.material[i] > 1:
                out[i] = 0.0
    """, (10,), (struct("model", "Model", struct("shapes", "Shape", read("size", "vec3f", 10, low=0.5, high=1.0), null("scale", "float32"),
                        kept("material", "int32", np.arange(10) % 3)), number("margin", 0.1), plain("gravity", "vec3f", -1, 1)),
                 read("x", "vec3f", 10), written("out", "float32", 10))),
    "elastic energy": Pattern("""
        @wp.func
        def deformation(x: wp.array(dtype=wp.vec3), tet: wp.vec4i, rest: wp.mat33):
            o = x[tet[0]]
            return wp.matrix_from_cols(x[tet[1]] - o, x[tet[2]] - o, x[tet[3]] - o) * rest


        @wp.kernel
        def neo_hookean(x: wp.array(dtype=wp.vec3), tets: wp.array(dtype=wp.vec4i), rest: wp.array(dtype=wp.mat33), mu: float, lam: float,
                        energy: wp.array(dtype=float)):
            t = wp.tid()
            f = deformation(x, tets[t], rest[t])
            j = wp.determinant(f)
            ic = wp.trace(wp.transpose(f) * f)
            alpha = 1.0 + mu / lam - mu / (4.0 * lam)
            wp.atomic_add(energy, 0, 0.5 * mu * (ic - 3.0) + 0.5 * lam * (j - alpha) * (j - alpha) - 0.5 * mu * wp.log(ic + 1.0))
    """, (3,), (read("x", "vec3f", 6), kept("tets", "vec4i", [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5]], components=1),
                read("rest", "mat33f", 3, low=-0.2, high=0.2, kind="near_identity"), number("mu", 2.0), number("lam", 5.0),
                both("energy", "float32", 1))),
    "singular values": Pattern("""
        @wp.kernel
        def stretches(f: wp.array(dtype=wp.mat33), out: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            u = wp.mat33()
            s = wp.vec3()
            v = wp.mat33()
            wp.svd3(f[i], u, s, v)
            out[i] = s
    """, (9,), (kept("f", "mat33f", np.random.default_rng(5).uniform(-1, 1, (9, 3, 3)) + np.diag([3.0, 6.0, 9.0]), components=2),
                written("out", "vec3f", 9))),
    "triangular factors": Pattern("""
        @wp.kernel
        def factor(a: wp.array(dtype=wp.mat33), out: wp.array(dtype=wp.mat33)):
            i = wp.tid()
            q = wp.mat33()
            r = wp.mat33()
            wp.qr3(a[i], q, r)
            out[i] = r * wp.transpose(r)
    """, (9,), (kept("a", "mat33f", np.random.default_rng(6).uniform(-1, 1, (9, 3, 3)) + np.diag([3.0, 4.0, 5.0]), components=2),
                written("out", "mat33f", 9))),
    "skinning by four bones": Pattern("""
        @wp.kernel
        def skin(x: wp.array(dtype=wp.vec3), bones: wp.array2d(dtype=int), weights: wp.array2d(dtype=float),
                 poses: wp.array(dtype=wp.mat44), out: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            p = wp.vec3()
            for k in range(4):
                p += wp.transform_point(poses[bones[i, k]], x[i]) * weights[i, k]
            out[i] = p
    """, (12,), (read("x", "vec3f", 12), kept("bones", "int32", np.arange(48).reshape(12, 4) % 5), read("weights", "float32", 12, 4, low=0, high=0.5),
                 read("poses", "mat44f", 5, low=-0.3, high=0.3, kind="near_identity"), written("out", "vec3f", 12))),
    "angles of hinges": Pattern("""
        @wp.kernel
        def bending(x: wp.array(dtype=wp.vec3), edges: wp.array2d(dtype=int), rest: wp.array(dtype=float), k: float, energy: wp.array(dtype=float)):
            e = wp.tid()
            x1 = x[edges[e, 0]]
            x2 = x[edges[e, 1]]
            x3 = x[edges[e, 2]]
            x4 = x[edges[e, 3]]
            n1 = wp.normalize(wp.cross(x3 - x1, x4 - x1))
            n2 = wp.normalize(wp.cross(x4 - x2, x3 - x2))
            d = wp.normalize(x4 - x3)
            angle = wp.atan2(wp.dot(wp.cross(n1, n2), d), wp.dot(n1, n2))
            wp.atomic_add(energy, 0, k * (angle - rest[e]) * (angle - rest[e]))
    """, (3,), (read("x", "vec3f", 6), kept("edges", "int32", [[0, 1, 2, 3], [1, 4, 2, 3], [4, 5, 1, 2]]), read("rest", "float32", 3, low=-0.2, high=0.2),
                number("k", 2.0), both("energy", "float32", 1))),
}  # fmt: skip
