"""`--require` and `--only` select pairs by their verdicts, and the dataset card counts verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.export.exports import all_rows
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.verdict_files import Judge
from warpsmith.core.records.jsonl import read_lines
from warpsmith.core.records.verdict import Verdict


@pytest.fixture
def checked(own_small: Path) -> Path:
    """`small` with invented verdicts: of four pairs, one fails `gradient` and it does not apply to one; all pass `parse`."""
    dataset = Dataset.open(own_small)
    statuses: tuple[Any, ...] = ("pass", "fail", "not_applicable", "pass")
    for shard in dataset.shards:
        verdicts = {
            (line.number, level): Verdict(line.identity, level, status, "", 1.0)
            for number, line in enumerate(read_lines(shard))
            for level, status in (("parse", "pass"), ("gradient", statuses[number % 4]))
        }
        dataset.write_verdicts(shard, verdicts, dict.fromkeys(("parse", "gradient"), Judge("1", "1.19.0")))
    return own_small


def test_pairs_are_selected_by_their_verdicts(summary: Callable[..., dict[str, Any]], checked: Path, tmp_path: Path) -> None:
    expected = Counter(number % 10 % 4 for number in range(40))
    exported = summary(checked, "--require", "gradient=pass", "-o", tmp_path / "clean")
    assert exported["left_out"]["by_verdict"] == expected[1]
    assert exported["pairs"] == len(all_rows(tmp_path / "clean")) == 40 - expected[1]
    assert exported["proofs"] == {
        "parse": {"pass": 40 - expected[1]},
        "gradient": {"not_applicable": expected[2], "pass": expected[0] + expected[3]},
    }
    card = (tmp_path / "clean" / "README.md").read_text()
    assert f"| gradient | {expected[0] + expected[3]} | 0 | 0 | {expected[2]} | 0 |\n" in card
    assert "--require gradient=pass" in card
    assert summary(checked, "--only", "gradient=not_applicable", "-o", tmp_path / "none")["pairs"] == expected[2]


def test_the_card_names_the_commands_of_a_filtered_dataset(run: Any, checked: Path, tmp_path: Path) -> None:
    run("core", "filter", checked, "--require", "gradient=pass", "-o", tmp_path / "clean")
    run("core", "export", tmp_path / "clean", "-o", tmp_path / "out")
    card = (tmp_path / "out" / "README.md").read_text()
    commands = card.partition("## Reproduction")[2].partition("```\n")[2].partition("```")[0].splitlines()
    assert [" ".join(command.split()[:2]) for command in commands] == [
        "warpsmith-synthesize make",
        "warpsmith-validate run",
        "warpsmith-dataset filter",
        "warpsmith-dataset export",
    ]
    assert "FILTERED" in commands[-1]
