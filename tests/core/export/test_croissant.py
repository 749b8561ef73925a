"""Croissant metadata of exports: files, digests and columns, checked by the library of the format where it is installed."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from warpsmith.core.errors import TargetError
from warpsmith.core.export.croissant import write_croissant


@pytest.fixture(scope="module", params=["chat", "parquet"])
def original(
    request: pytest.FixtureRequest, run: Callable[..., Any], small: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    folder = tmp_path_factory.mktemp("exported") / "out"
    run("core", "export", small, "--format", request.param, "--split", "0.8,0.2", "-o", folder)
    return folder


@pytest.fixture
def exported(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "out"))


def test_files_and_columns_are_those_of_the_export(exported: Path) -> None:
    described = json.loads(write_croissant(exported, "2026-12-01").read_text())
    assert described["datePublished"] == "2026-12-01"
    assert described["license"] == "https://www.apache.org/licenses/LICENSE-2.0"
    for entry in described["distribution"]:
        content = (exported / entry["contentUrl"]).read_bytes()
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
        assert entry["contentSize"] == f"{len(content)} B"
    files = sorted(path.name for path in exported.glob("*.parquet"))
    assert sorted(entry["@id"] for entry in described["distribution"]) == files
    for records, entry in zip(described["recordSet"], described["distribution"], strict=True):
        names = [field["@id"].removeprefix(f"{records['@id']}/") for field in records["field"]]
        assert names == pq.read_schema(exported / entry["@id"]).names


@pytest.mark.filterwarnings("ignore")  # of the libraries that it uses
def test_the_library_of_the_format_accepts_it(exported: Path) -> None:
    library = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed")
    dataset = library.Dataset(jsonld=str(write_croissant(exported, "2026-12-01")))
    assert not dataset.metadata.issues.errors
    assert not dataset.metadata.issues.warnings
    first = dataset.metadata.record_sets[0]
    row = next(iter(dataset.records(record_set=first.uuid)))
    expected = pq.ParquetFile(exported / f"{first.uuid}.parquet").read_row_group(0).to_pylist()[0]
    assert row[f"{first.uuid}/id"].decode() == expected["id"]


def test_a_changed_file_is_an_error(exported: Path) -> None:
    with (exported / "train-00000.parquet").open("ab") as file:
        file.write(b"x")
    with pytest.raises(TargetError, match="not the file that was written"):
        write_croissant(exported)
