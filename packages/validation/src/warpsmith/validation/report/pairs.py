"""Lays out a pair for the page: a card for the list, and a sheet with its texts, packed until somebody opens it."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from warpsmith.core.records.ir import TARGETS
from warpsmith.core.records.jsonl import decode
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.report.code import coloured_code, coloured_python, shortened, statements
from warpsmith.validation.report.linemap import python_lines
from warpsmith.validation.report.scan import Entry

NAMES = {"cpu": "C++", "cuda": "CUDA"}

MOST_SEARCHED = 10_000
"""How many characters of a Python file the search looks at."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A pair on the page.

    Attributes:
        card: what the list shows and the search looks at, as JSON values.
        sheet: the texts in coloured lines with their line map: JSON, deflated, in base64.
    """

    card: dict[str, Any]
    sheet: str


def shown_pairs(chosen: Sequence[Entry], verdicts: Mapping[str, list[Verdict]]) -> Iterator[Shown]:
    """Read the chosen pairs again and lay each out, in this order."""
    wanted: dict[Path, set[int]] = {}
    for entry in chosen:
        wanted.setdefault(entry.path, set()).add(entry.number)
    laid = {(path, number): pair for path, numbers in wanted.items() for number, pair in _read(path, numbers)}
    for entry in chosen:
        pair, found = laid[entry.path, entry.number], verdicts.get(entry.identity, [])
        yield Shown(card(pair, found), packed(sheet(pair, found)))


def _read(path: Path, numbers: set[int]) -> Iterator[tuple[int, Pair]]:
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            pair = decode(raw, path, number).pair if number in numbers else None
            if pair is not None:
                yield number, pair


def card(pair: Pair, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """What the list needs of a pair."""
    return {
        "id": pair.id,
        "kernel": pair.metadata.kernel_name,
        "category": pair.metadata.category,
        "description": pair.metadata.description,
        "features": list(pair.metadata.features),
        "verdicts": {verdict.level: verdict.status for verdict in verdicts},
        "text": " ".join(pair.python_source[:MOST_SEARCHED].split()),
    }


def sheet(pair: Pair, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """The texts of a pair in lines, with the statement of each line of Python and the statement of each generated line."""
    python, cut = shortened(pair.python_source)
    heads = statements(python)
    return {
        "python": {"lines": coloured_python(python), "heads": heads, "cut": cut},
        "code": [
            {"name": NAMES[target], "parts": [_part(text, python, heads) for text in pair.code(target)]}
            for target in TARGETS[pair.metadata.device]
        ],
        "verdicts": [[verdict.level, verdict.status, verdict.reason] for verdict in verdicts],
    }


def _part(whole: str | None, python: str, heads: Sequence[int]) -> dict[str, Any] | None:
    if whole is None:
        return None
    text, cut = shortened(whole)
    lines = python_lines(text.split("\n"), python.split("\n"))
    return {"lines": coloured_code(text), "map": [heads[line - 1] if line else 0 for line in lines], "cut": cut}


def packed(value: Any) -> str:
    """Pack JSON values so that a browser can unpack them with what it has."""
    return base64.b64encode(zlib.compress(orjson.dumps(value), 9)).decode()
