"""What the rows of a domain name, and the rows that nothing names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from warpsmith.synthesis.writing.catalogue.alternatives import Alternatives, Rendering
from warpsmith.synthesis.writing.catalogue.idea_rows import Row
from warpsmith.synthesis.writing.ideas.notation import HELPER, LOCAL, PARAMETER, UNROLLED

PARAMETERS = ("array", "code", "number", "object", "size")
"""The kinds of rows that are parameters."""

_WORD = re.compile(r"[A-Za-z_]\w*")
_LOOP = re.compile(r"^ *each (\w+):$", re.MULTILINE)
_HOOK = re.compile(r"^ *hook (\w+)$", re.MULTILINE)


@dataclass
class Text:
    """One text of a row, rendered so that each alternative occurs."""

    row: Row
    path: Path
    source: str
    start: int
    renderings: list[Rendering]
    alternatives: Alternatives

    def source_lines(self) -> Iterator[tuple[str, int]]:
        """Return the lines of the text as the file has them, with their numbers."""
        return zip(self.source.split("\n"), count(self.start), strict=False)


def unused_rows(rows: Sequence[tuple[Row, Path]], texts: Sequence[Text]) -> Iterator[tuple[Row, Path]]:
    """Yield the rows that no other row and no text of a domain names."""
    lines = {line for text in texts for rendering in text.renderings for line, _ in rendering.lines}
    everything = "\n".join(lines.union(line for text in texts for line, _ in text.source_lines()))
    parameters = set(PARAMETER.findall(everything)) | {key for row, _ in rows for key in named_parameters(row)}
    used: dict[str, Callable[[str], bool]] = {
        **dict.fromkeys(PARAMETERS, lambda key: key in parameters),
        "helper": set(HELPER.findall(everything)).__contains__,
        "local": set(LOCAL.findall(everything)).__contains__,
        "name": {part for key in LOCAL.findall(everything) for part in (key, key.partition(UNROLLED)[0])}.__contains__,
        "loop": set(_LOOP.findall(everything)).__contains__,
        "extra": set(_HOOK.findall(everything)).__contains__,
        "index": {key for row, _ in rows for key in row.fields.get("threads", "i").split()}.__contains__,
    }
    for row, path in rows:
        if row.kind in used and not used[row.kind](row.key):
            yield row, path


def named_parameters(row: Row) -> set[str]:
    """Return the keys of parameters that a row names outside its texts."""
    if row.kind in ("index", "world"):
        return set(_WORD.findall(row.parts(3)[0]))
    if row.kind == "struct":
        return set(row.parts(2)[1].split())
    if row.kind == "array":
        spec = row.parts(3)[0]
        dims = re.findall(r"\[([^]]*)\]", spec)
        high = re.findall(r"\.\.([A-Za-z]\w*)", spec)
        return {key for part in (*(dims or ["n"]), *high) for key in _WORD.findall(part)}
    if row.kind == "object":
        return set(re.findall(r"\bpoints=(\w+)", row.parts(3)[0]))
    if row.kind == "idea":
        return set(row.fields.get("generic", "").split())
    return set()
