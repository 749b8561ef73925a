"""One shard of a dataset can be exported and filtered as a file; a folder without its manifest cannot."""

from __future__ import annotations

import shutil
from pathlib import Path

from core.export.exports import Here, all_rows, records_of
from warpsmith.core.datasets.dataset_folder import Dataset


def test_a_shard_needs_no_manifest(here: Here, small: Path, tmp_path: Path) -> None:
    (tmp_path / "alone").mkdir()
    copy = tmp_path / "alone" / "pairs-00000.jsonl"
    shutil.copy(small / copy.name, copy)
    for number, path in enumerate((copy, small / copy.name)):
        code, _, err = here(path, "-o", tmp_path / f"out-{number}", "--format", "jsonl.zst")
        assert code == 0, err
        assert sorted(row["id"] for row in all_rows(tmp_path / f"out-{number}")) == sorted(
            record["id"] for record in records_of(small)[:10]
        )
    assert list(Dataset.open(copy).problems()) == []


def test_a_folder_with_one_shard_does(here: Here, small: Path, tmp_path: Path) -> None:
    (tmp_path / "alone").mkdir()
    shutil.copy(small / "pairs-00000.jsonl", tmp_path / "alone")
    code, _, err = here(tmp_path / "alone", "-o", tmp_path / "out")
    assert code == 2
    assert "is not whole: there is no manifest.json" in err
