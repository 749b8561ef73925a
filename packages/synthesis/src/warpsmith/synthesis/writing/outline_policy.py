"""The chances of functions made of the statements of a kernel. `policy` and `form_policy` contain all other chances."""

from __future__ import annotations

NESTED_FUNCTION_CHANCES = (1.0, 0.95, 0.6)
"""The probability that a kernel, a function that it calls, and a function that such a function calls are divided."""

REPEATED_OUTLINE_CHANCE = 0.45
"""The factor of this probability after each division."""

OUTLINE_TARGETS = ((4, 5, 7, 9, 12), (2, 3, 4, 6), (2, 3, 4))
"""The preferred numbers of statements of a function that a kernel, its function, or a function of that one calls."""

TRIED_CUTS = 8
"""How many of the best cuts are tried: types may be unknown, or the statements unrelated."""

HOISTED_LOAD_CHANCE = 0.65
"""The probability that functions receive elements of arrays where they can, and not the arrays with indices."""

ANNOTATED_RESULT_CHANCE = 0.6
"""The probability that functions made of statements have an annotation of what they return."""

INLINE_RETURN_CHANCE = 0.85
"""The probability that a function returns its last value without a name."""

INLINE_CALL_CHANCE = 0.45
"""The probability that a call is written in the place of its only use in the next line."""

CHAINED_RETURN_CHANCE = 0.3
"""The probability that an ``elif`` after a branch that returns stays one, and does not become an ``if``."""

EARLY_RETURN_CHANCE = 0.6
"""The probability that the last branches of a function return the result."""

FUNCTION_DOCSTRING_CHANCE = 0.3
"""The probability that a function whose subject has a description has a docstring."""

SAME_NAME_CHANCE = 0.65
"""The probability that a parameter or local of such a function has the name that it has in the kernel."""

STORED_NAME_CHANCE = 0.5
"""The probability that a function whose result is stored is named after the array."""
