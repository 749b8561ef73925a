"""Finds variables of a forward text that a statement reads before any statement assigns them.

Such a text leaves what the memory happens to contain: on a CPU often the value of the thread before, which hides the error.
Warp assigns every variable in a line above the lines that read it, also in loops and in branches, whose jumps may skip it.
Calls without a result may assign their arguments. Warp's adjoints may read variables of a loop that they do not run again.
"""

from __future__ import annotations

import re

from warpsmith.core.records import text_format

_MENTION = re.compile(r"\b(var_\d+)(?:(;)| (=) )?")
"""A variable of the generated text, with the end of its statement, or with the sign of an assignment."""

_OPERATORS = frozenset("=|&")
"""The ends of operators that a variable may follow at the end of a statement; at the end of a declaration it follows a type."""

_READERS = ("wp::array_store(", "wp::store(", "wp::assign(", "wp::atomic_", "return ")
"""How lines without an assignment start that only read variables."""


def unassigned(text: str) -> str | None:
    """Return the first line of a forward text that reads a variable without a value, or None."""
    waiting: set[str] = set()
    start = text.find(text_format.PRIMAL_SECTION)
    if start < 0:
        return None
    for mention in _MENTION.finditer(text, start):
        name, ended, assigned = mention.groups()
        place = mention.start()
        if assigned:
            waiting.discard(name)
        elif ended and text[place - 2] not in _OPERATORS and not text.startswith("return ", place - 7):
            waiting.add(name)
        elif name in waiting:
            line = text[text.rfind("\n", 0, place) + 1 : text.find("\n", place)].strip()
            if not line.startswith("//") and (" = " in line or line.startswith(_READERS)):
                return line
            waiting.discard(name)
    return None
