"""Helper functions of the domain `queries`: directions, smoothing kernels, colors, distances of boxes."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper

HELPERS = (
    helper(
        "hemisphere",
        """
        def ⟨hemisphere_dir|sky_direction⟩(k: int)⟨| -> wp.vec3⟩:
            # spiral around the z axis
            z = 0.9 - 0.1 * float(k)
            phi = ⟨2.4|2.39996⟩ * float(k)
            s = wp.sqrt(1.0 - z * z)
            return wp.vec3(s * wp.cos(phi), s * wp.sin(phi), z)
        """,
    ),
    helper(
        "weight",
        """
        def ⟨spiky_w|kernel_weight⟩(r: float, h: float):
            # zero beyond the support
            s = wp.max(1.0 - r / h, 0.0)
            return s * s * s
        """,
        '''
        def ⟨poly6|poly6_kernel⟩(r: float, h: float)⟨| -> float⟩:
            """Kernel with support h, without its normalization."""
            q = wp.min(r / h, 1.0)
            s = 1.0 - q * q
            return s * s * s
        ''',
        """
        def quadratic_weight(r: float, h: float) -> float:
            if r >= h:
                return 0.0
            return (1.0 - r / h) * (1.0 - r / h)
        """,
    ),
    helper(
        "slope",
        """
        def ⟨spiky_gradient|weight_slope⟩(r: float, h: float):
            s = wp.max(1.0 - r / h, 0.0)
            return -3.0 * s * s / h
        """,
        """
        def ⟨d_weight|kernel_slope⟩(r: float, h: float)⟨| -> float⟩:
            q = wp.clamp(1.0 - r / h, 0.0, 1.0)
            return ⟨-3.0 / h * q * q|-3.0 * q * q / h⟩
        """,
    ),
    helper(
        "luma",
        """
        def ⟨luminance|gray_value⟩(c: wp.vec3):
            return ⟨0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]|0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2]|wp.dot(c, wp.vec3(0.2126, 0.7152, 0.0722))⟩
        """,
    ),
    helper(
        "box_gap",
        '''
        def ⟨box_distance|aabb_distance⟩(p: wp.vec3, center: wp.vec3, half: wp.vec3):
            """Distance of a point from a box, 0 inside."""
            d = wp.vec3(wp.max(wp.abs(p[0] - center[0]) - half[0], 0.0), wp.max(wp.abs(p[1] - center[1]) - half[1], 0.0), wp.max(wp.abs(p[2] - center[2]) - half[2], 0.0))
            return wp.length(d)
        ''',
    ),
    helper(
        "ball_sdf",
        """
        def ⟨sd_sphere|sphere_distance⟩(p: wp.vec3, center: wp.vec3, radius: float)⟨| -> float⟩:
            return wp.length(p - center) - radius
        """,
    ),
    helper(
        "box_sdf",
        """
        def ⟨sd_box|box_sdf⟩(p: wp.vec3, half: float):
            qx = wp.abs(p[0]) - half
            qy = wp.abs(p[1]) - half
            qz = wp.abs(p[2]) - half
            return wp.max(qx, wp.max(qy, qz))
        """,
    ),
)
