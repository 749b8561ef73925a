"""Helper functions of the domain `surfaces`."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper

HELPERS = (
    helper(
        "free_weight",
        """
        def ⟨effective_inv_mass|movable_weight⟩(w: float, flags: int)⟨| -> float⟩:
            # pinned vertices have infinite mass
            if flags & {PINNED} != 0:
                return 0.0
            return w
        """,
        """
        def ⟨free_inv_mass|get_weight⟩(w: float, flags: int)⟨| -> float⟩:
            return wp.where((flags & {PINNED}) != 0, 0.0, w)
        """,
    ),
    helper(
        "cotangent",
        """
        def ⟨cotangent|corner_cot⟩(a: wp.vec3, b: wp.vec3)⟨| -> float⟩:
            # cos / sin of the angle between a and b
            s = wp.length(wp.cross(a, b))
            return wp.dot(a, b) / (s + ⟨1.0e-2|0.02⟩)
        """,
        """
        def ⟨cot|safe_cot⟩(u: wp.vec3, v: wp.vec3)⟨| -> float⟩:
            c = wp.cross(u, v)
            return wp.dot(u, v) / wp.sqrt(wp.dot(c, c) + 1.0e-3)
        """,
    ),
    helper(
        "tri_area",
        """
        def ⟨triangle_area|tri_area⟩(a: wp.vec3, b: wp.vec3, c: wp.vec3)⟨| -> float⟩:
            return 0.5 * wp.length(wp.cross(b - a, c - a))
        """,
        """
        def ⟨face_area|area_of⟩(a: wp.vec3, b: wp.vec3, c: wp.vec3)⟨| -> float⟩:
            n = wp.cross(b - a, c - a)
            return wp.length(n) * 0.5
        """,
    ),
    helper(
        "deformation",
        """
        def ⟨deformation_gradient|compute_F⟩(x0: wp.vec3, x1: wp.vec3, x2: wp.vec3, x3: wp.vec3, inv_rest: wp.mat33)⟨| -> wp.mat33⟩:
            ⟨# deformed edges times the inverse of the rest edges
            |⟩shape = wp.matrix_from_cols(x1 - x0, x2 - x0, x3 - x0)
            return shape ⟨*|@⟩ inv_rest
        """,
    ),
    helper(
        "green",
        """
        def ⟨green_strain|green_lagrange⟩(f: wp.mat33)⟨| -> wp.mat33⟩:
            return 0.5 * (wp.transpose(f) * f - wp.identity(n=3, dtype=float))
        """,
    ),
    helper(
        "stvk_stress",
        """
        def ⟨stvk_stress|pk1_stvk⟩(f: wp.mat33, mu: float, lam: float)⟨| -> wp.mat33⟩:
            e = @green(f)
            return f * (2.0 * mu * e + lam * wp.trace(e) * wp.identity(n=3, dtype=float))
        """,
    ),
    helper(
        "neo_stress",
        """
        def ⟨neo_hookean_stress|pk1_neo_hookean⟩(f: wp.mat33, mu: float, lam: float)⟨| -> wp.mat33⟩:
            # the cofactor is the gradient of the determinant
            c0 = wp.vec3(f[0, 0], f[1, 0], f[2, 0])
            c1 = wp.vec3(f[0, 1], f[1, 1], f[2, 1])
            c2 = wp.vec3(f[0, 2], f[1, 2], f[2, 2])
            cof = wp.matrix_from_cols(wp.cross(c1, c2), wp.cross(c2, c0), wp.cross(c0, c1))
            j = wp.dot(c0, wp.cross(c1, c2))
            return mu * f + (lam * (j - 1.0) - mu) * cof
        """,
    ),
    helper(
        "edge_key",
        """
        def ⟨edge_key|pack_edge⟩(a: int, b: int)⟨| -> int⟩:
            # the same key for both directions
            lo = wp.min(a, b)
            hi = wp.max(a, b)
            return lo * ⟨65536|4096⟩ + hi
        """,
        """
        def ⟨hash_edge|undirected_key⟩(a: int, b: int)⟨| -> int⟩:
            return (wp.min(a, b) << ⟨12|14⟩) | wp.max(a, b)
        """,
    ),
)
