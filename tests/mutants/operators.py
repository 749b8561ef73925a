"""Further edits of the forward pass, besides those of `warpsmith.scoring.mutants`: errors that compilers make."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warpsmith.scoring.mutants.cuda import LineEdit
from warpsmith.scoring.mutants.edits import Edit
from warpsmith.scoring.mutants.text import GOTO, IF, LABEL, NAME, Function, Statement, functions

SWAPPED = "swapped statements"
"""The kind of edits that exchange a line and the next one; the new text of the line contains both."""

_STRUCT = re.compile(r"^struct \w+\n\{\n((?:    [^\n]+;\n)+)", re.MULTILINE)
_MEMBER = re.compile(r"(->|\.)(\w+)\b(?!\()")
_NARROW = {"float": "float16", "float32": "float16", "float64": "float32", "int": "int8", "int32": "int8", "int64": "int32",
           "uint32": "uint16", "uint64": "uint32"}  # fmt: skip
_CAST = re.compile(r"wp::(\w+)")


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


EDITS: dict[str, Edit] = {
    "store or atomic": store_or_atomic,
    "wrong stride": stride,
    "dropped accumulation": accumulation,
    "cast width": cast_width,
}
"""Edits of one statement by kind; edits of the kinds `SWAPPED` and ``wrong member`` need the text around it."""

KINDS = (*EDITS, "wrong member", SWAPPED)


def edits_of(text: str) -> Iterator[LineEdit]:
    """Yield the edits of a text."""
    members = _members(text)
    for function in functions(text):
        for statement, following in zip(function.statements, (*function.statements[1:], None), strict=True):
            for kind, edit in EDITS.items():
                for after in edit(statement, function):
                    yield LineEdit(kind, kind, statement.line, statement.code, after)
            for after in _wrong_members(statement, members):
                yield LineEdit("wrong member", "wrong member", statement.line, statement.code, after)
            if following is not None and _depends(statement, following):
                yield LineEdit(SWAPPED, SWAPPED, statement.line, statement.code, f"{following.code}\n{statement.code}")


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
