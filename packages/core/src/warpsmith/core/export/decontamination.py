"""Decontamination: pairs that are close to a benchmark text are left out, whatever their names and layout.

Texts are compared by parameterized shingles. Python is close if `CLOSE` of the shingles of the smaller text are common, because
a benchmark file may contain several kernels, or a kernel and a driver. Generated code is repetitive, one kernel in fifty
contains four fifths of another: it is close if `CLOSE` of the shingles of both texts together are common, for the forward text,
the backward text, or both.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from warpsmith.core.errors import TargetError
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.python_source import NotPythonError, parse_python
from warpsmith.core.similarity.overlap import Overlaps
from warpsmith.core.similarity.parameterized_shingles import parameterized_shingles
from warpsmith.core.similarity.shingles import ShingleSet
from warpsmith.core.similarity.tokens import code_tokens, python_tokens

CLOSE = 0.8

LEAST = 20
"""The least number of shingles of a benchmark text that is compared: 32 tokens."""


class Benchmarks:
    """The texts of the benchmark files.

    Attributes:
        texts: by file, the number of texts that pairs are compared with.
        short: by file, the number of texts that are too short for a comparison.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.texts = dict.fromkeys((path.name for path in paths), 0)
        self.short = dict(self.texts)
        self._python_files: list[str] = []
        self._code_files: list[str] = []
        python: list[ShingleSet] = []
        code: list[ShingleSet] = []
        for path in paths:
            for text in _texts(path):
                is_python, shingles = _shingles(text, path.suffix)
                if len(shingles) < LEAST:
                    self.short[path.name] += 1
                    continue
                self.texts[path.name] += 1
                (python if is_python else code).append(shingles)
                (self._python_files if is_python else self._code_files).append(path.name)
        self._python, self._code = Overlaps(python), Overlaps(code)

    def close(self, pair: Pair) -> str | None:
        """Return the benchmark file with a text that the pair is close to, or None."""
        number, share = self._python.largest_overlap(parameterized_shingles(python_tokens(pair.python_source) or ()))
        if share >= CLOSE:
            return self._python_files[number]
        for target in ("cpu", "cuda") if self._code_files else ():
            forward, backward = (text or "" for text in pair.code(target))
            for text in (forward, backward, forward + backward):
                number, share = self._code.largest_similarity(parameterized_shingles(code_tokens(text) or ()))
                if share >= CLOSE:
                    return self._code_files[number]
        return None


def _texts(path: Path) -> Iterator[str]:
    """Yield the texts of a file: every string of every line of a `.jsonl` file, the whole content of any other.

    Raises:
        TargetError: if the file is not text, or a line is not JSON.
    """
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise TargetError(f"cannot read {path} as text ({error}): name Python, CUDA, plain text or JSON lines") from error
    if path.suffix != ".jsonl":
        yield content
        return
    for number, line in enumerate(content.split("\n"), start=1):
        if line.strip():
            try:
                value = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise TargetError(f"{path}:{number}: not JSON ({error}): repair or remove the line") from error
            yield from _strings(value)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


def _shingles(text: str, suffix: str) -> tuple[bool, ShingleSet]:
    """Return whether a text is Python, and its shingles. Text of an unknown language is Python if it parses."""
    is_python = suffix == ".py" or (suffix in (".txt", ".jsonl") and _parses(textwrap.dedent(text)))
    tokens = python_tokens(textwrap.dedent(text)) if is_python else code_tokens(text)
    return is_python, parameterized_shingles(tokens or ())


def _parses(text: str) -> bool:
    try:
        parse_python(text)
    except NotPythonError:
        return False
    return True
