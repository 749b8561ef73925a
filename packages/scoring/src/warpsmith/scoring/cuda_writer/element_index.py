"""The index of a thread's own element in arrays with the dimensions of the launch, which a text computes once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from warpsmith.scoring.cuda_writer.function_scope import Line, Scope

FEWEST_USES = 3
"""The fewest uses for which a text has a variable."""


def shared_index(scope: Scope, names: Sequence[str], bounds: Sequence[str], *, is_constant: bool) -> None:
    """Replace the index of the thread's element by a variable where the kernel uses it often.

    Args:
        scope: the kernel; its lines so far begin with the index of the thread.
        names: the coordinates of the thread.
        bounds: the number of elements in each dimension.
        is_constant: whether variables are ``const``.
    """
    if len(names) < 2:
        return
    index = names[0]
    for number, (name, bound) in enumerate(zip(names[1:], bounds[1:], strict=True)):
        index = f"{f'({index})' if number else index} * {bound} + {name}"
    pattern = re.compile(rf"(?<=\[){re.escape(index)}(?=\])|(?<=, ){re.escape(index)}(?=[,)])")
    uses = sum(len(pattern.findall(line.text)) for line in scope.lines)
    if not uses or (uses < FEWEST_USES and not scope.flat_index):
        return
    place = next(number for number, line in enumerate(scope.lines) if pattern.search(line.text))
    variable = scope.flat_index or scope.new_name("idx")
    for line in scope.lines:
        line.text = pattern.sub(variable, line.text)
    if not scope.flat_index:
        start = _after_guard(scope.lines[:place])
        declaration = f"{'const ' if is_constant else ''}int {variable} = {index};"
        scope.lines.insert(start, Line(scope.lines[start - 1].depth if start else 1, declaration))


def _after_guard(lines: Sequence[Line]) -> int:
    """Return the number of the line behind the index of the thread and the check of bounds."""
    empty = [number for number, line in enumerate(lines) if not line.text and line.declares is None]
    return empty[0] if empty else len(lines)
