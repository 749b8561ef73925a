"""Adjoints of one forward pass: a unit compiles the forward pass once, where that cannot change what an adjoint means.

An adjoint is then in a namespace inside the one of the forward pass. There, names that it declares would hide those of the
forward pass, and its functions would not be found by arguments with types of the forward pass: such adjoints do not share.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from warpsmith.core.records import text_format
from warpsmith.validation.compiling.part import UnitPart

_BODY = re.compile(r"\{[^{}]*\}")
_FUNCTION = re.compile(r"\b(\w+)\s*\(")
_STRUCT = re.compile(r"\bstruct\b")
_NAME = re.compile(r"\w+")


def share_forward_code(parts: Iterable[UnitPart]) -> list[UnitPart]:
    """Return parts in their order; those with equal forward code that can share it have the same key for it."""
    parts = list(parts)
    groups: dict[object, list[str]] = {}
    for part in parts:
        if part.code.backward_code is not None and can_share(part.code.forward_code, part.code.backward_code):
            groups.setdefault((part.code.kernel_name, part.code.forward_code, part.options), []).append(part.key)
    keys = {key: f"F{number}" for number, group in enumerate(groups.values()) if len(group) > 1 for key in group}
    return [replace(part, forward_key=keys.get(part.key, "")) for part in parts]


def can_share(forward: str, adjoint: str) -> bool:
    """Return whether an adjoint that the policy accepts means the same in a namespace inside the one of its forward pass.

    Examples:
        >>> can_share("float f(float x) { return x; }", "float adj_f(float x) { return f(x); } extern kernel() {}")
        True
        >>> can_share("float f(float x) { return x; }", "float f(int x) { return x; } extern kernel() {}")
        False
    """
    text = text_format.COMMENT_OR_LITERAL.sub(" ", adjoint)
    head = text[: text.rfind("extern")]
    declared = set(_FUNCTION.findall(outside_bodies(head)))
    if not declared and not _STRUCT.search(head):
        return True
    return not _STRUCT.search(forward + head) and declared.isdisjoint(_NAME.findall(forward))


def outside_bodies(text: str) -> str:
    """Return a text without what is between braces."""
    while (shorter := _BODY.sub(";", text)) != text:
        text = shorter
    return text
