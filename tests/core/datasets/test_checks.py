"""The counts of verdicts in a card equal those of the verdict files, and nothing else of the card changes."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.datasets.checks import check_rows, count_verdicts, update_card
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.verdict_files import Judge
from warpsmith.core.records.verdict import STATUSES, Verdict

JUDGE = Judge("1", "1.19.0")


@pytest.fixture
def checked(small: Path, tmp_path: Path) -> Dataset:
    """Return a dataset of which ten pairs have verdicts of three kinds."""
    copy = tmp_path / "copy"
    shutil.copytree(small, copy)
    dataset = Dataset.open(copy)
    verdicts = {
        (number, level): Verdict(f"pair {number}", level, "fail" if number == 3 else status, "why", 0.1)
        for number in range(1, 11)
        for level, status in (("parse", "pass"), ("oracle", "not_applicable"))
    }
    dataset.write_verdicts(dataset.shards[0], verdicts, {"parse": JUDGE, "oracle": JUDGE})
    return dataset


def test_the_card_has_the_counts_of_the_files(checked: Dataset) -> None:
    path = checked.folder / "README.md"
    before = path.read_text()
    assert "The pairs are not checked yet" in before
    update_card(checked)
    counted = Counter(
        (row["level"], row["status"])
        for file in checked.folder.glob("verdicts-*.jsonl")
        for row in map(json.loads, file.read_text().splitlines())
    )
    assert counted["oracle", "not_applicable"] == 9
    after = path.read_text()
    common, table = after.split("## Checks\n")
    assert before.startswith(common)
    for level in ("parse", "oracle"):
        assert f"| {level} | {' | '.join(str(counted[level, status]) for status in STATUSES)} | 30 |" in table
    assert table.index("parse") < table.index("oracle")
    update_card(checked)
    assert path.read_text() == after


@pytest.mark.parametrize("card", [b"my own card\n", b"\xff## Check", None], ids=["own", "no text", "none"])
def test_other_cards_stay(checked: Dataset, card: bytes | None) -> None:
    path = checked.folder / "README.md"
    path.unlink()
    if card is not None:
        path.write_bytes(card)
    update_card(checked)
    assert (path.read_bytes() if path.exists() else None) == card


def test_pairs_without_verdicts_are_counted(checked: Dataset) -> None:
    assert [row[0] for row in check_rows(count_verdicts(checked), 40)] == ["parse", "oracle"]
    assert {row[-1] for row in check_rows(count_verdicts(checked), 40)} == {"30"}


def test_the_commands_count_verdicts(run: Any, checked: Dataset) -> None:
    run("validation", "run", checked.folder, "--level", "schema", "--workers", 1)
    assert "| schema | 40 | 0 |" in (checked.folder / "README.md").read_text()
    stats = json.loads(run("core", "stats", checked.folder, "--json", "--workers", 1).stdout)
    assert stats["verdicts"]["schema"] == {"pass": 40}


@pytest.mark.exhaustive
def test_lines_that_are_no_pairs_have_verdicts_too(run: Any, small: Path, tmp_path: Path) -> None:
    """The verdicts of broken lines do not make the number of unchecked pairs negative."""
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b"{}\nno json\n" + (small / "pairs-00000.jsonl").read_bytes())
    run("validation", "run", path, "--workers", 1, expect=1)
    done = run("stats", path, "--workers", 1, expect=1)
    (row,) = [line for line in done.stdout.splitlines() if "schema" in line]
    assert row.replace("│", " ").split() == ["schema", "10", "2", "0", "0", "0", "0"]


def test_no_number_of_unchecked_pairs_is_negative(checked: Dataset) -> None:
    for pairs in (0, 5, 10, 40):
        rows = check_rows(count_verdicts(checked), pairs)
        assert [row[-1] for row in rows] == [str(max(0, pairs - 10))] * 2
