"""Prepares a pair for the page: a card for the list, and a sheet with its texts, see `sheets`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from warpsmith.core.printable import printable
from warpsmith.core.records.jsonl import Line, decode, raw_lines
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.report.dataset_scan import Entry, Position
from warpsmith.validation.report.page_variables import Card
from warpsmith.validation.report.sheets import SheetWriter
from warpsmith.validation.report.texts import LONGEST_TEXT, MAX_FEATURES, MAX_LEVELS, label, labels

SEARCHED_CHARACTERS = 10_000
"""How many characters of a Python file can be searched."""


@dataclass(frozen=True, slots=True)
class PagePair:
    """A pair on the page.

    Attributes:
        card: the fields for the list and the search.
        sheet: the texts as highlighted lines with their line map: JSON, deflated, in Base64.
    """

    card: Card
    sheet: str


def page_pairs(
    chosen: Sequence[Entry], verdicts: Mapping[Position, list[Verdict]], unconfined: bool = False
) -> Iterator[PagePair]:
    """Read the chosen pairs and prepare each for the page, in this order; a sandboxed worker lays out their texts."""
    numbers_by_path: dict[Path, set[int]] = {}
    for entry in chosen:
        numbers_by_path.setdefault(entry.path, set()).add(entry.number)
    lines = {(path, number): line for path, numbers in numbers_by_path.items() for number, line in _read(path, numbers)}
    with SheetWriter(unconfined) as writer:
        for entry in chosen:
            line, of_pair = lines.get((entry.path, entry.number)), verdicts.get(entry.position, [])
            if line is not None and line.pair is not None:  # otherwise the shard has changed since it was scanned
                yield PagePair(card(line.pair, of_pair), writer.sheet(line, of_pair))


def _read(path: Path, numbers: set[int]) -> Iterator[tuple[int, Line]]:
    for number, raw in raw_lines(path):
        if raw is not None and number in numbers:
            yield number, decode(raw, path, number)


def card(pair: Pair, verdicts: Sequence[Verdict]) -> Card:
    """Return the fields of a pair for the list."""
    return {
        "id": label(pair.id),
        "kernel": label(pair.metadata.kernel_name),
        "category": label(pair.metadata.category),
        "description": label(pair.metadata.description, LONGEST_TEXT),
        "features": labels(pair.metadata.features, MAX_FEATURES),
        "verdicts": {label(verdict.level): verdict.status for verdict in verdicts[:MAX_LEVELS]},
        "text": printable(" ".join(pair.python_source[:SEARCHED_CHARACTERS].split())),
    }
