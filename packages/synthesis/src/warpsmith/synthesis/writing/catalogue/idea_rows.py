"""The rows of a text file of the catalogue, before their meaning is read.

A row starts with a word and a key; lines ``field: value`` and indented texts follow. Lines that start with ``#`` are remarks. A
line that ends with a backslash continues on the next one, whose indentation does not count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from warpsmith.core.errors import WarpsmithError
from warpsmith.synthesis.writing.ideas.notation import INDENT, with_marks

CONTINUED = "\\"
"""The end of a line that continues on the next one."""

_CONTINUATION = re.compile(r"\\\n\s*")


class CatalogueError(WarpsmithError):
    """A mistake in a file of the catalogue, with its place.

    Args:
        path: the file.
        line: the number of the line, from 1.
        reason: what is wrong.
    """

    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__(f"{path}:{line}: {reason}")
        self.path, self.line, self.reason = path, line, reason

    def __reduce__(self) -> tuple[type[CatalogueError], tuple[Path, int, str]]:
        return CatalogueError, (self.path, self.line, self.reason)  # pickle would pass the message instead


@dataclass(slots=True)
class Row:
    """A row of a file.

    Attributes:
        kind: the word that it starts with, such as ``"idea"``.
        key: what follows, up to a colon.
        rest: what follows the colon.
        line: the number of its line, from 1.
        fields: the lines ``field: value`` below it.
        texts: the lines of each indented text below it, without the indentation; lines ``or`` separate texts.
        starts: the number of the first line of each text.
    """

    kind: str
    key: str
    rest: str
    line: int
    fields: dict[str, str] = field(default_factory=dict)
    texts: list[list[str]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    def parts(self, count: int) -> list[str]:
        """Return the parts of `rest` between bars, with empty ones up to ``count``.

        Raises:
            ValueError: if there are more.
        """
        found = [part.strip() for part in self.rest.split("|")]
        if len(found) > count:
            raise ValueError(f"expected at most {count} parts between bars, not {len(found)}")
        return found + [""] * (count - len(found))

    def sources(self) -> list[tuple[str, int]]:
        """Return each text as the file has it, lines that continue included, with the number of its first line."""
        return [("\n".join(lines).rstrip("\n"), start) for lines, start in zip(self.texts, self.starts, strict=False)]

    def framed_texts(self, frame: int) -> tuple[str, ...]:
        """Return the texts as the generator reads them, with marks for brackets and the blank lines of their frame.

        Args:
            frame: the number of blank lines if no field of the row has another.
        """
        frame = int(self.fields.get("frame", frame))
        start, end = "\n" * (frame > 0), "\n" * frame
        texts = (_CONTINUATION.sub("", text) if CONTINUED in text else text for text, _ in self.sources())
        return tuple(start + with_marks(text) + end for text in texts)

    def add_line(self, line: str, number: int) -> None:
        """Add a line of a text, or a blank line, which does not start a text."""
        if not self.texts or not self.texts[-1]:
            if not line:
                return
            if not self.texts:
                self.texts.append([])
            self.starts.append(number)
        self.texts[-1].append(line[len(INDENT) :])


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a file.

    Raises:
        CatalogueError: if a line belongs to no row, or the file is no text.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CatalogueError(path, 1, f"it cannot be read: {error}") from None
    rows: list[Row] = []
    lines = enumerate(text.split("\n"), 1)
    for number, line in lines:
        if not line or line.startswith(INDENT):
            if rows:
                rows[-1].add_line(line, number)
            elif line:
                raise CatalogueError(path, number, "this text belongs to no row, such as 'idea fill'")
        elif line[0] != "#":
            while line.endswith(CONTINUED):
                line = line[:-1] + next(lines, (0, ""))[1].lstrip()  # noqa: PLW2901 - the line with its continuation
            word, _, rest = line.partition(" ")
            if word != "or" and not word.endswith(":"):
                key, _, rest = rest.partition(": ")
                rows.append(Row(word, key, rest, number))
            elif not rows or bool(rows[-1].starts) != (word == "or"):
                place = "between two texts" if word == "or" else "above the text"
                raise CatalogueError(path, number, f"{word!r} stands {place} of a row")
            elif word == "or":
                rows[-1].texts.append([])
            else:
                rows[-1].fields[word[:-1]] = rest
    return rows
