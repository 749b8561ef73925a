"""Decontamination: pairs that are close to a benchmark text are left out, whatever their names and layout.

Texts are compared by parameterized shingles, those of benchmarks with all code in them, see `embedded_code`. Python is close if
`CLOSE` of the shingles of the smaller text are common, because a benchmark file may contain several kernels, or a kernel and a
driver; it is compared as it is, and without annotations and other things that an author can choose. Generated code is
repetitive, one kernel in fifty contains four fifths of another: it is close if `CLOSE` of the shingles of both texts together
are common, for the forward text, the backward text, or both.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from warpsmith.core.export.benchmark_files import texts_of
from warpsmith.core.export.embedded_code import texts_in
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.python_source import is_python
from warpsmith.core.similarity.normalized_python import normalized_tokens
from warpsmith.core.similarity.overlap import Overlaps
from warpsmith.core.similarity.parameterized_shingles import parameterized_shingles
from warpsmith.core.similarity.shingles import ShingleSet
from warpsmith.core.similarity.tokens import code_tokens, python_tokens

CLOSE = 0.8

LEAST = 20
"""The least number of shingles of a benchmark text that is compared: 32 tokens."""


CODE = (".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp")
"""The endings of files that contain no Python."""


class _Sets:
    """Shingles of benchmark texts in one form, with their files."""

    def __init__(self) -> None:
        self._files: list[str] = []
        self._sets: list[ShingleSet] = []
        self._seen: set[bytes] = set()

    def add(self, file: str, tokens: Sequence[str] | None) -> bool:
        """Add a text, and return whether it is long enough for a comparison."""
        shingles = parameterized_shingles(tokens or ())
        if len(shingles) < LEAST:
            return False
        if (content := shingles.tobytes()) not in self._seen:
            self._seen.add(content)
            self._files.append(file)
            self._sets.append(shingles)
        return True

    def __len__(self) -> int:
        return len(self._sets)

    def search(self) -> tuple[Overlaps, list[str]]:
        """Return what compares other texts with these, and their files."""
        return Overlaps(self._sets), self._files


class Benchmarks:
    """The texts of the benchmark files.

    Attributes:
        texts: by file, the number of texts that pairs are compared with.
        short: by file, the number of texts that are too short for a comparison.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.texts = dict.fromkeys((path.name for path in paths), 0)
        self.short = dict(self.texts)
        python, plain_python, code = _Sets(), _Sets(), _Sets()
        for path in paths:
            for text in texts_of(path):
                is_long = False
                for number, inner in enumerate(texts_in(text)):
                    source = textwrap.dedent(inner)
                    is_file = number == 0 and path.suffix in (".py", *CODE)  # its name states the language
                    if path.suffix == ".py" if is_file else is_python(source):
                        is_long |= python.add(path.name, python_tokens(source))
                        is_long |= plain_python.add(path.name, normalized_tokens(source))
                    else:
                        is_long |= code.add(path.name, code_tokens(inner))
                (self.texts if is_long else self.short)[path.name] += 1
        self._python, self._plain_python, self._code = python.search(), plain_python.search(), code.search()

    def close(self, pair: Pair) -> str | None:
        """Return the benchmark file with a text that the pair is close to, or None."""
        for tokens, (overlaps, files) in (
            (python_tokens, self._python),
            (normalized_tokens, self._plain_python),
        ):
            if files and (shingles := parameterized_shingles(tokens(pair.python_source) or ())).size >= LEAST:
                number, share = overlaps.largest_overlap(shingles)
                if share >= CLOSE:
                    return files[number]
        overlaps, files = self._code
        for target in ("cpu", "cuda") if files else ():
            forward, backward = (text or "" for text in pair.code(target))
            for text in (forward, backward, forward + backward):
                number, share = overlaps.largest_similarity(parameterized_shingles(code_tokens(text) or ()))
                if share >= CLOSE:
                    return files[number]
        return None
