"""The edits: for each kind, what a line may be turned into.

An edit gives the new lines of one statement, without indentation; None stands for no line at all. As a rule all compile: what a
compiler refuses says nothing about the rest of the ladder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from mutants.text import IF, WHILE_EXIT, Function, Statement

Edit = Callable[[Statement, Function], Iterator["str | None"]]

_SWAPPED = (
    ("add", "sub"), ("sub", "add"), ("mul", "add"), ("div", "mul"), ("min", "max"), ("max", "min"), ("sin", "cos"),
    ("cos", "sin"), ("exp", "tanh"), ("tanh", "exp"), ("sqrt", "abs"), ("abs", "neg"), ("neg", "abs"), ("cw_mul", "cw_div"),
    ("length", "length_sq"), ("length_sq", "length"), ("atomic_add", "atomic_sub"), ("atomic_sub", "atomic_add"),
    ("atomic_min", "atomic_max"), ("atomic_max", "atomic_min"),
)  # fmt: skip
_OF_ONE_TYPE = "mul"
"""The function of the table whose operands have to be of one type for the other function to take them."""

_COMPARED = re.compile(r" (<=|>=|<|>|==|!=|&&|\|\|) ")
_OTHERWISE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&"}
_ADJOINTS = {"add": "sub", "sub": "add", "min": "max", "max": "min", "sin": "cos", "cos": "sin"}
_LENGTH = re.compile(r"vec_t<(\d)|mat_t<(\d)|(shape_t)")


def operator(statement: Statement, function: Function) -> Iterator[str]:
    """Another function or comparison of the same shape."""
    code = statement.code
    if call := statement.call:
        alike = len({function.types.get(one) for one in call[2]}) == 1
        for name, other in _SWAPPED:
            if call[1] == f"wp::{name}" and (alike or name != _OF_ONE_TYPE):
                yield code.replace(f"wp::{name}(", f"wp::{other}(", 1)
    elif statement.assigned:
        for match in _COMPARED.finditer(code):
            yield f"{code[: match.start(1)]}{_OTHERWISE[match[1]]}{code[match.end(1) :]}"


def index(statement: Statement, function: Function) -> Iterator[str]:
    """Another whole number as an index, another component."""
    call = statement.call
    if call is None or call[1].startswith("wp::adj_"):
        return
    name, arguments = call[1].removeprefix("wp::"), call[2]
    if name == "extract":
        length = _LENGTH.search(function.types.get(arguments[0], ""))
        value = function.constants.get(arguments[1], " ").split()[-1:]
        if length and value and value[0].isdigit():
            yield _with(statement, arguments, 1, str((int(value[0]) + 1) % int(length[1] or length[2] or 4)))
    stored = name == "array_store" or name.startswith("atomic_")
    if name != "address" and not stored:
        return
    for position in range(1, len(arguments) - stored):
        for other in _whole_numbers_before(statement, function):
            if other != arguments[position]:
                yield _with(statement, arguments, position, other)


def _whole_numbers_before(statement: Statement, function: Function) -> list[str]:
    """Names of type int32 that have a value where the statement stands: the nearest ones, and the plain arguments."""
    names = [one for one in function.parameters if one.startswith("var_") and function.types[one] == "wp::int32"]
    for one in function.statements:
        if one.line >= statement.line:
            break
        found = (one.call or (None,))[0] or (one.assigned or (None,))[0]
        tids = one.call[2] if one.call and one.call[1].startswith("builtin_tid") else ()
        names += [name for name in (found, *tids) if name and function.types.get(name) == "wp::int32"]
    names += [name for name, value in function.constants.items() if value.startswith("wp::int32 ")]
    return list(dict.fromkeys(names))[:4]


def constant(statement: Statement, _: Function) -> Iterator[str]:
    """A tenth more, one more, or the other truth."""
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
    """The other way, or never into the branch."""
    if match := IF.match(statement.code):
        yield f"if (!({match[1]})) {{"
        yield f"if (false && ({match[1]})) {{"
    elif match := WHILE_EXIT.match(statement.code):
        yield statement.code.replace("== false", "== true")


def loop_bound(statement: Statement, _: Function) -> Iterator[str]:
    """One turn more or less, at either end."""
    call = statement.call
    if call is None or call[1] != "wp::range":
        return
    last = min(len(call[2]) - 1, 1)
    yield _with(statement, call[2], last, f"{call[2][last]} - 1")
    yield _with(statement, call[2], last, f"{call[2][last]} + 1")
    if last:
        yield _with(statement, call[2], 0, f"{call[2][0]} + 1")


def argument_order(statement: Statement, function: Function) -> Iterator[str]:
    """Two neighbours of one type in each other's place."""
    call = statement.call
    if call and call[0] and not call[1].startswith("wp::adj_"):
        yield from _exchanged(statement, function, "var_")


def dropped(statement: Statement, function: Function) -> Iterator[str | None]:
    """No such statement; of a value, zero."""
    call = statement.call
    if call and not statement.adjoint and (call[0] is None or "atomic_" in call[1]) and call[1].startswith("wp::"):
        yield None
    elif call and call[0] and not re.search(r"\*|range_t|shape_t", function.types.get(call[0], "*")):
        yield f"{call[0]} = {{}};"


def dropped_adjoint(statement: Statement, _: Function) -> Iterator[None]:
    """No such contribution."""
    if statement.adjoint and not statement.code.endswith("= {};") and ".shape" not in statement.code:
        yield None


def swapped_adjoint(statement: Statement, function: Function) -> Iterator[str]:
    """An adjoint's operands, or its adjoints, in each other's place."""
    if statement.adjoint and statement.call:
        yield from _exchanged(statement, function, "adj_")
        yield from _exchanged(statement, function, "var_")


def other_adjoint(statement: Statement, _: Function) -> Iterator[str]:
    """The adjoint of another function."""
    for name, other in _ADJOINTS.items():
        if statement.code.startswith(f"wp::adj_{name}("):
            yield statement.code.replace(f"adj_{name}", f"adj_{other}", 1)


def dropped_reset(statement: Statement, _: Function) -> Iterator[None]:
    """An adjoint keeps what the turn of the loop before left."""
    if statement.adjoint and statement.code.endswith("= {};"):
        yield None


def _exchanged(statement: Statement, function: Function, prefix: str) -> Iterator[str]:
    _, _, arguments = statement.call or (None, "", ())
    for place, (first, second) in enumerate(pairwise(arguments)):
        alike = function.types.get(first) == function.types.get(second) is not None
        if first != second and alike and first.startswith(prefix) and second.startswith(prefix):
            yield _joined(statement, [*arguments[:place], second, first, *arguments[place + 2 :]])


def _with(statement: Statement, arguments: Sequence[str], position: int, new: str) -> str:
    return _joined(statement, [new if place == position else one for place, one in enumerate(arguments)])


def _joined(statement: Statement, arguments: Sequence[str]) -> str:
    return f"{statement.code[: statement.code.index('(')]}({', '.join(arguments)});"
