"""Benchmark texts that no pair may be close to, whatever its names are and however it is laid out.

A pair is close if its Python and a benchmark's have `CLOSE` of the shapes of the smaller one in common, as a benchmark's file
may hold several kernels, or a kernel and what drives it. Generated code repeats itself, one kernel in fifty holds four fifths
of another one's: of it `CLOSE` of the shapes of both must be common, with the forward part, the backward part or all of a pair.
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
from warpsmith.core.similarity.shingles import Set
from warpsmith.core.similarity.tokens import code_tokens, python_tokens

CLOSE = 0.8

LEAST = 20
"""Shapes that a benchmark text must have to be compared: 32 tokens."""


class Benchmarks:
    """The texts of some files, and how many of them there are.

    Attributes:
        texts: by file, how many texts are compared.
        short: by file, how many are too short for that.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.texts = dict.fromkeys((path.name for path in paths), 0)
        self.short = dict(self.texts)
        found: dict[bool, list[tuple[str, Set]]] = {True: [], False: []}
        for path in paths:
            for text in _texts(path):
                is_python, one = _shapes(text, path.suffix)
                if len(one) < LEAST:
                    self.short[path.name] += 1
                else:
                    self.texts[path.name] += 1
                    found[is_python].append((path.name, one))
        self._python, self._code = (Overlaps([one for _, one in found[is_python]]) for is_python in (True, False))
        self._files = {is_python: [name for name, _ in entries] for is_python, entries in found.items()}

    def close(self, pair: Pair) -> str | None:
        """Return the file of a text that the pair is close to, or None."""
        number, share = self._python.contained(parameterized_shingles(python_tokens(pair.python_source) or ()))
        if share >= CLOSE:
            return self._files[True][number]
        for target in ("cpu", "cuda") if self._files[False] else ():
            forward, backward = (text or "" for text in pair.code(target))
            for text in (forward, backward, forward + backward):
                number, share = self._code.alike(parameterized_shingles(code_tokens(text) or ()))
                if share >= CLOSE:
                    return self._files[False][number]
        return None


def _texts(path: Path) -> Iterator[str]:
    """Yield the texts of a file: every string of every line of a `.jsonl`, else all of it.

    Raises:
        TargetError: if it is no text, or a line is no JSON.
    """
    try:
        content = path.read_text(encoding="utf-8")
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
                raise TargetError(f"{path}:{number}: not JSON ({error}): repair or take out the line") from error
            yield from _strings(value)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


def _shapes(text: str, suffix: str) -> tuple[bool, Set]:
    """Return whether a text is Python, and its shapes. What could be either, is Python if it parses as such."""
    is_python = suffix == ".py" or (suffix in (".txt", ".jsonl") and _parses(textwrap.dedent(text)))
    tokens = python_tokens(textwrap.dedent(text)) if is_python else code_tokens(text)
    return is_python, parameterized_shingles(tokens or ())


def _parses(text: str) -> bool:
    try:
        parse_python(text)
    except NotPythonError:
        return False
    return True
