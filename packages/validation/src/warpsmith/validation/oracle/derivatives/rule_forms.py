"""Forms of rules: linear and multilinear builtins, functions of one number, builtins without a derivative, and formulas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from warpsmith.validation.oracle.derivatives.duals import Dual
from warpsmith.validation.oracle.values.lanes import applied, count_of, joined, lane_of
from warpsmith.validation.oracle.values.moving_values import CORNERS, paired, tangent_of, value_of
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.tile_values import Tile
from warpsmith.validation.oracle.values.value_types import Components, Lanes, Moving, Quaternion, Transform, Value

Rule: TypeAlias = Callable[..., Value]
"""The derivative of a builtin: from its row for values that do not move, and its arguments, to its result."""


def linear(row: Row, *arguments: Value) -> Value:
    """Apply a builtin that is linear in all arguments together."""
    return paired(row(*map(value_of, arguments)), row(*map(tangent_of, arguments)))


def multilinear(row: Row, *arguments: Value) -> Value:
    """Apply a builtin that is linear in each argument alone: the product rule."""
    values = [value_of(argument) for argument in arguments]
    terms = [
        row(*values[:place], argument.tangent, *values[place + 1 :])
        for place, argument in enumerate(arguments)
        if type(argument) is Moving
    ]
    total = terms[0]
    for term in terms[1:]:
        total = Tile(total.data + term.data, total.element) if isinstance(total, Tile) else applied(np.add, total, term)
    return paired(row(*values), total)


def constant(row: Row, *arguments: Value) -> Value:
    """Apply a builtin whose result does not move."""
    return row(*map(value_of, arguments))


def times(tangent: Any, slope: Any) -> Any:
    """Return the product of a derivative and a slope; what does not move stays, even where the slope is infinite."""
    return CORNERS.stays(tangent != 0, tangent * slope)


def like(tangent: Any, value: Any) -> Any:
    """Return a derivative with the type of its value: a NumPy scalar, or components of the same class."""
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(np.broadcast_to(np.asarray(tangent, value.dtype), value.shape)).view(type(value))
    return value.dtype.type(tangent)


def typed(operation: Callable[..., Any], value: Value, *operands: Value) -> Value:
    """Return the derivative that an operation computes from components, with the type of a value."""
    return applied(lambda value, *operands: like(operation(value, *operands), value), value, *operands)


def of_number(slope: Callable[[Any, Any], Any], corner: Callable[[Any], Any] | None = None, name: str = "") -> Rule:
    """Make the rule of a function of one number.

    Args:
        slope: returns the derivative from the number and the value of the function.
        corner: returns whether there is a corner or a jump at the number.
        name: the name of the function, for its corners.
    """

    def apply(row: Row, x: Value, *rest: Value) -> Value:
        if rest:
            raise TypeError("one argument was expected")
        value = row(x.value)
        if corner is not None:
            CORNERS.note_where(name, lambda x, t: corner(x) & (t != 0), x.value, x.tangent)
        return paired(value, typed(lambda y, x, t: times(t, slope(x, y)), value, x.value, x.tangent))

    return apply


def formula(function: Callable[..., Dual | tuple[Dual, ...]], *, each: bool = False) -> Rule:
    """Make the rule of a builtin from a formula, whose derivative is used; the value is that of the builtin.

    Args:
        function: the formula, of pairs of components and derivatives, see `Dual`.
        each: whether the formula is for one thread, and is called for one after another.
    """

    def apply(row: Row, *arguments: Value) -> Value:
        if each and (count := count_of(arguments)):
            several = [apply(row, *lane_of(arguments, lane)) for lane in range(count)]
            value = joined([value_of(result) for result in several])
            return paired(value, joined([tangent_of(result) for result in several]))
        values, tangents = [*map(value_of, arguments)], [*map(tangent_of, arguments)]
        result = row(*values)

        def derive(*parts: Any) -> Any:
            plain = [_plain(part) for part in parts]
            found = function(*[Dual(value, plain[len(values) + place]) for place, value in enumerate(plain[: len(values)])])
            several = found if isinstance(found, tuple) else (found,)
            return tuple([part.tangent for part in several])

        derivatives = applied(derive, *values, *tangents)
        if isinstance(result, tuple):
            parts = zip(derivatives, result, strict=True)
            return paired(result, tuple([_as(other, part) for part, other in parts]))
        return paired(result, _as(result, derivatives[0]))

    return apply


def _as(value: Value, tangent: Value) -> Value:
    if type(value) is Lanes:
        data = tangent.data if type(tangent) is Lanes else tangent
        return Lanes(like(data, value.data))
    return like(tangent.data[..., 0] if type(tangent) is Lanes else tangent, value)


def _plain(part: Any) -> Any:
    return part.view(np.ndarray) if isinstance(part, (Quaternion, Transform)) else part


def components_of(value: Value) -> Components:
    """Return the components of a value for one thread or several, without their class."""
    data = value.data if type(value) is Lanes else value
    return data.view(np.ndarray) if isinstance(data, np.ndarray) else data
