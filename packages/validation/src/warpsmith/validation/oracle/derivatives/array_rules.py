"""Rules of builtins that take arrays of the launch."""

from __future__ import annotations

from warpsmith.validation.oracle.builtins.builtin_table import ROWS
from warpsmith.validation.oracle.derivatives.rule_forms import Rule, constant, linear
from warpsmith.validation.oracle.derivatives.scalar_rules import RULES as SCALAR_RULES
from warpsmith.validation.oracle.values.interpretation_errors import Apart, Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Array
from warpsmith.validation.oracle.values.operators import COMPARISONS, Row
from warpsmith.validation.oracle.values.value_types import Value, describe


class _Sum:
    """An operation on elements whose derivative is the same operation on their derivatives."""

    is_sum = True

    def __init__(self, name: str) -> None:
        self.row = ROWS[name]

    def __call__(self, a: Value, b: Value) -> Value:
        """Return the result for two numbers that may move."""
        return linear(self.row, a, b)


def _array(array: Value, rest: tuple[Value, ...], values: int) -> Array:
    if not isinstance(array, Array) or len(rest) != len(array.shape) + values:
        raise Unsupported(f"an atomic operation on {describe(array)} with {len(rest)} more")
    return array


def _atomic_sum(name: str) -> Rule:
    operation = _Sum(name)
    return lambda _, array, *rest: _array(array, rest, 1).update(rest[:-1], operation, rest[-1])


def _atomic(name: str) -> Rule:
    rule, row = SCALAR_RULES[name], ROWS[name]
    return lambda _, array, *rest: _array(array, rest, 1).update(rest[:-1], lambda a, b: rule(row, a, b), rest[-1])


def _exchange(_: Row, array: Value, *rest: Value) -> Value:
    return _array(array, rest, 1).update(rest[:-1], lambda _, new: new, rest[-1])


def _compare_and_swap(_: Row, array: Value, *rest: Value) -> Value:
    target, (expected, new) = _array(array, rest, 2), rest[-2:]
    if target.accesses is not None:
        raise Apart("atomic_cas, whose result depends on other threads")
    old = target.get(rest[:-2])
    if SCALAR_RULES["=="](COMPARISONS["=="], old, expected):
        target.set(rest[:-2], new)
    return old


RULES: dict[str, Rule] = {
    "atomic_add": _atomic_sum("add"),
    "atomic_sub": _atomic_sum("sub"),
    "atomic_min": _atomic("min"),
    "atomic_max": _atomic("max"),
    "atomic_exch": _exchange,
    "atomic_cas": _compare_and_swap,
    "len": constant,
    "lower_bound": constant,
    "sample_cdf": constant,
}
