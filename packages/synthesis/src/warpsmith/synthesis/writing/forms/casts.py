"""Casts of literals and of indices, and expressions that Python evaluates when Warp reads the kernel."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PYTHON_CAST = re.compile(r"(?<![\w.])(float|int)\(")
_WARP_CASTS = {"float": "wp.float32(", "int": "wp.int32("}
_INITIAL = re.compile(r"^( *)(\w+) = (-?\d+(?:\.\d+)?)$", re.MULTILINE)
_CHANGE = re.compile(r"^ *(\w+) [-+*/|&]= ", re.MULTILINE)
_RANGE = re.compile(r"\brange\(([A-Z]\w*)\)")
_OPERAND = r"(?:[A-Z][A-Z0-9_]*|\d+\.\d+|wp\.pi)"
_EXPRESSION = re.compile(rf"(?<![\w.\])] \* )(?<![*/%@] )(?<![\w.-])({_OPERAND}(?: [*/] {_OPERAND})+)(?![\w.(\[])")


def with_warp_casts(text: str) -> str:
    """Return a text with ``wp.float32(…)`` and ``wp.int32(…)`` in place of Python's types."""
    return _PYTHON_CAST.sub(lambda match: _WARP_CASTS[match[1]], text)


def with_initial_casts(text: str) -> str:
    """Return statements in which locals that change later are initialized with ``float(…)`` and ``int(…)``."""
    changed = set(_CHANGE.findall(text))

    def cast(match: re.Match[str]) -> str:
        margin, name, number = match.groups()
        return f"{margin}{name} = {'float' if '.' in number else 'int'}({number})" if name in changed else match[0]

    return _INITIAL.sub(cast, text) if changed else text


def with_static_ranges(text: str, constants: Sequence[str], *, expressions: bool = True) -> str:
    """Return a text with ``wp.static(…)`` around constants in ranges, and around ``expressions`` of constants."""

    def limit(match: re.Match[str]) -> str:
        return f"range(wp.static({match[1]}))" if match[1] in constants else match[0]

    def expression(match: re.Match[str]) -> str:
        line = match.string[match.string.rfind("\n", 0, match.start()) + 1 : match.start()]
        if "wp.static(" in line:
            return match[0]
        names = re.findall(r"\b[A-Z]\w*", match[1])
        return f"wp.static({match[1]})" if all(name in constants for name in names) else match[0]

    text = _RANGE.sub(limit, text)
    return _EXPRESSION.sub(expression, text) if expressions else text
