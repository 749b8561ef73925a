"""The names that are visible at one point of a kernel, and which of them nothing has read yet."""

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
    """Something that an expression can read.

    Attributes:
        expr: how it is read.
        base: its name, from which names of what is made of it derive.
        reads: how often it was read.
        wanted: whether it has to be read, as locals have; constants and parameters may be left alone.
        varies: whether it differs from thread to thread.
        linear: whether it may only be added, subtracted and scaled by a literal. Warp does not run a dynamic loop again when it
            computes gradients, so what the loop summed up is not known there, and any other use gives a wrong gradient.
    """

    expr: Expr
    base: str
    reads: int = 0
    wanted: bool = False
    varies: bool = False
    linear: bool = False

    @property
    def name(self) -> str:
        """The variable's name; empty for what is read in place."""
        return self.expr.name if isinstance(self.expr, Name) else ""


class Scope:
    """Visible values in the order in which they came up.

    Args:
        taken: names that no local may have.

    Attributes:
        meanings: what locals stand for that keep one value.
    """

    def __init__(self, taken: set[str]) -> None:
        self.taken = taken
        self.values: list[Value] = []
        self.threads: set[str] = set()
        self.meanings: dict[str, Expr] = {}

    def add(self, expr: Expr, base: str, *, wanted: bool = False, varies: bool = False) -> None:
        """Make ``expr`` readable."""
        self.values.append(Value(expr, base, 0, wanted, varies))

    def types(self) -> frozenset[Type]:
        """The types of which something is readable."""
        return frozenset(value.expr.type for value in self.values if not value.linear)

    def varies(self, expr: Expr) -> bool:
        """Whether an expression differs from thread to thread."""
        names = {value.name for value in self.values if value.varies} | self.threads
        return any(isinstance(part, Name) and part.name in names for part in subexpressions(expr))

    def pick(self, dtype: Type, rng: RandomStream) -> Value | None:
        """Draw a value of a type, rather one that nothing has read, and rather a late one; None if there is none."""
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
        """What has to be read and was not, latest first."""
        return [value for value in reversed(self.values) if value.wanted and not value.reads and not value.linear]

    def totals(self) -> list[Value]:
        """What loops summed up and nothing has read."""
        return [value for value in self.values if value.wanted and value.linear and not value.reads]

    def find(self, name: str) -> Value:
        """The value of a variable."""
        return next(value for value in reversed(self.values) if value.name == name)

    def fresh(self, candidates: tuple[str, ...], base: str, rng: RandomStream) -> str:
        """A name that nothing has yet, one of ``candidates`` with ``{0}`` replaced by ``base``, or one of them numbered."""
        stem = base if len(base) > 1 and base.count("_") < 2 else "value"
        names = [candidate.format(stem) for candidate in candidates]
        free = [name for name in names if name not in self.taken and name not in RESERVED]
        name = rng.choice(free) if free else self._numbered(rng.choice(names))
        self.taken.add(name)
        return name

    def _numbered(self, name: str) -> str:
        number = 2
        while f"{name}_{number}" in self.taken:
            number += 1
        return f"{name}_{number}"
