"""Detect text that a pair's author wrote among generated C++ and CUDA code: such pairs run in a separate worker.

Native text might reach beyond its own pair: into the text of other pairs in the same translation unit, or into their memory.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from warpsmith.core.records.ir import TARGETS
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.pair import Pair
from warpsmith.validation.allowlist.generated_text import is_generated

_WORDS = ("func_native", "preamble")
"""Words in the Python of native functions, and in the options of modules that contain text for the compiler."""


def has_native_code(line: Line) -> bool:
    """Return whether a pair contains native code of its author, in its Python, its options or its generated text."""
    return line.pair is not None and (_names_native_code(line.pair) or not all(map(is_generated, _texts(line.pair))))


def _names_native_code(pair: Pair) -> bool:
    source = pair.python_source
    if not source.isascii():
        source = unicodedata.normalize("NFKC", source)  # as Python reads names
    return any(word in source for word in _WORDS) or any("preamble" in option for option in pair.metadata.module_options)


def _texts(pair: Pair) -> Iterator[list[str]]:
    for target in TARGETS[pair.metadata.device]:
        yield [text for text in pair.code(target) if text is not None]
