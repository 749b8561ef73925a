"""Further edits, besides those of `warpsmith.scoring.mutants`: errors that compilers make in the forward pass."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, zip_longest

from warpsmith.scoring.mutants.cuda_edits import LineEdit
from warpsmith.scoring.mutants.edits import Edit
from warpsmith.scoring.mutants.text import GOTO, IF, LABEL, NAME, Function, Statement, functions

SWAPPED = "swapped statements"
"""The kind of edits that exchange a line and the next one; the new text of the line contains both."""

_STRUCT = re.compile(r"^struct \w+\n\{\n((?:    [^\n]+;\n)+)", re.MULTILINE)
_MEMBER = re.compile(r"(->|\.)(\w+)\b(?!\()")
_NARROW = {"float": "float16", "float32": "float16", "float64": "float32", "int": "int8", "int32": "int8", "int64": "int32",
           "uint32": "uint16", "uint64": "uint32"}  # fmt: skip
_CAST = re.compile(r"wp::(\w+)")
_CONDITION = re.compile(r"if \((!?)(var_\w+)\) \{")
_LOOP_JUMP = re.compile(r"goto (start|end)_((?:for|while)_\d+);")
_FLOAT = re.compile(r"-?[\d.]+(e-?\d+)?")
_SIZE = re.compile(r"(?:vec_t<|mat_t<\d, ?)(\d)|quat_t")
_SQUARE = re.compile(r"wp::mat_t<(\d), ?\1,")
_ADDRESSED = ("wp::address", "wp::array_store", "wp::load")
"""Calls with array indices, which the kind ``index`` of `scoring.mutants` replaces."""

_INVERSE = {"wp::quat_rotate": "wp::quat_rotate_inv", "wp::quat_rotate_inv": "wp::quat_rotate"}

COMPARISON = re.compile(r" (<|>|<=|>=|==|!=) ")
"""A comparison in a statement."""


def store_or_atomic(statement: Statement, _: Function) -> Iterator[str]:
    """Add a value where it is stored, or store it where it is combined."""
    call = statement.call
    if call and call[0] is None and call[1] == "wp::array_store":
        yield f"wp::atomic_add({', '.join(call[2])});"
    elif call and re.fullmatch(r"wp::atomic_(add|sub|min|max)", call[1]):
        yield f"wp::array_store({', '.join(call[2])});"


def stride(statement: Statement, _: Function) -> Iterator[str]:
    """Exchange two neighbouring indices of a store."""
    call = statement.call
    if call and re.fullmatch(r"wp::(array_store|atomic_\w+)", call[1]) and len(call[2]) >= 4:
        array, first, second, *rest = call[2]
        if first != second:
            result = f"{call[0]} = " if call[0] else ""
            yield f"{result}{call[1]}({', '.join((array, second, first, *rest))});"


def accumulation(statement: Statement, function: Function) -> Iterator[str]:
    """Forget the sum so far: the summand replaces a sum that is assigned to one of its operands."""
    call = statement.call
    if call and call[0] and call[1] in ("wp::add", "wp::sub", "wp::mul") and len(call[2]) == 2:
        following = (one for one in function.statements if one.line > statement.line and one.call)
        update = next((one.call for one in following if one.call and one.call[2][-1:] == (call[0],)), None)
        if update and update[1] == "wp::assign" and update[2][0] in call[2]:
            other = call[2][1] if update[2][0] == call[2][0] else call[2][0]
            if function.types.get(other) == function.types.get(call[0]):
                yield f"{call[0]} = wp::copy({other});"


def cast_width(statement: Statement, _: Function) -> Iterator[str]:
    """Convert to a narrower type on the way."""
    call = statement.call
    match = _CAST.fullmatch(call[1]) if call else None
    if call and match and match[1] in _NARROW and len(call[2]) == 1:
        yield f"{call[0]} = {call[1]}(wp::{_NARROW[match[1]]}({call[2][0]}));"


def swapped_arguments(statement: Statement, function: Function) -> Iterator[str]:
    """Exchange two arguments of one type that are not adjacent; `scoring.mutants` exchanges adjacent ones."""
    call = statement.call
    for first, second in combinations(range(len(call[2])), 2) if call and call[0] else ():
        if second > first + 1 and call and _of_one_type(function, call[2][first], call[2][second]):
            arguments = list(call[2])
            arguments[first], arguments[second] = arguments[second], arguments[first]
            yield called(statement, arguments)


def other_variable(statement: Statement, function: Function) -> Iterator[str]:
    """Replace an operand, or the condition of a branch, by the last variable of its type that has a value before."""
    if match := _CONDITION.fullmatch(statement.code):
        other = _variable_before(statement, function, match[2], ())
        yield from () if other is None else (f"if ({match[1]}{other}) {{",)
    call = statement.call
    if call is None or call[1].startswith(("wp::adj_", "adj_", "builtin_tid")) or call[1] in _ADDRESSED:
        return
    for position, name in enumerate(call[2]):
        if (other := _variable_before(statement, function, name, call[2])) is not None:
            yield called(statement, [*call[2][:position], other, *call[2][position + 1 :]])


def _variable_before(statement: Statement, function: Function, name: str, used: tuple[str, ...]) -> str | None:
    """Return a variable of the same type whose value is computed before a statement, which does not use it."""
    kind = function.types.get(name)
    before = [one for one in function.statements if one.line < statement.line and one.declared is None]
    computed = [(one.call or one.assigned or (None,))[0] for one in before if not one.adjoint]
    names = [*(one for one in function.parameters if one.startswith("var_")), *filter(None, computed)]
    taken = {name, *used, *NAME.findall(statement.code)}
    alike = [one for one in names if function.types.get(one) == kind is not None and one not in taken]
    return alike[-1] if alike and name.startswith("var_") and not re.search(r"\*|array_t|range_t", kind or "*") else None


def negated_condition(statement: Statement, function: Function) -> Iterator[str]:
    """Negate the result of a comparison, so that both branches change places."""
    assigned = statement.assigned
    if assigned and assigned[1] == "=" and function.types.get(assigned[0]) == "bool" and COMPARISON.search(statement.code):
        yield f"{assigned[0]} = !({assigned[2]});"


def dropped_condition(statement: Statement, _: Function) -> Iterator[str]:
    """Omit one operand of a logical operator."""
    assigned = statement.assigned
    sides = re.split(r" (?:&&|\|\|) ", assigned[2]) if assigned else ()
    for side in sides if len(sides) == 2 and assigned else ():
        surplus = side.count("(") - side.count(")")
        yield f"{assigned[0]} = {side[max(surplus, 0) : len(side) + min(surplus, 0)]};"


def dropped_jump(statement: Statement, function: Function) -> Iterator[None]:
    """Remove a return, or a jump out of a branch in a loop, and go on instead."""
    following = next((one.code for one in function.statements if one.line > statement.line), "")
    if following == "}" and (statement.code in ("continue;", "return;") or _LOOP_JUMP.fullmatch(statement.code)):
        yield None


def other_jump(statement: Statement, function: Function) -> Iterator[str]:
    """Leave a loop instead of continuing it, or continue instead of leaving it."""
    following = next((one.code for one in function.statements if one.line > statement.line), "")
    if following == "}" and (match := _LOOP_JUMP.fullmatch(statement.code)):
        yield f"goto {'end' if match[1] == 'start' else 'start'}_{match[2]};"


def one_sided_clamp(statement: Statement, _: Function) -> Iterator[str]:
    """Apply one bound of a clamp only."""
    call = statement.call
    if call and call[0] and call[1] == "wp::clamp":
        x, low, high = call[2]
        yield f"{call[0]} = wp::min({x}, {high});"
        yield f"{call[0]} = wp::max({x}, {low});"


def near_constant(statement: Statement, _: Function) -> Iterator[str]:
    """Increase or decrease the third digit of a constant, or change the constant by two hundredths."""
    declared = statement.declared
    if declared and statement.code.startswith("const ") and "float" in declared[0] and _FLOAT.fullmatch(declared[2] or ""):
        number = float(declared[2] or 0.0)
        digit = 10.0 ** (math.floor(math.log10(abs(number))) - 2) if number else 0.0
        for other in (number + digit, number - digit, 1.02 * number, 0.98 * number) if number else ():
            yield f"const {declared[0]} {declared[1]} = {float(f'{other:.9g}')!r};"


def half_rounding(statement: Statement, function: Function) -> Iterator[str]:
    """Round a computed number to half precision."""
    call = statement.call
    if call and call[0] and function.types.get(call[0]) == "wp::float32" and call[1].startswith("wp::"):
        expression = statement.code.removeprefix(f"{call[0]} = ").removesuffix(";")
        yield f"{call[0]} = wp::float32(wp::float16({expression}));"


def wrong_component(statement: Statement, function: Function) -> Iterator[str]:
    """Read another component of a matrix, by its last index; `scoring.mutants` changes the first index."""
    call = statement.call
    if call and call[1] == "wp::extract" and len(call[2]) == 3:
        yield from component(statement, function, 2)


def component(statement: Statement, function: Function, position: int) -> Iterator[str]:
    """Replace a constant component by the next one."""
    arguments = statement.call[2] if statement.call else ()
    size = _SIZE.search(function.types.get(arguments[0], ""))
    index = function.constants.get(arguments[position], "variable").split()[-1]
    if size and index.isdigit():
        other = (int(index) + 1) % int(size[1] or 4)
        yield called(statement, [*arguments[:position], str(other), *arguments[position + 1 :]])


def transposition(statement: Statement, function: Function) -> Iterator[str]:
    """Omit a transposition, transpose an operand of a product, exchange two indices of a matrix, or invert a rotation."""
    call = statement.call
    if call is None or call[0] is None:
        return
    if call[1] == "wp::transpose" and function.types.get(call[0]) == function.types.get(call[2][0]):
        yield f"{call[0]} = wp::copy({call[2][0]});"
    if call[1] == "wp::mul" and _SQUARE.match(function.types.get(call[2][0], "")):
        yield f"{call[0]} = wp::mul(wp::transpose({call[2][0]}), {call[2][1]});"
    if call[1] == "wp::extract" and len(call[2]) == 3 and call[2][1] != call[2][2]:
        yield called(statement, [call[2][0], call[2][2], call[2][1]])
    if call[1] in _INVERSE:
        yield statement.code.replace(f"{call[1]}(", f"{_INVERSE[call[1]]}(", 1)


def called(statement: Statement, arguments: Sequence[str]) -> str:
    """Return a call with other arguments."""
    return f"{statement.code[: statement.code.index('(')]}({', '.join(arguments)});"


def _of_one_type(function: Function, first: str, second: str) -> bool:
    return first != second and first.startswith("var_") and function.types.get(first) == function.types.get(second) is not None


EDITS: dict[str, Edit] = {
    "store or atomic": store_or_atomic,
    "wrong stride": stride,
    "dropped accumulation": accumulation,
    "cast width": cast_width,
    "swapped arguments": swapped_arguments,
    "other variable": other_variable,
    "negated condition": negated_condition,
    "dropped condition": dropped_condition,
    "dropped jump": dropped_jump,
    "other jump": other_jump,
    "one-sided clamp": one_sided_clamp,
    "near constant": near_constant,
    "half rounding": half_rounding,
    "wrong component": wrong_component,
    "transposition": transposition,
}
"""Edits of one statement by kind; edits of the kinds `SWAPPED` and ``wrong member`` need the text around it."""

KINDS = (*EDITS, "wrong member", SWAPPED)


def edits_of(text: str) -> Iterator[LineEdit]:
    """Yield the edits of the statements of a text that compute values."""
    members = _members(text)
    for function in functions(text):
        for statement, following in successive(function):
            if statement.adjoint:
                continue
            for kind, edit in EDITS.items():
                for after in edit(statement, function):
                    yield LineEdit(kind, kind, statement.line, statement.code, after)
            for after in _wrong_members(statement, members):
                yield LineEdit("wrong member", "wrong member", statement.line, statement.code, after)
            if following is not None and _depends(statement, following):
                yield LineEdit(SWAPPED, SWAPPED, statement.line, statement.code, f"{following.code}\n{statement.code}")


def successive(function: Function) -> Iterator[tuple[Statement, Statement | None]]:
    """Yield each statement of a function with the next one."""
    yield from zip_longest(function.statements, function.statements[1:])


def _members(text: str) -> dict[str, list[str]]:
    """Return the other members of the same type by member, for all structs."""
    found: dict[str, list[str]] = {}
    for block in _STRUCT.findall(text):
        declared = [line.strip().rstrip(";").rpartition(" ") for line in block.splitlines()]
        for kind, _, name in declared:
            found.setdefault(name, []).extend(other for same, _, other in declared if same == kind and other != name)
    return found


def _wrong_members(statement: Statement, members: dict[str, list[str]]) -> Iterator[str]:
    for match in _MEMBER.finditer(statement.code):
        for other in members.get(match[2], ())[:1]:
            yield f"{statement.code[: match.start(2)]}{other}{statement.code[match.end(2) :]}"


def _depends(first: Statement, second: Statement) -> bool:
    """Return whether two statements stand in successive lines, and the second reads what the first writes."""
    if second.line != first.line + 1 or first.declared or any(one.match(second.code) for one in (IF, GOTO, LABEL)):
        return False
    written = (first.call or (None,))[0] or (first.assigned or (None,))[0]
    return bool(second.call) and written is not None and written in NAME.findall(second.code.partition("=")[2] or second.code)
