"""The order of the rows of a domain, which kernels depend on, apart from the files that the rows are in.

The file `order` of a domain lists the released rows: a release of the catalogue writes it, and authors never change it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from warpsmith.synthesis.writing.catalogue.idea_rows import Row
from warpsmith.synthesis.writing.ideas.notation import HELPER

ORDER = "order"
"""The name of the file; a domain without a released row has none."""

ORDERED = ("idea", "helper", "struct")
"""The kinds of rows whose order decides kernels. The extras of a hook, whose order does, too, are in one file."""


def in_order(rows: Sequence[tuple[Row, Path]], folder: Path) -> list[tuple[Row, Path]]:
    """Return the rows of a domain, each with its file: first those that its list names, in its order, and then all others.

    A helper that calls a later one follows it.
    """
    path = folder / ORDER
    if not path.exists():
        return list(rows)
    places = {line: place for place, line in enumerate(path.read_text(encoding="utf-8").split("\n"))}
    ordered = [row for row in rows if row[0].kind in ORDERED]
    ordered.sort(key=lambda row: places.get(f"{row[0].kind} {row[0].key}", len(places)))
    return [*(row for row in rows if row[0].kind not in ORDERED), *_called_first(ordered)]


def _called_first(rows: Sequence[tuple[Row, Path]]) -> list[tuple[Row, Path]]:
    """Return rows in their order, with each helper after those that it calls."""
    helpers = {row.key: (row, path) for row, path in rows if row.kind == "helper"}
    begun: set[int] = set()  # the identities of rows, so that a key that occurs twice is still found by the checks
    placed: list[tuple[Row, Path]] = []

    def place(row: Row, path: Path) -> None:
        if id(row) in begun:
            return
        begun.add(id(row))
        if row.kind == "helper":
            for key in HELPER.findall("\n".join(line for text in row.texts for line in text)):
                if key in helpers:
                    place(*helpers[key])
        placed.append((row, path))

    for row, path in rows:
        place(row, path)
    return placed


def write_order(rows: Iterable[Row], folder: Path) -> None:
    """Write the list of a domain, whose rows are in their present order."""
    lines = [f"{kind} {row.key}\n" for kind in ORDERED for row in rows if row.kind == kind]
    (folder / ORDER).write_text("".join(lines), encoding="utf-8")
