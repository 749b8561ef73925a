"""Detect text that a pair's author wrote among generated C++ and CUDA code: such pairs run in a separate worker.

Native text might reach beyond its own pair into the text of other pairs in the same translation unit.
"""

from __future__ import annotations

import re

from warpsmith.core.records.jsonl import Line

_MARKS = ("#", "%:", "asm", "_Pragma", "\\")
"""A text without any of these cannot reach beyond itself: directives in both spellings, assembler, and split line ends."""

_NATIVE = re.compile(r"\b_{0,2}asm_{0,2}\b|\b_Pragma\b|\\\s*[\r\n]")
_DIRECTIVE = re.compile(r"#|%:")
_COMMENT_LINE = re.compile(r"^[^\S\n]*//[^\r\n]*", re.MULTILINE)


def has_native_code(line: Line) -> bool:
    """Return whether a pair contains native code of its author, in its Python, its options or its generated text."""
    if line.pair is None:
        return False
    options = line.pair.metadata.module_options
    texts = (line.pair.code(target)[direction] or "" for target in ("cpu", "cuda") for direction in (0, 1))
    return (
        "func_native" in line.pair.python_source
        or any("preamble" in option for option in options)
        or any(map(is_native, texts))
    )


def is_native(text: str) -> bool:
    """Return whether a text may contain assembler or a directive; a "#" in a comment that quotes Python does not count."""
    if not any(mark in text for mark in _MARKS):
        return False
    return "/*" in text or bool(_NATIVE.search(text) or _DIRECTIVE.search(_COMMENT_LINE.sub("", text)))
