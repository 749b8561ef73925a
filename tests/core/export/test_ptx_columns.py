"""Tables of records with PTX have its columns; other tables do not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from core.export.exports import all_rows, records_of

FIGURES = {"instructions": 3, "registers": 8, "stack": 0, "shared": 0, "spill_stores": 0, "spill_loads": 0, "counts": None}


@pytest.fixture
def with_ptx(small: Path, tmp_path: Path) -> Path:
    """Ten records, all but the first with PTX."""
    path = tmp_path / "ptx.jsonl"
    with path.open("w") as file:
        for number, record in enumerate(records_of(small)[:10]):
            if number:
                metadata = record.pop("metadata")
                record |= {"ptx_forward": f".version 9.0 // {number}", "ptx_backward": None if number % 2 else ".version 9.0"}
                metadata["ptx"] = {"arch": "sm_80", "forward": FIGURES, "backward": None if number % 2 else FIGURES}
                record["metadata"] = metadata
            file.write(json.dumps(record) + "\n")
    return path


def test_tables_have_columns_of_ptx(run: Callable[..., Any], with_ptx: Path, tmp_path: Path) -> None:
    folder = tmp_path / "parquet"
    done = run("core", "export", with_ptx, "--split", "1", "--json", "-o", folder)
    rows = {row["id"]: row for row in all_rows(folder)}
    records = [json.loads(line) for line in with_ptx.read_text().splitlines()]
    assert len(rows) == len(records)
    for record in records:
        row = rows[record["id"]]
        assert (row["ptx_forward"], row["ptx_backward"]) == (record.get("ptx_forward"), record.get("ptx_backward"))
        ptx = row["metadata"]["ptx"]
        assert (ptx and json.loads(ptx)) == record["metadata"].get("ptx")
        assert row["python_source"] == record["python_source"]
    summary = json.loads(done.stdout)
    assert (summary["texts"]["ptx_forward"], summary["texts"]["ptx_backward"]) == (9, 4)
    assert summary["tokens"]["ptx_forward"]["rows"] == 9
    datasets = pytest.importorskip("datasets", reason="the library reads the table")
    (split,) = datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache")).values()
    assert [row["ptx_forward"] for row in split] == [rows[row["id"]]["ptx_forward"] for row in split]


def test_other_tables_have_none(run: Callable[..., Any], small: Path, tmp_path: Path) -> None:
    run("core", "export", small, "--split", "1", "-o", tmp_path / "parquet")
    for path in (tmp_path / "parquet").glob("*.parquet"):
        schema = pq.read_schema(path)
        assert not [name for name in schema.names if name.startswith("ptx")]
        assert "ptx" not in [field.name for field in schema.field("metadata").type]
