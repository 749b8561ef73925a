"""The rows of the catalogue of programs: names of locals, parts that several programs share, and programs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from warpsmith.core.errors import WarpsmithError

SUFFIX = ".programs"
"""The ending of the files of the catalogue."""

SECTIONS = ("constants", "kernels", "reference", "parameters", "setup", "step", "finish", "check")
"""The sections of a program, in the order in which their names are defined."""

_FIELD = re.compile(r"(\w+):(?: (.*))?")
_INDENT = "    "


class ProgramRowError(WarpsmithError):
    """A mistake in the catalogue of programs, with file and line."""


@dataclass(frozen=True, slots=True)
class ProgramRow:
    """A row of a file.

    Attributes:
        kind: ``name``, ``part`` or ``program``.
        key: the key of the row.
        values: the words after the key: names of a local, or the parameters of a part.
        fields: the texts by field; those of a field that occurs several times in their order.
        place: the file and line of the row, for errors.
    """

    kind: str
    key: str
    values: tuple[str, ...]
    fields: dict[str, list[str]] = field(default_factory=dict)
    place: str = ""

    def text(self, name: str) -> str:
        """Return the texts of a field, one after another; nothing if there are none."""
        return "\n".join(self.fields.get(name, []))


@dataclass(frozen=True, slots=True)
class ProgramDomain:
    """The rows of a domain, with those that all domains share.

    Attributes:
        name: the name of the domain.
        names: the names of locals by key.
        parts: the parts by key.
        programs: the programs of the domain by key, in their order.
    """

    name: str
    names: dict[str, tuple[str, ...]]
    parts: dict[str, ProgramRow]
    programs: dict[str, ProgramRow]


def read_program_rows(path: Path) -> list[ProgramRow]:
    """Return the rows of a file.

    Raises:
        ProgramRowError: if a line belongs to no row.
    """
    rows: list[ProgramRow] = []
    texts: list[str] = []
    for number, line in _lines(path.read_text(encoding="utf-8").split("\n")):
        place = f"{path.name}:{number}"
        match = _FIELD.fullmatch(line)
        if line.startswith("#"):
            continue
        if not line or line.startswith(_INDENT):
            if line and not texts:
                raise ProgramRowError(f"{place}: an indented line that belongs to no field")
            if texts:
                texts[-1] += f"{line.removeprefix(_INDENT)}\n"
        elif match is None:
            rows.append(_row(line, place))
            texts = []
        elif not rows:
            raise ProgramRowError(f"{place}: a field before the first row")
        else:
            texts = rows[-1].fields.setdefault(match[1], [])
            texts.append(f"{match[2]}\n" if match[2] else "")
    return [_trimmed(row) for row in rows]


def _lines(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield lines with their numbers; one that ends in a backslash continues in the next."""
    begun, start = "", 0
    for number, line in enumerate(lines, start=1):
        start = start if begun else number
        text = begun + (line.lstrip() if begun else line)
        if text.endswith("\\"):
            begun = text[:-1]
            continue
        begun = ""
        yield start, text.rstrip()


def _row(line: str, place: str) -> ProgramRow:
    kind, _, rest = line.partition(" ")
    key, _, values = rest.partition(" ")
    if kind not in ("name", "part", "program") or not key.rstrip(":").isidentifier():
        raise ProgramRowError(f"{place}: a row is 'name KEY: …', 'part KEY …' or 'program KEY', not {line!r:.60}")
    return ProgramRow(kind, key.rstrip(":"), tuple(values.split()), {}, place)


def _trimmed(row: ProgramRow) -> ProgramRow:
    for texts in row.fields.values():
        texts[:] = [text.strip("\n") for text in texts]
    return row
