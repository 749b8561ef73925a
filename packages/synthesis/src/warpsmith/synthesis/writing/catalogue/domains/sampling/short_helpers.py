"""Short helper functions of the domain `sampling`: scaling, squashing, mixing of bits."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper

SHORT_HELPERS = (
    helper(
        "affine",
        """
        def ⟨affine|scale_shift|linear_map⟩(x: float, a: float, b: float)⟨| -> float⟩:
            return a * x + b
        """,
        """
        def shift_scale(x: float, a: float, b: float):
            return a * (x + b)
        """,
    ),
    helper(
        "logistic",
        """
        def ⟨logistic|sigmoid|expit⟩(x: float)⟨| -> float⟩:
            return 1.0 / (1.0 + wp.exp(-x))
        """,
        """
        def half_tanh(x: float):
            return 0.5 + 0.5 * wp.tanh(0.5 * x)
        """,
    ),
    helper(
        "soft_abs",
        """
        def ⟨soft_abs|smooth_abs⟩(x: float):
            return wp.sqrt(x * x + 0.01)
        """,
    ),
    helper(
        "mix_bits",
        """
        def ⟨mix_bits|scramble|mix15⟩(s: int)⟨| -> int⟩:
            return (s ^ (s >> ⟨5|7|3⟩)) & {MASK}
        """,
        """
        def fold_bits(s: int):
            return (s + (s >> 4)) & {MASK}
        """,
    ),
    helper(
        "combine",
        """
        def ⟨combine|hash_pair|fold_pair⟩(a: int, b: int)⟨| -> int⟩:
            return (a * 31 + b) & {MASK}
        """,
    ),
)
