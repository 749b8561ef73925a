"""The values that are visible at one point of a kernel, and whether anything has read them."""

from __future__ import annotations

from msgspec import Struct

from warpsmith.synthesis.language.nodes import Expr, Name
from warpsmith.synthesis.language.types import Type
from warpsmith.synthesis.language.walk import subexpressions
from warpsmith.synthesis.random_stream import RandomStream

RESERVED = frozenset(
    [
        "and",
        "as",
        "assert",
        "async",
        "await",
        "break",
        "class",
        "continue",
        "def",
        "del",
        "elif",
        "else",
        "except",
        "finally",
        "for",
        "from",
        "global",
        "if",
        "import",
        "in",
        "is",
        "lambda",
        "nonlocal",
        "not",
        "or",
        "pass",
        "raise",
        "return",
        "try",
        "while",
        "with",
        "yield",
        "None",
        "True",
        "False",
        "wp",
        "float",
        "int",
        "bool",
        "range",
        "min",
        "max",
        "abs",
    ]
)


class Value(Struct, gc=False):
    """A value that an expression can read.

    Attributes:
        expr: the expression that reads it.
        base: its name, from which names of values made from it derive.
        reads: how often it was read.
        wanted: whether it must be read, as locals must; constants and parameters may stay unread.
        varies: whether it differs from thread to thread.
        linear: whether it may only be added, subtracted and scaled by a literal. Warp does not run a dynamic loop again when it
            computes gradients, so the sum of the loop is unknown there, and any other use gives a wrong gradient.
    """

    expr: Expr
    base: str
    reads: int = 0
    wanted: bool = False
    varies: bool = False
    linear: bool = False

    @property
    def name(self) -> str:
        """The variable's name; empty for a value that is read in place."""
        return self.expr.name if isinstance(self.expr, Name) else ""


class Scope:
    """Visible values, in the order of their definition.

    Args:
        taken: names that no local may have.

    Attributes:
        taken: see above.
        values: the visible values.
        threads: the names of thread indices.
        meanings: the expressions of locals that are assigned once.
    """

    def __init__(self, taken: set[str]) -> None:
        self.taken = taken
        self.values: list[Value] = []
        self.threads: set[str] = set()
        self.meanings: dict[str, Expr] = {}

    def add(self, expr: Expr, base: str, *, wanted: bool = False, varies: bool = False) -> None:
        """Make ``expr`` visible."""
        self.values.append(Value(expr, base, 0, wanted, varies))

    def types(self) -> frozenset[Type]:
        """Return the types of visible values."""
        return frozenset(value.expr.type for value in self.values if not value.linear)

    def varies(self, expr: Expr) -> bool:
        """Return whether an expression differs from thread to thread."""
        names = {value.name for value in self.values if value.varies} | self.threads
        return any(isinstance(part, Name) and part.name in names for part in subexpressions(expr))

    def pick(self, dtype: Type, rng: RandomStream) -> Value | None:
        """Draw a value of a type, preferably an unread and a recent one; return None if there is no value."""
        fitting = [value for value in self.values if value.expr.type is dtype and not value.linear]
        if not fitting:
            return None
        weights = [
            (6.0 if value.wanted and not value.reads else 1.0)
            * (2.0 if value.varies else 1.0)
            / (1 + value.reads)
            * (1.0 + 0.3 * position)
            for position, value in enumerate(fitting)
        ]
        chosen = rng.weighted(fitting, weights)
        chosen.reads += 1
        return chosen

    def unread(self) -> list[Value]:
        """Return the values that must be read and are not, latest first."""
        return [value for value in reversed(self.values) if value.wanted and not value.reads and not value.linear]

    def totals(self) -> list[Value]:
        """Return the unread sums of loops."""
        return [value for value in self.values if value.wanted and value.linear and not value.reads]

    def find(self, name: str) -> Value:
        """Return the value of a variable."""
        return next(value for value in reversed(self.values) if value.name == name)

    def choose_name(self, candidates: tuple[str, ...], base: str, rng: RandomStream) -> str:
        """Choose an unused name among ``candidates``, with ``{0}`` replaced by ``base``; add a number if all are in use."""
        stem = base if len(base) > 1 and base.count("_") < 2 else "value"
        names = [candidate.format(stem) for candidate in candidates]
        free = [name for name in names if name not in self.taken and name not in RESERVED]
        name = rng.choice(free) if free else self._add_number(rng.choice(names))
        self.taken.add(name)
        return name

    def _add_number(self, name: str) -> str:
        number = 2
        while f"{name}_{number}" in self.taken:
            number += 1
        return f"{name}_{number}"
