"""Whether two generated texts are the same code: the check that a kernel cut out of its project is still that kernel.

A kernel's text quotes its source lines and numbers its helper functions in the order in which the process met them. Both change
when the kernel moves to a file of its own, and so do the names of what was defined inside a function; the code must not.
"""

from __future__ import annotations

import re

from warpsmith.core.records import text_format


def same_code(left: str | None, right: str | None) -> bool:
    """Compare two texts by their code alone; None is equal to None only."""
    if left is None or right is None:
        return left is right
    return _essence(left) == _essence(right)


def _essence(text: str) -> str:
    text = text_format.LINE_COMMENT.sub("", text)
    for outer in sorted(set(text_format.OUTER_FUNCTION.findall(text)), key=len, reverse=True):
        text = text.replace(outer, "")
    functions = set(text_format.NUMBERED_FUNCTION.findall(text))
    numbers: dict[str, str] = {}

    def renumber(match: re.Match[str]) -> str:
        prefix, name, number = match.groups()
        if f"{name}_{number}" not in functions:
            return match.group()
        return prefix + numbers.setdefault(f"{name}_{number}", f"{name}_#{len(numbers)}")

    return "\n".join(line.rstrip() for line in text_format.NUMBERED_NAME.sub(renumber, text).splitlines() if line.strip())
