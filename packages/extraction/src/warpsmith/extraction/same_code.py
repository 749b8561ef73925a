"""Comparison of generated texts as code, which checks that an extracted kernel is still the kernel of its project.

The text of a kernel quotes its source lines and numbers its helper functions in the order in which the process created them.
Both change when the kernel moves to another file, as do the names of objects defined inside functions. The code must not
change.
"""

from __future__ import annotations

import re

from warpsmith.core.records import text_format


def same_code(left: str | None, right: str | None) -> bool:
    r"""Return whether two texts have the same code; None is equal to None only.

    Examples:
        >>> same_code("// kernel.py:5\nstep_0(var_1);", "// other.py:9\nstep_3(var_1);")
        True
    """
    if left is None or right is None:
        return left is right
    return _normalized(left) == _normalized(right)


def _normalized(text: str) -> str:
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

    return "\n".join(line.rstrip() for line in text_format.NUMBERED_NAME.sub(renumber, text).split("\n") if line.strip())
