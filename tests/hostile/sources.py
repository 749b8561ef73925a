"""The hostile files of `tests/validation/sandbox/hostile` as rows."""

from __future__ import annotations

from pathlib import Path

from hostile.row import HARMLESS, Record, Row, Setting, record_of, to_line
from hostile.table import CORPUS, WHEN_LOADED, Hostile


def record(one: Hostile, marker: Path) -> Record:
    """Return a file as a record; its generated text is that of a harmless kernel if the file acts when it is loaded."""
    source = one.source(marker)
    acts_when_loaded = one in WHEN_LOADED or not one.extractable
    return record_of(HARMLESS if acts_when_loaded else source) | {"id": one.name, "python_source": source}


def _row(one: Hostile) -> Row:
    def content(setting: Setting) -> bytes:
        return to_line(record(one, setting.marker) | {"id": f"hostile-{one.name}"})

    return Row(one.name, one.attempts, content, one.level)


def rows() -> tuple[Row, ...]:
    """Return the rows of all files."""
    return tuple(map(_row, CORPUS))
