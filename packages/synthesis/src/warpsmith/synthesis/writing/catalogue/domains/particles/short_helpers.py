"""Short helper functions of the domain `particles`: forces, limits, bits."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper

SHORT_HELPERS = (
    helper(
        "gravity_force",
        """
        def ⟨gravity_force|weight_force|body_force⟩(m: float, g: float):
            return wp.vec3(0.0, m * g, 0.0)
        """,
        """
        def buoyant_weight(m: float, g: float)⟨| -> wp.vec3⟩:
            # a tenth of the weight is carried by the air
            return wp.vec3(0.0, 0.9 * m * g, 0.0)
        """,
    ),
    helper(
        "drag_force",
        """
        def ⟨drag_force|air_drag⟩(v: wp.vec3, c: float):
            return v * -c
        """,
        """
        def quadratic_drag(v: wp.vec3, c: float):
            return v * (-c * wp.sqrt(wp.dot(v, v) + 1.0e-4))
        """,
    ),
    helper(
        "anchor_force",
        """
        def ⟨anchor_force|pull_to|spring_to⟩(x: wp.vec3, target: wp.vec3, k: float):
            return (target - x) * k
        """,
    ),
    helper(
        "cap_speed",
        """
        def ⟨cap_speed|limit_speed⟩(v: wp.vec3, limit: float)⟨| -> wp.vec3⟩:
            return v * wp.min(limit / (wp.length(v) + 1.0e-3), 1.0)
        """,
        """
        def ⟨cap_speed|limit_velocity|clamp_speed⟩(v: wp.vec3, limit: float):
            s = wp.length(v)
            if s > limit:
                return v * (limit / s)
            return v
        """,
    ),
    helper(
        "has_bit",
        """
        def ⟨has_bit|is_set|test_flag⟩(flags: int, bit: int)⟨| -> bool⟩:
            return flags & bit != 0
        """,
    ),
    helper(
        "set_bit",
        """
        def ⟨set_bit|add_flag|with_flag⟩(flags: int, bit: int)⟨| -> int⟩:
            return flags | bit
        """,
    ),
    helper(
        "clear_bit",
        """
        def ⟨clear_bit|drop_flag|without_flag⟩(flags: int, bit: int)⟨| -> int⟩:
            return flags & ~bit
        """,
        """
        def clear_flag(flags: int, bit: int):
            return flags - (flags & bit)
        """,
    ),
)
