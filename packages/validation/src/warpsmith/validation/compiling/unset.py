"""Contents of variables without a value: results that depend on them differ between two patterns."""

from __future__ import annotations

import re

from warpsmith.core.records.text_format import PRIMAL_SECTION

PATTERNS = (0xFF, 0x00)
"""The bytes of a variable without a value: NaN, -1 and true by the first pattern, 0 and false by the second.

Integers of both patterns differ in a comparison with -1 or 0, the usual sentinels, and in their sign.
"""

SYMBOL = "warpsmith_unset"
"""The memory of compiled code with the contents of its variables without a value, see ``native/builtin.h``."""

SIZE = 16
"""The bytes of this memory."""

_SECTION = re.compile(rf"{PRIMAL_SECTION}\n(?: +[^\n]*;\n)*")
_DECLARATION = re.compile(r"^( +(wp::u?int(?:8|16|32|64)|wp::float(?:32|64)|bool) var_\w+);$", re.MULTILINE)


def with_contents(text: str) -> str:
    """Return a text whose variables without a value start with what `SYMBOL` contains. Vectors and arrays start empty."""
    return _SECTION.sub(lambda section: _DECLARATION.sub(rf"\1 = *(\2*){SYMBOL};", section[0]), text)
