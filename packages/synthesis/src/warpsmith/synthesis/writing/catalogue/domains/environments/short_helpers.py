"""Short helper functions of the domain `environments`: control terms, scaling, counters."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper

SHORT_HELPERS = (
    helper(
        "p_term",
        """
        def ⟨p_term|position_term|spring_torque⟩(target: float, q: float, kp: float)⟨| -> float⟩:
            return kp * (target - q)
        """,
    ),
    helper(
        "d_term",
        """
        def ⟨d_term|damping_term|damper_torque⟩(qd: float, kd: float)⟨| -> float⟩:
            return -kd * qd
        """,
    ),
    helper(
        "scaled",
        """
        def ⟨to_range|scale_action|denormalize⟩(a: float, lo: float, hi: float)⟨| -> float⟩:
            return lo + 0.5 * (a + 1.0) * (hi - lo)
        """,
    ),
    helper(
        "tick",
        """
        def ⟨tick|next_count|count_up⟩(t: int, limit: int)⟨| -> int⟩:
            return (t + 1) % limit
        """,
        """
        def count_to(t: int, limit: int):
            return wp.min(t + 1, limit)
        """,
    ),
    helper(
        "cell_of",
        """
        def ⟨cell_of|flat_cell|to_cell⟩(x: int, y: int)⟨| -> int⟩:
            return y * {W} + x
        """,
    ),
)
