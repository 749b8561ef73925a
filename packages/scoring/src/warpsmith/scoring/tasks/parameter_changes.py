"""Other sizes and seeds of a program: edits of whole numbers in the lines of its host code that a task shows."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from warpsmith.core.records.python_source import parse_python, source_lines
from warpsmith.scoring.tasks.program_gaps import Gap, containers

_SEED = "rng"
"""The parameter of a call that makes a generator of random numbers."""


@dataclass(frozen=True, slots=True)
class _Number:
    """A whole number in the text: its line, from 1, its columns, in bytes, and its value."""

    line: int
    start: int
    end: int
    value: int


def changed_versions(source: str, gap: Gap | None, random: Random) -> list[str]:
    """Return versions of a program with other sizes and seeds; the lines of the gap and all line numbers stay.

    The first version changes all of them. Not every program allows that: later versions change one size, or seeds only.

    Args:
        source: the program.
        gap: the missing statements, in which nothing changes; None for none.
        random: chooses the parameters and the numbers.

    Raises:
        NotPythonError: if the program is not Python.
    """
    groups: dict[str, list[_Number]] = defaultdict(list)
    for name, number in _parameters(parse_python(source)):
        if gap is None or not gap.first <= number.line <= gap.last:
            groups[name].append(number)
    seeds = [name for name in groups if name == _SEED or "seed" in name]
    sizes = [name for name in groups if name not in seeds and all(number.value >= 3 for number in groups[name])]
    random.shuffle(sizes)
    edits = [[*seeds, *sizes], *([*seeds, name] for name in sizes[:2] if len(sizes) > 1), seeds]
    return [_changed(source, [_new(groups[name], name in seeds, random) for name in edit]) for edit in edits if edit]


def _new(numbers: Sequence[_Number], is_seed: bool, random: Random) -> list[tuple[_Number, int]]:
    step = random.randrange(1, 500) if is_seed else random.choice((1, 2, 3))
    return [(number, number.value + step) for number in numbers]


def _changed(source: str, edits: Sequence[Sequence[tuple[_Number, int]]]) -> str:
    lines = [line.encode() for line in source_lines(source)]
    for number, value in sorted((item for edit in edits for item in edit), key=lambda item: -item[0].start):
        line = lines[number.line - 1]
        lines[number.line - 1] = line[: number.start] + str(value).encode() + line[number.end :]
    return b"".join(lines).decode()


def _parameters(tree: ast.Module) -> Iterator[tuple[str, _Number]]:
    """Yield the whole numbers that are values of parameters, with the name that all values of one parameter have."""
    yield from _assigned(tree.body)
    for _, block in containers(tree):
        yield from _assigned(block.body)
        if isinstance(block, ast.FunctionDef):
            defaults = block.args.defaults
            named = zip(block.args.args[len(block.args.args) - len(defaults) :], defaults, strict=True)
            yield from ((_plain(name.arg), number) for name, default in named if (number := _number(default)) is not None)
        for call in (node for node in ast.walk(block) if isinstance(node, ast.Call)):
            yield from _in_call(call)


def _assigned(body: Sequence[ast.stmt]) -> Iterator[tuple[str, _Number]]:
    for statement in body:
        if isinstance(statement, ast.Assign) and (number := _number(statement.value)) is not None:
            target = statement.targets[0]
            name = target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else ""
            yield _plain(name), number


def _in_call(call: ast.Call) -> Iterator[tuple[str, _Number]]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    first = call.args[0] if call.args else None
    if name in ("default_rng", "RandomState", "seed") and first is not None and (number := _number(first)) is not None:
        yield _SEED, number
    elif name == "add_argument" and isinstance(first, ast.Constant) and isinstance(first.value, str):
        for keyword in call.keywords:
            if keyword.arg == "default" and (number := _number(keyword.value)) is not None:
                yield _plain(first.value), number


def _plain(name: str) -> str:
    return name.lstrip("-").replace("-", "_").lower()


def _number(node: ast.expr) -> _Number | None:
    if isinstance(node, ast.Constant) and type(node.value) is int and node.end_lineno == node.lineno:
        return _Number(node.lineno, node.col_offset, node.end_col_offset or 0, node.value)
    return None
