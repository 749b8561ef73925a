"""Helper functions of the domain `estimation`: products of matrices, gates, robust weights, rotations."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper

HELPERS = (
    helper(
        "sandwich",
        """
        def ⟨sandwich|congruence|propagate_cov⟩(a: wp.mat33, p: wp.mat33)⟨| -> wp.mat33⟩:
            return a @ p @ wp.transpose(a)
        """,
        """
        def ⟨transform_cov|rotate_tensor⟩(a: wp.mat33, p: wp.mat33)⟨| -> wp.mat33⟩:
            # A P A^T
            ap = a @ p
            return ap @ wp.transpose(a)
        """,
    ),
    helper(
        "symmetric",
        """
        def ⟨symmetrize|sym_part|symmetric_part⟩(a: wp.mat33)⟨| -> wp.mat33⟩:
            return (a + wp.transpose(a)) * 0.5
        """,
    ),
    helper(
        "mahalanobis",
        """
        def ⟨mahalanobis|gate_distance|nis⟩(nu: wp.vec3, s: wp.mat33)⟨| -> float⟩:
            return wp.dot(nu, wp.inverse(s) * nu)
        """,
        """
        def ⟨squared_mahalanobis|chi_square⟩(nu: wp.vec3, s: wp.mat33)⟨| -> float⟩:
            ⟨\"\"\"Return the squared distance in units of the covariance.\"\"\"
            |⟩si = wp.inverse(s)
            return wp.dot(si * nu, nu)
        """,
    ),
    helper(
        "robust",
        """
        def ⟨huber_weight|robust_weight⟩(r: float, c: float)⟨| -> float⟩:
            # 1 near zero, c / r for outliers
            a = wp.abs(r)
            if a <= c:
                return 1.0
            return c / a
        """,
        """
        def ⟨cauchy_weight|soft_weight⟩(r: float, c: float)⟨| -> float⟩:
            q = r / c
            return 1.0 / (1.0 + q * q)
        """,
    ),
    helper(
        "inverse_var",
        """
        def ⟨inverse_variance|precision_of|info_weight⟩(var: float, trust: float)⟨| -> float⟩:
            return trust / ⟨(var + 0.1)|wp.max(var, 0.2)⟩
        """,
    ),
    helper(
        "quat_step",
        """
        def ⟨quat_step|integrate_rate|rotate_by_rate⟩(q: wp.quat, w: wp.vec3, dt: float)⟨| -> wp.quat⟩:
            # first order in the body frame
            dq = wp.quat(w[0] * 0.5 * dt, w[1] * 0.5 * dt, w[2] * 0.5 * dt, 1.0)
            return wp.normalize(q * dq)
        """,
        """
        def ⟨advance_attitude|integrate_gyro⟩(q: wp.quat, w: wp.vec3, dt: float)⟨| -> wp.quat⟩:
            half = w * (0.5 * dt)
            return wp.normalize(q + q * wp.quat(half, 0.0))
        """,
    ),
    helper(
        "unbias",
        """
        def ⟨remove_bias|calibrate|correct_reading⟩(m: wp.mat33, raw: wp.vec3, bias: wp.vec3)⟨| -> wp.vec3⟩:
            return m * (raw - bias)
        """,
    ),
    helper(
        "rigid",
        """
        def ⟨make_frame|compose_frame|homogeneous⟩(r: wp.mat33, t: wp.vec3)⟨| -> wp.mat44⟩:
            return wp.mat44(r[0, 0], r[0, 1], r[0, 2], t[0], r[1, 0], r[1, 1], r[1, 2], t[1], r[2, 0], r[2, 1], r[2, 2], t[2], 0.0, 0.0, 0.0, 1.0)
        """,
    ),
    helper(
        "has_bit",
        """
        def ⟨has_bit|test_flag|is_set⟩(bits: int, mask: int)⟨| -> bool⟩:
            return (bits & mask) != 0
        """,
    ),
    helper(
        "clamp_count",
        """
        def ⟨saturate_count|clamp_count|limit_count⟩(value: int, top: int)⟨| -> int⟩:
            ⟨return wp.min(wp.max(value, 0), top)|return wp.clamp(value, 0, top)⟩
        """,
    ),
    helper(
        "is_alive",
        """
        def ⟨is_alive|is_tracked|in_use⟩(state: int)⟨| -> bool⟩:
            return state ⟨== {NEW} or state == {SURE}|!= {FREE} and state != {LOST}⟩
        """,
    ),
)
