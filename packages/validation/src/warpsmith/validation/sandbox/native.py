"""Detect text that a pair's author wrote among generated C++ and CUDA code: such pairs run in a separate worker.

Native text might reach beyond its own pair into the text of other pairs in the same translation unit.
"""

from __future__ import annotations

import re

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.sandbox.strings import HIDDEN

_MARKS = ("#", "%:", "asm", "_Pragma", "\\", "??")
"""A text without any of these contains no directives in any spelling, no assembler and no split line ends."""

_NATIVE = re.compile(r"\b_{0,2}asm_{0,2}\b|\b_Pragma\b|\\\s*[\r\n]")
_DIRECTIVE = re.compile(r"#|%:|\?\?")
_COMMENT_LINE = re.compile(r"^[^\S\n]*//[^\r\n]*", re.MULTILINE)

_LINKAGE = 'extern "C"'
_QUOTES = re.compile("[\"']")
_STRING = re.compile(
    r"""
      ^[ ]*const[ ]wp::str[ ]var_\d+[ ]=[ ]"(?:[^"\\\n?]|\\[nt]|\?(?!\?))*";$   # a constant
    | ^[ ]*assert\(\(\(void\)"(?:[^"\\\n?]|\\"|\?(?!\?))*",\w+\)\);$            # the Python of an assertion
    """,
    re.MULTILINE | re.VERBOSE,
)
"""The lines with strings that Warp writes."""

_LINE_ENDS, _OTHER_LINE_ENDS = (
    "".join(filter(str.isascii, HIDDEN)),
    "".join(end for end in HIDDEN if not end.isascii()),
)


def has_native_code(line: Line) -> bool:
    """Return whether a pair contains native code of its author, in its Python, its options or its generated text."""
    if line.pair is None:
        return False
    options = line.pair.metadata.module_options
    texts = (line.pair.code(target)[direction] or "" for target in ("cpu", "cuda") for direction in (0, 1))
    return (
        any(word in line.pair.python_source for word in ("func_native", "preamble"))
        or any("preamble" in option for option in options)
        or any(map(is_native, texts))
    )


def is_native(text: str) -> bool:
    """Return whether a text may contain assembler, a directive, a string that Warp does not write, or a hidden end of a line.

    A "#" in a comment that quotes Python does not count.
    """
    return _has_hidden_lines(text) or _has_other_strings(text) or _has_directives(text)


def _has_hidden_lines(text: str) -> bool:
    return any(end in text for end in _LINE_ENDS) or (not text.isascii() and any(end in text for end in _OTHER_LINE_ENDS))


def _has_other_strings(text: str) -> bool:
    text = text.replace(_LINKAGE, "")
    if '"' not in text and "'" not in text:
        return False
    return "/*" in text or _QUOTES.search(_STRING.sub("", _COMMENT_LINE.sub("", text))) is not None


def _has_directives(text: str) -> bool:
    if not any(mark in text for mark in _MARKS):
        return False
    return "/*" in text or bool(_NATIVE.search(text) or _DIRECTIVE.search(_COMMENT_LINE.sub("", text)))
