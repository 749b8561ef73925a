"""The edits of each kind: functions from a statement to its possible replacements.

An edit yields new lines without indentation; None removes the line. Nearly all of them compile, since code that a compiler
rejects does not test the other levels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from warpsmith.scoring.mutants.text import IF, WHILE_EXIT, Function, Statement

Edit = Callable[[Statement, Function], Iterator["str | None"]]

_SWAPPED = (
    ("add", "sub"), ("sub", "add"), ("mul", "add"), ("div", "mul"), ("min", "max"), ("max", "min"), ("sin", "cos"),
    ("cos", "sin"), ("exp", "tanh"), ("tanh", "exp"), ("sqrt", "abs"), ("abs", "neg"), ("neg", "abs"), ("cw_mul", "cw_div"),
    ("length", "length_sq"), ("length_sq", "length"), ("atomic_add", "atomic_sub"), ("atomic_sub", "atomic_add"),
    ("atomic_min", "atomic_max"), ("atomic_max", "atomic_min"),
)  # fmt: skip
_NEEDS_EQUAL_TYPES = "mul"
"""The function of the table that is only replaced where its operands have one type, as its replacement requires."""

_COMPARISON = re.compile(r" (<=|>=|<|>|==|!=|&&|\|\|) ")
_OTHER_COMPARISON = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&"}
_ADJOINTS = {"add": "sub", "sub": "add", "min": "max", "max": "min", "sin": "cos", "cos": "sin"}
_LENGTH = re.compile(r"vec_t<(\d)|mat_t<(\d)|(shape_t)")


def operator(statement: Statement, function: Function) -> Iterator[str]:
    """Replace a function or a comparison by another one of the same form."""
    code = statement.code
    if call := statement.call:
        alike = len({function.types.get(argument) for argument in call[2]}) == 1
        for name, other in _SWAPPED:
            if call[1] == f"wp::{name}" and (alike or name != _NEEDS_EQUAL_TYPES):
                yield code.replace(f"wp::{name}(", f"wp::{other}(", 1)
    elif statement.assigned:
        for match in _COMPARISON.finditer(code):
            yield f"{code[: match.start(1)]}{_OTHER_COMPARISON[match[1]]}{code[match.end(1) :]}"


def index(statement: Statement, function: Function) -> Iterator[str]:
    """Replace an index by another integer, or a component by another component."""
    call = statement.call
    if call is None or call[1].startswith("wp::adj_"):
        return
    name, arguments = call[1].removeprefix("wp::"), call[2]
    if name == "extract":
        length = _LENGTH.search(function.types.get(arguments[0], ""))
        value = function.constants.get(arguments[1], " ").split()[-1:]
        if length and value and value[0].isdigit():
            yield _replace_argument(statement, arguments, 1, str((int(value[0]) + 1) % int(length[1] or length[2] or 4)))
    stored = name == "array_store" or name.startswith("atomic_")
    if name != "address" and not stored:
        return
    for position in range(1, len(arguments) - stored):
        for other in _integers_before(statement, function):
            if other != arguments[position]:
                yield _replace_argument(statement, arguments, position, other)


def _integers_before(statement: Statement, function: Function) -> list[str]:
    """Return variables of type int32 that have a value before the statement, plain arguments first."""
    names = [name for name in function.parameters if name.startswith("var_") and function.types[name] == "wp::int32"]
    for earlier in function.statements:
        if earlier.line >= statement.line:
            break
        found = (earlier.call or (None,))[0] or (earlier.assigned or (None,))[0]
        tids = earlier.call[2] if earlier.call and earlier.call[1].startswith("builtin_tid") else ()
        names += [name for name in (found, *tids) if name and function.types.get(name) == "wp::int32"]
    names += [name for name, value in function.constants.items() if value.startswith("wp::int32 ")]
    return list(dict.fromkeys(names))[:4]


def constant(statement: Statement, _: Function) -> Iterator[str]:
    """Increase a float by a tenth or an integer by one, or negate a boolean."""
    declared = statement.declared
    if declared is None or not statement.code.startswith("const "):
        return
    kind, _name, value = declared
    if value in ("true", "false"):
        yield statement.code.replace(f"= {value}", "= false" if value == "true" else "= true")
    elif "int" in kind and re.fullmatch(r"-?\d+", value or ""):
        yield statement.code.replace(f"= {value};", f"= {int(value or 0) + 1};")
    elif "float" in kind and re.fullmatch(r"-?[\d.]+(e-?\d+)?", value or ""):
        number = float(value or 0.0)
        yield statement.code.replace(f"= {value};", f"= {round(number * 1.1, 9) if number else 0.1!r};")


def branch(statement: Statement, _: Function) -> Iterator[str]:
    """Negate a condition, or never enter the branch."""
    if match := IF.match(statement.code):
        yield f"if (!({match[1]})) {{"
        yield f"if (false && ({match[1]})) {{"
    elif match := WHILE_EXIT.match(statement.code):
        yield statement.code.replace("== false", "== true")


def loop_bound(statement: Statement, _: Function) -> Iterator[str]:
    """Add or remove one iteration at either end."""
    call = statement.call
    if call is None or call[1] != "wp::range":
        return
    last = min(len(call[2]) - 1, 1)
    yield _replace_argument(statement, call[2], last, f"{call[2][last]} - 1")
    yield _replace_argument(statement, call[2], last, f"{call[2][last]} + 1")
    if last:
        yield _replace_argument(statement, call[2], 0, f"{call[2][0]} + 1")


def argument_order(statement: Statement, function: Function) -> Iterator[str]:
    """Exchange two adjacent arguments of one type."""
    call = statement.call
    if call and call[0] and not call[1].startswith("wp::adj_"):
        yield from _exchange(statement, function, "var_")


def dropped(statement: Statement, function: Function) -> Iterator[str | None]:
    """Remove a statement, or replace the value that it computes by zero."""
    call = statement.call
    if call and not statement.adjoint and (call[0] is None or "atomic_" in call[1]) and call[1].startswith("wp::"):
        yield None
    elif call and call[0] and not re.search(r"\*|range_t|shape_t", function.types.get(call[0], "*")):
        yield f"{call[0]} = {{}};"


def dropped_adjoint(statement: Statement, _: Function) -> Iterator[None]:
    """Remove a contribution to an adjoint."""
    if statement.adjoint and not statement.code.endswith("= {};") and ".shape" not in statement.code:
        yield None


def swapped_adjoint(statement: Statement, function: Function) -> Iterator[str]:
    """Exchange two operands or two adjoints of an adjoint function."""
    if statement.adjoint and statement.call:
        yield from _exchange(statement, function, "adj_")
        yield from _exchange(statement, function, "var_")


def other_adjoint(statement: Statement, _: Function) -> Iterator[str]:
    """Replace an adjoint function by that of another function."""
    for name, other in _ADJOINTS.items():
        if statement.code.startswith(f"wp::adj_{name}("):
            yield statement.code.replace(f"adj_{name}", f"adj_{other}", 1)


def dropped_reset(statement: Statement, _: Function) -> Iterator[None]:
    """Keep the value of an adjoint from the previous iteration."""
    if statement.adjoint and statement.code.endswith("= {};"):
        yield None


def _exchange(statement: Statement, function: Function, prefix: str) -> Iterator[str]:
    _, _, arguments = statement.call or (None, "", ())
    for position, (first, second) in enumerate(pairwise(arguments)):
        alike = function.types.get(first) == function.types.get(second) is not None
        if first != second and alike and first.startswith(prefix) and second.startswith(prefix):
            yield _join(statement, [*arguments[:position], second, first, *arguments[position + 2 :]])


def _replace_argument(statement: Statement, arguments: Sequence[str], replaced: int, new: str) -> str:
    return _join(statement, [new if position == replaced else argument for position, argument in enumerate(arguments)])


def _join(statement: Statement, arguments: Sequence[str]) -> str:
    return f"{statement.code[: statement.code.index('(')]}({', '.join(arguments)});"
