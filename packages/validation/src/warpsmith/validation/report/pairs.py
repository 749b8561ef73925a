"""Prepares a pair for the page: a card for the list, and a sheet with its texts, compressed until the pair is opened."""

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
from warpsmith.validation.report.code import highlight_generated, highlight_python, shortened, statement_starts
from warpsmith.validation.report.linemap import python_lines
from warpsmith.validation.report.scan import Entry

NAMES = {"cpu": "C++", "cuda": "CUDA"}

SEARCHED_CHARACTERS = 10_000
"""How many characters of a Python file can be searched."""


@dataclass(frozen=True, slots=True)
class PagePair:
    """A pair on the page.

    Attributes:
        card: the fields for the list and the search, as JSON values.
        sheet: the texts as highlighted lines with their line map: JSON, deflated, in Base64.
    """

    card: dict[str, Any]
    sheet: str


def page_pairs(chosen: Sequence[Entry], verdicts: Mapping[str, list[Verdict]]) -> Iterator[PagePair]:
    """Read the chosen pairs and prepare each for the page, in this order."""
    numbers_by_path: dict[Path, set[int]] = {}
    for entry in chosen:
        numbers_by_path.setdefault(entry.path, set()).add(entry.number)
    pairs = {(path, number): pair for path, numbers in numbers_by_path.items() for number, pair in _read(path, numbers)}
    for entry in chosen:
        pair, of_pair = pairs[entry.path, entry.number], verdicts.get(entry.identity, [])
        yield PagePair(card(pair, of_pair), packed(sheet(pair, of_pair)))


def _read(path: Path, numbers: set[int]) -> Iterator[tuple[int, Pair]]:
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            pair = decode(raw, path, number).pair if number in numbers else None
            if pair is not None:
                yield number, pair


def card(pair: Pair, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return the fields of a pair for the list."""
    return {
        "id": pair.id,
        "kernel": pair.metadata.kernel_name,
        "category": pair.metadata.category,
        "description": pair.metadata.description,
        "features": list(pair.metadata.features),
        "verdicts": {verdict.level: verdict.status for verdict in verdicts},
        "text": " ".join(pair.python_source[:SEARCHED_CHARACTERS].split()),
    }


def sheet(pair: Pair, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return the texts of a pair in lines, with the Python statement of each line of Python and of each generated line."""
    python, cut = shortened(pair.python_source)
    heads = statement_starts(python)
    return {
        "python": {"lines": highlight_python(python), "heads": heads, "cut": cut},
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
    return {"lines": highlight_generated(text), "map": [heads[line - 1] if line else 0 for line in lines], "cut": cut}


def packed(value: Any) -> str:
    """Encode JSON values so that a browser can decode them without a library."""
    return base64.b64encode(zlib.compress(orjson.dumps(value), 9)).decode()
