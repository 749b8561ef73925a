"""Variables for indices that a function writes several times, and no variables for coordinates that it never uses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from warpsmith.scoring.cuda_writer.cuda_types import INT
from warpsmith.scoring.cuda_writer.function_scope import Line, Scope

_INDEX = re.compile(r"\[(?:3 \* \()?([\w +*()-]+?)\)?\]|\b(?:load|store)_\w+\(\w+, ((?:[\w +*-]|\([\w +*-]*\))+)[,)]")
"""An index in brackets, or the one that a function takes."""

_NAME = re.compile(r"[A-Za-z_]\w*")
_USED = re.compile(r"(?<!\.)\b[A-Za-z_]\w*")
"""A name that is no member of another one."""

_TERM = re.compile(r"(?<!\* )(?<![\w.])[A-Za-z_]\w*(?![\w(.])")
"""A name in an index that is no factor, such as that of a length."""

_LENGTH = re.compile(r"\b(\w+)_(?:cols|rows|width|dim\d)\b")
"""The length of an axis of an array, with the name of the array."""

LONGEST_NAME = 20
"""The most characters of the terms that name an index."""
_PLAIN_CALL = re.compile(r"(?!atomic|store_|if\b|for\b|while\b|return\b)\w+\(")


@dataclass(frozen=True, slots=True)
class _Statement:
    """The lines of a statement, with the comments above it."""

    start: int
    first: int
    end: int


def share_indices(scope: Scope, coordinates: Sequence[str], *, is_constant: bool) -> None:
    """Give indices that a function writes several times a variable each.

    Args:
        scope: the function.
        coordinates: the coordinates of the thread.
        is_constant: whether variables are ``const``.
    """
    _fold(scope, coordinates)
    _share(scope, 0, len(scope.lines), coordinates, "const " if is_constant else "")
    _without_unused(scope)


def _share(scope: Scope, start: int, end: int, coordinates: Sequence[str], constant: str) -> int:
    """Share the indices of a block; return how many lines are new."""
    added = 0
    while True:
        statements = _statements(scope.lines, start, end + added)
        if not (found := next(_repeated(scope, statements), None)):
            break
        text, statement, stop = found
        name = _variable_name(text, coordinates)
        if name in scope.taken and (length := _LENGTH.search(text)):
            name = f"{length[1]}_idx"
        name = scope.new_name(name)
        for line in scope.lines[statement.start : stop]:
            line.text = _replaced(line.text, text, name)
        depth = scope.lines[statement.first].depth
        scope.lines.insert(statement.start, Line(depth, f"{constant}int {name} = {text};"))
        added += 1
    for statement in reversed(_statements(scope.lines, start, end + added)):
        for first, stop in reversed([*_bodies(scope.lines, statement)]):
            added += _share(scope, first, stop, coordinates, constant)
    return added


def _statements(lines: Sequence[Line], start: int, end: int) -> list[_Statement]:
    """Return the statements of a block that begin in it, not in a block inside of it."""
    depth = min((line.depth for line in lines[start:end] if line.text or line.declares), default=0)
    found: list[_Statement] = []
    comments: int | None = None
    for number in range(start, end):
        line = lines[number]
        is_outer = line.depth == depth and bool(line.text or line.declares) and not line.text.startswith("}")
        if is_outer and line.text.startswith(("//", "#")):
            comments = number if comments is None else comments
        elif is_outer:
            found.append(_Statement(number if comments is None else comments, number, number + 1))
            comments = None
        elif found and (line.text or line.declares):
            found[-1] = _Statement(found[-1].start, found[-1].first, number + 1)
    return found


def _bodies(lines: Sequence[Line], statement: _Statement) -> Iterator[tuple[int, int]]:
    """Yield the blocks of a statement."""
    depth = lines[statement.first].depth
    heads = [number for number in range(statement.first, statement.end) if lines[number].depth == depth and lines[number].text]
    for head, following in zip(heads, [*heads[1:], statement.end], strict=False):
        if lines[head].text.endswith("{") and head + 1 < following:
            yield head + 1, following


def _repeated(scope: Scope, statements: Sequence[_Statement]) -> Iterator[tuple[str, _Statement, int]]:
    """Yield an index that a block uses twice or more, the statement that uses it first, and where the last one ends."""
    lines = scope.lines
    candidates = dict.fromkeys(
        text for each in statements for line in lines[each.first : each.end] for text in _indices(line.text)
    )
    for text in sorted(candidates, key=len, reverse=True):
        names = set(_NAME.findall(text))
        if not all(_is_integer(scope, name) for name in names):
            continue
        using = [each for each in statements if _count(lines[each.first : each.end], text)]
        if sum(_count(lines[each.first : each.end], text) for each in using) < 2:
            continue
        bodies = [(first, stop) for first, stop in _bodies(lines, using[0])]
        if len(using) == 1 and any(
            _count(lines[first:stop], text) == _count(lines[using[0].first : using[0].end], text) for first, stop in bodies
        ):
            continue
        first, last = using[0], using[-1]
        if not any(_changes(line, name) for line in lines[first.first : last.end] for name in names):
            yield text, first, last.end


def _indices(text: str) -> Iterator[str]:
    for match in _INDEX.finditer(text):
        found = match[1] or match[2]
        balanced = found.count("(") == found.count(")")
        if balanced and " * " in found and " + " in found and not re.search(r"\w\(|\)\w|\) *\(", found) and _is_sum(found):
            base, _, last = found.rpartition(" + ")
            if last.isidentifier():
                yield found
            elif last.isdigit() and " + " in base and base.rpartition(" + ")[2].isidentifier():
                yield base


def _is_sum(text: str) -> bool:
    """Return whether a text is one sum: no bracket closes that it does not open."""
    depth = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return " + " in re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", text)) and not text.startswith("-")


def _pattern(text: str) -> re.Pattern[str]:
    end = r"(?=\]| [+-] [\w ]+\])"
    escaped = re.escape(text)
    return re.compile(rf"(?<=\[){escaped}{end}|(?<=\[3 \* )\({escaped}\)(?=\])|(?:(?<=[\w], )(?<![\d], )){escaped}(?=[,)])")


def _matches(line: str, text: str) -> list[tuple[int, int]]:
    found = []
    for match in _pattern(text).finditer(line):
        is_argument = line[match.end()] in ",)" if match.end() < len(line) else False
        if not is_argument or re.search(r"\b(?:load|store)_\w+\(\w+, $", line[: match.start()]):
            found.append(match.span())
    return found


def _count(lines: Sequence[Line], text: str) -> int:
    return sum(len(_matches(line.text, text)) for line in lines)


def _replaced(line: str, text: str, name: str) -> str:
    for start, stop in reversed(_matches(line, text)):
        line = f"{line[:start]}{name}{line[stop:]}"
    return line


def _is_integer(scope: Scope, name: str) -> bool:
    kinds = [variable.kind for variable in scope.variables.values() if variable.name == name]
    return name not in ("int", "float", "double", "unsigned") and all(kind == INT for kind in kinds)


def _changes(line: Line, name: str) -> bool:
    """Return whether a line may declare or assign a variable."""
    if line.declares is not None:
        return line.declares.name == name
    text = line.text
    if name not in text:
        return False
    assigned = rf"(?<![\w.]){name}\s*(?:=(?!=)|[-+*/%&|^]=|<<=|>>=|\+\+|--)|(?:\+\+|--){name}\b|&{name}\b"
    if re.search(assigned, text) or re.match(rf"(?:const )?(?:int|unsigned int) (?:\w+, )*{name}[,;]", text):
        return True
    return bool(_PLAIN_CALL.match(text) and re.search(rf"[(,]\s*{name}\s*[,)]", text))


def _variable_name(text: str, coordinates: Sequence[str]) -> str:
    """Return a name for an index after those of its terms that are no coordinates of the thread."""
    found = _TERM.findall(text)
    terms = [name for name in found if name not in coordinates]
    if not terms and coordinates[-1] in found:
        return "idx"
    terms = terms or found[-1:]
    words = [re.sub(r"(?<=\w)_(?:id|idx|index|x|y|z|col|row)$", "", name) for name in terms]
    joined = "_".join(dict.fromkeys(words))
    return f"{joined if len(joined) <= LONGEST_NAME else words[-1]}_idx"


def _fold(scope: Scope, coordinates: Sequence[str]) -> None:
    """Use the index of the thread where its quotient and its remainder are put together again."""
    lines = scope.lines
    for line in list(lines):
        match = re.fullmatch(r"(?:const )?int (\w+) = (\w+) / (\w+);", line.text)
        if match is None or match[2] not in (*coordinates, scope.flat_index):
            continue
        row, index, width = match.groups()
        remainder = re.compile(rf"(?:const )?int (\w+) = {index} % {width};")
        columns = [found[1] for each in lines if (found := remainder.fullmatch(each.text))]
        if len(columns) != 1:
            continue
        changed = [sum(_changes(each, name) for each in lines) for name in (row, columns[0], index, width)]
        if changed[:3] == [1, 1, 1] and changed[3] == 0:
            for each in lines:
                each.text = _replaced(each.text, f"{row} * {width} + {columns[0]}", index)


def _without_unused(scope: Scope) -> None:
    """Remove coordinates that nothing uses."""
    while True:
        used = [name for line in scope.lines for name in set(_USED.findall(line.text))]
        for line in scope.lines:
            match = re.fullmatch(r"(?:const )?int (\w+) = (\w+ [/%] .*);", line.text)
            if match is not None and used.count(match[1]) == 1 and re.fullmatch(r"[\w /%*()]+", match[2]):
                scope.lines.remove(line)
                break
        else:
            return
