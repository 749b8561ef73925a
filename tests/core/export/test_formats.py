"""A format is one row of `FORMATS`: the command, the files and the dataset card follow from it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest

from core.export.exports import records_of
from warpsmith.core.commands.export import export_command
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.export.export_request import Request
from warpsmith.core.export.export_run import export
from warpsmith.core.export.formats import FORMATS, Format
from warpsmith.core.export.training_tasks import Exchange
from warpsmith.core.export.writers import Lines
from warpsmith.core.records.pair import Pair


def instruction(pair: Pair, exchange: Exchange) -> dict[str, Any]:
    return {"id": pair.id, "instruction": exchange.question, "output": exchange.text}


ALPACA = Format(
    name="alpaca",
    extension="jsonl",
    writer=Lines,
    row=instruction,
    help='rows {"id", "instruction", "output"}',
    card="Instructions and outputs",
)


def test_one_row_adds_a_format(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, ALPACA.name, ALPACA)
    request = Request(
        form=ALPACA, tasks=("python_to_cuda",), fractions={"train": 1.0}, required=(), only=(), exclude=(), shard_size=25
    )
    manifest, written = export(Dataset.open(small), request, tmp_path / "out")
    assert (written, manifest.arguments.format, manifest.lines) == (True, "alpaca", 40)
    files = sorted((tmp_path / "out").glob("train-*.jsonl"))
    rows = [json.loads(line) for path in files for line in path.read_text().splitlines()]
    assert [len(path.read_text().splitlines()) for path in files] == [25, 15]
    assert {row["id"]: row["output"] for row in rows} == {
        record["id"]: re.sub(r"// \S+\.py:\d+\n", "", record["cuda_ir_forward"]) for record in records_of(small)
    }
    card = (tmp_path / "out" / "README.md").read_text()
    assert "Instructions and outputs,\nmade of 40 pairs" in card
    assert "--format alpaca" in card


def test_help_lists_all_formats() -> None:
    choice = next(option.type for option in export_command.params if option.name == "forms")
    assert isinstance(choice, click.Choice)
    assert list(choice.choices) == list(FORMATS)
    for row in FORMATS.values():
        assert f"{row.name:14} {row.help}" in (export_command.epilog or "")
