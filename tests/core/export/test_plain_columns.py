"""Tables of records with stand-alone CUDA have its columns; rows of prompts do not contain it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from core.export.exports import all_rows, records_of

Run = Callable[..., Any]
TEXT = "__global__ void plain_answer(float* y, int n) {}\n"
RIGHT = {"launches": 7, "problem": "", "reason": ""}
MISSING = {"launches": 0, "problem": "unsupported", "reason": "wp.tile_load as a function"}


@pytest.fixture
def with_plain(small: Path, tmp_path: Path) -> Path:
    """Ten records with stand-alone CUDA, except for the first, which has a reason instead."""
    path = tmp_path / "plain.jsonl"
    with path.open("w") as file:
        for number, record in enumerate(records_of(small)[:10]):
            metadata = record.pop("metadata") | {"plain": RIGHT if number else MISSING}
            record |= {"cuda_plain": TEXT if number else None, "metadata": metadata}
            file.write(json.dumps(record) + "\n")
    return path


def test_tables_have_columns_of_stand_alone_cuda(run: Run, with_plain: Path, tmp_path: Path) -> None:
    folder = tmp_path / "parquet"
    summary = json.loads(run("core", "export", with_plain, "--split", "1", "--json", "-o", folder).stdout)
    rows = {row["id"]: row for row in all_rows(folder)}
    records = [json.loads(line) for line in with_plain.read_text().splitlines()]
    assert len(rows) == len(records)
    for record in records:
        row = rows[record["id"]]
        assert row["cuda_plain"] == record["cuda_plain"]
        assert row["metadata"]["plain"] == record["metadata"]["plain"]
        assert "ptx_forward" not in row
    assert summary["texts"]["cuda_plain"] == 9
    datasets = pytest.importorskip("datasets", reason="the library reads the table")
    (split,) = datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache")).values()
    assert [row["cuda_plain"] for row in split] == [rows[row["id"]]["cuda_plain"] for row in split]


def test_other_tables_have_none(run: Run, small: Path, tmp_path: Path) -> None:
    run("core", "export", small, "--split", "1", "-o", tmp_path / "parquet")
    for path in (tmp_path / "parquet").glob("*.parquet"):
        schema = pq.read_schema(path)
        assert "cuda_plain" not in schema.names
        assert "plain" not in [field.name for field in schema.field("metadata").type]


def test_rows_of_prompts_do_not_contain_the_answer(run: Run, with_plain: Path, tmp_path: Path) -> None:
    run("core", "export", with_plain, "--format", "prompt", "--split", "1", "-o", tmp_path / "prompt")
    rows = all_rows(tmp_path / "prompt")
    asked = [row for row in rows if row["task"] == "python_to_plain_cuda"]
    assert len(asked) == 9
    assert all(row["pair"] is not None for row in asked)
    for row in rows:
        assert "plain_answer" not in json.dumps(row)
        assert '"plain"' not in (row["pair"] or "")
