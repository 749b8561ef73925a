"""Short helper functions of the domain `learning`: averages, decay, units, ids."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper

SHORT_HELPERS = (
    helper(
        "mix",
        """
        def ⟨mix|ema|running_mean⟩(old: float, new: float, beta: float)⟨| -> float⟩:
            return beta * old + (1.0 - beta) * new
        """,
        """
        def moving_average(old: float, new: float, beta: float):
            return new + beta * (old - new)
        """,
    ),
    helper(
        "decayed",
        """
        def ⟨decayed|with_decay|l2_grad⟩(g: float, w: float, wd: float)⟨| -> float⟩:
            return g + wd * w
        """,
    ),
    helper(
        "linear_unit",
        """
        def ⟨linear_unit|affine|unit⟩(x: float, a: float, b: float)⟨| -> float⟩:
            return a * x + b
        """,
    ),
    helper(
        "valid_id",
        """
        def ⟨valid_id|in_vocab|is_known⟩(id: int, limit: int)⟨| -> bool⟩:
            return id >= 0 and id < limit
        """,
    ),
    helper(
        "bucket_id",
        """
        def ⟨bucket_of|hash_bucket|to_bucket⟩(id: int, count: int)⟨| -> int⟩:
            return (id * 31 + 7) % count
        """,
    ),
    helper(
        "shift_id",
        """
        def ⟨shift_id|skip_special|add_offset⟩(id: int, offset: int)⟨| -> int⟩:
            return wp.max(id, 0) + offset
        """,
    ),
)
