"""Bounds on the values of variables for every input that a launch allows: interval arithmetic over the text.

The interval of a variable covers every value that is assigned to it anywhere, so that the order of statements does not matter.
The results of functions in no table, the arguments of helpers, and the elements of arrays that the text writes to have no
bounds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping

from mutants.effects import Helpers, effect
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.scoring.mutants.text import FOR_EXIT, NAME, WHILE_EXIT, Function, Statement

Interval = tuple[float, float]

ANYTHING: Interval = (-math.inf, math.inf)
ROUNDING = 1.0e-4
"""The relative error by which every result is widened: float32 rounds, and powers and exponentials have larger errors."""

ROUNDS = 12

_COMPARISON = re.compile(r"\((!?\w+) (<=|>=|==|!=|<|>) (\w+)\)")
_NUMBER = re.compile(r"^\(?-?\d+(?:\.\d+)?(?:e[-+]?\d+)?f?\)?$")


def intervals(
    function: Function, helpers: Helpers, launch: Launch | None, known: Mapping[str, Interval] | None = None
) -> dict[str, Interval]:
    """Return the interval of every variable by name, except of variables without a value.

    Args:
        function: the function.
        helpers: see `effects.effect`.
        launch: the inputs of a kernel.
        known: intervals of parameters from another source.
    """
    found = _parameters(function, launch) | dict(known or {})
    held = held_by(function, launch)
    statements = [one for one in function.statements if not one.adjoint]
    for number in range(ROUNDS):
        before = dict(found)
        for one in statements:
            for target, value in assigned(one, function, helpers, found, held):
                old = found.get(target)
                found[target] = value if old is None else _hull(old, value)
        if found == before:
            return found
        if number == ROUNDS - 2:  # a loop that accumulates without a bound
            found |= {name: ANYTHING for name, interval in found.items() if interval != before.get(name)}
    return dict.fromkeys(found, ANYTHING)


def arguments(function: Function, callers: Iterable[tuple[Function, Mapping[str, Interval]]]) -> dict[str, Interval]:
    """Return the intervals of the arguments of a helper, from the intervals of the functions that call it."""
    found: dict[str, Interval] = {}
    for caller, known in callers:
        for one in caller.statements:
            call = one.call
            if call and call[1] == function.name and len(call[2]) == len(function.parameters):
                for name, argument in zip(function.parameters, call[2], strict=True):
                    value = _of(argument, known)
                    found[name] = _hull(found[name], value) if name in found else value
    return found


def truth(condition: str, found: Mapping[str, Interval]) -> bool | None:
    """Return whether a condition holds for every input or for none; None if neither is certain."""
    code = condition.strip()
    if code == "false":
        return False
    if code.startswith("!"):
        inner = truth(code[1:], found)
        return None if inner is None else not inner
    if code in found or code.strip("()") in found:
        low, high = found.get(code, found.get(code.strip("()"), ANYTHING))
        return False if low == high == 0.0 else True if low == high == 1.0 else None
    if code.startswith("(") and code.endswith(")") and (match := _COMPARISON.fullmatch(code)):
        return _compared(match[2], _of(match[1], found), _of(match[3], found))
    return None


def never(condition: str, function: Function) -> bool:
    """Return whether a comparison always fails by the definitions of its sides: ``a > b`` after ``a = min(x, b)``.

    The result is only True in functions without loops, whose statements run in the order of the text.
    """
    match = _COMPARISON.fullmatch(condition.strip())
    if (
        match is None
        or match[2] not in ("<", ">")
        or any(FOR_EXIT.match(one.code) or WHILE_EXIT.match(one.code) for one in function.statements)
    ):
        return False
    small, large = (match[1], match[3]) if match[2] == "<" else (match[3], match[1])
    return _bounded(large, small, "min", function) or _bounded(small, large, "max", function)


def _bounded(name: str, bound: str, by: str, function: Function) -> bool:
    """Return whether the only value of ``name`` is the minimum, or maximum, of ``bound`` and another value."""
    forward = [one for one in function.statements if not one.adjoint]
    definitions = [one for one in forward if _target(one) == name]
    calls = [one.call for one in definitions]
    once = len(calls) == 1 and sum(_target(one) == bound for one in forward) <= 1
    return once and calls[0] is not None and calls[0][1] == f"wp::{by}" and bound in calls[0][2]


def _target(one: Statement) -> str | None:
    """Return the variable that a statement assigns, if it is no declaration."""
    if one.declared:
        return None
    if (call := one.call) and call[1] == "wp::assign":
        return call[2][0]
    return call[0] if call else one.assigned[0] if one.assigned else None


def _of(text: str, found: Mapping[str, Interval]) -> Interval:
    if _NUMBER.match(text):
        value = float(text.strip("()f"))
        return value, value
    return found.get(text, ANYTHING)


def _compared(operator: str, a: Interval, b: Interval) -> bool | None:
    if operator in ("<", "<="):
        return True if a[1] < b[0] else False if a[0] > b[1] else None
    if operator in (">", ">="):
        return _compared("<", b, a)
    apart = a[1] < b[0] or b[1] < a[0]
    return (operator == "!=") if apart else None


def assigned(
    one: Statement, function: Function, helpers: Helpers, found: Mapping[str, Interval], held: Mapping[str, Interval]
) -> list[tuple[str, Interval]]:
    """Return the variables that a statement assigns, each with the interval of its value."""
    if declared := one.declared:
        _, name, text = declared
        if text is None or name.startswith("adj_"):
            return []
        return [(name, (0.0, 0.0) if text == "{}" else _literal(text))]
    if one.code.endswith(" = {};"):
        return [(one.code.removesuffix(" = {};"), (0.0, 0.0))]
    if (call := one.call) and call[0]:
        return [(call[0], result(call[1], call[2], found, held, function))]
    if call and call[1] == "wp::assign":
        return [(call[2][0], _of(call[2][1], found))]
    if (assignment := one.assigned) and assignment[1] == "=":
        target, _, value = assignment
        known = False if never(value, function) else truth(value, found)
        if function.types.get(target) == "bool":
            return [(target, (0.0, 1.0) if known is None else (float(known), float(known)))]
        return [(target, _of(value, found))]
    if NAME.search(one.code) and not one.code.startswith(("if ", "goto ", "return")):
        return [(name, ANYTHING) for name, _, _ in effect(one, function, helpers).writes]
    return []


def _literal(text: str) -> Interval:
    if text in ("true", "false"):
        return float(text == "true"), float(text == "true")
    return _of(text, {})


def result(
    name: str, arguments: tuple[str, ...], found: Mapping[str, Interval], held: Mapping[str, Interval], function: Function
) -> Interval:
    """Return the interval of the result of a function."""
    key = name.removeprefix("wp::").split("<")[0]
    if key in ("load", "copy", "address") and arguments[0] in held:
        return held[arguments[0]]
    operands = [_of(argument, found) for argument in arguments]
    if key == "mul" and arguments[0] == arguments[1] and not function.types.get(arguments[0], "").startswith("wp::mat"):
        largest = max(abs(operands[0][0]), abs(operands[0][1]))
        return _wide((0.0, largest * largest))  # infinite where a power would be an error
    row = _ROWS.get(key)
    if row is None or (key in _SCALAR_ONLY and any(_shaped(function.types.get(argument, "")) for argument in arguments)):
        return ANYTHING
    try:
        return _wide(row(*operands))
    except (ValueError, OverflowError, ZeroDivisionError, TypeError):
        return ANYTHING


def _shaped(kind: str) -> bool:
    return kind.startswith(("wp::vec_t", "wp::mat_t"))


def _wide(interval: Interval) -> Interval:
    low, high = interval
    if math.isnan(low) or math.isnan(high):
        return ANYTHING
    if low == high and low == int(low):
        return interval  # integers are exact
    return low - ROUNDING * abs(low), high + ROUNDING * abs(high)


def _product(a: Interval, b: Interval) -> Interval:
    corners = [0.0 if 0.0 in (x, y) else x * y for x in a for y in b]
    return min(corners), max(corners)


def _quotient(a: Interval, b: Interval) -> Interval:
    if b[0] <= 0.0 <= b[1]:
        return ANYTHING
    return _product(a, (1.0 / b[1], 1.0 / b[0]))


def _rising(function: Callable[[float], float]) -> Callable[[Interval], Interval]:
    return lambda a: (function(a[0]), function(a[1]))


def _exp(x: float) -> float:
    return 0.0 if x < -700.0 else math.inf if x > 88.0 else math.exp(x)


def _size(a: Interval) -> Interval:
    low = 0.0 if a[0] <= 0.0 <= a[1] else min(abs(a[0]), abs(a[1]))
    return low, max(abs(a[0]), abs(a[1]))


def _hull(*intervals: Interval) -> Interval:
    return min(low for low, _ in intervals), max(high for _, high in intervals)


_ROWS: dict[str, Callable[..., Interval]] = {
    "add": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "sub": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "mul": _product,
    "div": _quotient,
    "neg": lambda a: (-a[1], -a[0]),
    "abs": _size,
    "min": lambda a, b: (min(a[0], b[0]), min(a[1], b[1])),
    "max": lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
    "clamp": lambda x, low, high: (min(max(x[0], low[0]), high[0]), min(max(x[1], low[1]), high[1])),
    "where": lambda _, a, b: _hull(a, b),
    "exp": _rising(_exp),
    "sqrt": _rising(math.sqrt),
    "log": _rising(math.log),
    "tanh": _rising(math.tanh),
    "atan": _rising(math.atan),
    "floor": _rising(math.floor),
    "ceil": _rising(math.ceil),
    "sin": lambda _: (-1.0, 1.0),
    "cos": lambda _: (-1.0, 1.0),
    "float": lambda a: a,
    "int": lambda a: (math.trunc(a[0]), math.trunc(a[1])),
    "copy": lambda a: a,
    "sign": lambda _: (-1.0, 1.0),
    "vec_t": _hull,
    "mat_t": _hull,
    "extract": lambda a, *_: a,
    "get_diag": lambda a: a,
    "transpose": lambda a: a,
    "normalize": lambda _: (-1.0, 1.0),
}
"""Intervals of results; a vector or matrix has one interval for all components."""

_SCALAR_ONLY = frozenset(("mul", "div", "where", "sign"))


def _parameters(function: Function, launch: Launch | None) -> dict[str, Interval]:
    """Return the intervals of parameters: plain arguments have their domain, and counts may be one less."""
    found = dict.fromkeys(function.parameters, ANYTHING)
    for argument in launch.args if launch and "kernel" in function.name else ():
        if argument.kind == "value" and argument.domain is not None:
            low, high = _bounds(argument.domain)
            found[f"var_{argument.name}"] = (low - (argument.domain.kind == "fill"), high)
    return found


def held_by(function: Function, launch: Launch | None) -> dict[str, Interval]:
    """Return the interval of the value at each address: elements of arrays that are inputs."""
    if launch is None or "kernel" not in function.name:
        return {}
    inputs = {f"var_{one.name}": one for one in launch.args if one.kind == "array" and one.role == "input" and one.domain}
    held: dict[str, Interval] = {}
    for one in function.statements:
        call = one.call
        if call and call[0] and call[1] == "wp::address" and call[2][0] in inputs:
            held[call[0]] = _element(inputs[call[2][0]])
    return held


def _element(argument: Argument) -> Interval:
    return _wide(_bounds(argument.domain)) if argument.domain else ANYTHING


def _bounds(domain: Domain) -> Interval:
    if domain.kind == "unit":
        return -1.0, 1.0
    if domain.kind == "near_identity":
        return min(domain.low, domain.low + 1.0), max(domain.high, domain.high + 1.0)
    return float(domain.low), float(domain.high)
