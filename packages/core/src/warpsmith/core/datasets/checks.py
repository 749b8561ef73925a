"""How many pairs of a dataset have which verdict: counts of all stored verdicts, and a section of the dataset card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.files import storage
from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.records.verdict import STATUSES

HEADING = "## Checks\n"
"""The first line of the section, which is the last one of a card."""

NOT_CHECKED = "The pairs are not checked yet: run `warpsmith-validate run DIR`.\n"

COLUMNS = ("level", *(status.replace("_", " ") for status in STATUSES), "not checked")
"""The titles of the columns of `check_rows`."""

Counts = Mapping[str, Counter[str]]
"""Verdicts by level, in the order of levels, and by status."""

_MAX_CARD_BYTES = 1 << 20


def count_verdicts(dataset: Dataset, digests: Mapping[str, str] | None = None) -> dict[str, Counter[str]]:
    """Count the verdicts on the current content of a dataset by level and status.

    Args:
        dataset: the dataset.
        digests: the SHA-256 of each shard, computed where it is missing.
    """
    counted: dict[str, Counter[str]] = {}
    for shard in dataset.shards:
        for verdict in dataset.stored_verdicts(shard, (digests or {}).get(shard.name)).verdicts.values():
            counted.setdefault(verdict.level, Counter())[verdict.status] += 1
    return counted


def check_rows(counts: Counts, lines: int) -> list[tuple[str, ...]]:
    """Return a row for each level: its name, the number of lines with each status, and of those without a verdict.

    Args:
        counts: the verdicts.
        lines: the number of lines; those that are no records have verdicts, too.
    """
    return [
        (level, *(f"{found[status]:,}" for status in STATUSES), f"{max(0, lines - found.total()):,}")
        for level, found in counts.items()
    ]


def checks_section(counts: Counts, pairs: int) -> str:
    """Return the section of a card."""
    if not counts:
        return f"{HEADING}\n{NOT_CHECKED}"
    lines = [COLUMNS, ("---", *["---:"] * (len(COLUMNS) - 1)), *check_rows(counts, pairs)]
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return f"{HEADING}\nPairs by verdict, level by level; warpsmith's `notes/checks.md` explains the levels.\n\n{table}"


def update_card(dataset: Dataset) -> None:
    """Write the counts of all verdicts into the card of a dataset.

    A card without the section stays as it is, and so does one whose verdicts are in another folder.
    """
    path = dataset.folder / "README.md"
    if dataset.verdict_folder is not None:
        return
    if dataset.manifest is None or not storage.is_local(path) or not path.is_file() or path.stat().st_size > _MAX_CARD_BYTES:
        return
    card = path.read_bytes()
    before, heading, after = card.rpartition(HEADING.encode())
    section = checks_section(count_verdicts(dataset), dataset.manifest.pairs).encode()
    if heading and section != heading + after:
        write_atomic(path, before + section)
