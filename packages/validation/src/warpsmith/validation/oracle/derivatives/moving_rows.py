"""Rows of builtins and operators for values that move, by the rules of their derivatives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from warpsmith.validation.oracle.builtins import randoms
from warpsmith.validation.oracle.derivatives import array_rules, linear_algebra_rules, rotation_rules, scalar_rules, tile_rules
from warpsmith.validation.oracle.derivatives.rule_forms import Rule
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.moving_values import moves, paired, tangent_of
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.tile_values import Tile
from warpsmith.validation.oracle.values.value_types import Lanes, Type, Value

RULES: dict[str, Rule] = {
    **scalar_rules.RULES,
    **linear_algebra_rules.RULES,
    **rotation_rules.RULES,
    **array_rules.RULES,
    **tile_rules.RULES,
    "mul": lambda row, a, b: rotation_rules.multiply(row, a, b, scalar_rules.multiply),
}
"""The rules by the name of the builtin or operator; what has none does not support values that move."""

_SINGLE = frozenset(randoms.NAMED)
"""Builtins that are computed in single precision whatever the precision of the run."""


@dataclass(frozen=True, slots=True)
class MovingRow:
    """A row for values that move or do not.

    Attributes:
        name: the name of the builtin or operator.
        row: its row for values that do not move.
    """

    name: str
    row: Row

    @property
    def is_sum(self) -> bool:
        """Whether an update of an element by this operation is one of its derivative."""
        return self.name in ("add", "sub")

    def __call__(self, *arguments: Value) -> Value:
        """Return the result, which moves if an argument does.

        Raises:
            Unsupported: if an argument moves, and the builtin has no rule.
        """
        if not any(map(moves, arguments)):
            if self.name in _SINGLE:
                arguments = tuple(map(_narrow, arguments))
            return as_double(self.row(*arguments))
        rule = RULES.get(self.name)
        if rule is None:
            raise Unsupported(f"the derivative of {self.name!r}")
        return rule(self.row, *arguments)


def _narrow(value: Value) -> Value:
    """Return a number in single precision."""
    return np.float32(value) if type(value) is np.float64 else value


def as_double(value: Value) -> Value:
    """Return what a builtin returns in double precision; tiles of floats, which may be changed in place, move."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.astype(np.float64) if value.dtype.kind == "f" and value.dtype != np.float64 else value
    if type(value) is Lanes:
        return Lanes(as_double(value.data))
    if isinstance(value, (tuple, list)):
        return type(value)(map(as_double, value))
    if isinstance(value, Tile) and value.data.dtype.kind == "f":
        tile = Tile(value.data.astype(np.float64), Type(np.float64, value.element.shape, value.element.kind))
        return paired(tile, tangent_of(tile))
    return value
