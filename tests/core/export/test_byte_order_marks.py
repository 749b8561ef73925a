"""A byte order mark, which some editors and Windows programs write, is no part of a file's content."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.export.exports import Here, records_of
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.line_index import index_dataset
from warpsmith.core.records.jsonl import raw_lines, read_pairs
from warpsmith.scoring.tasks.completions import read_completions

Run = Callable[..., Any]


@pytest.fixture
def marked(small: Path, tmp_path: Path) -> Path:
    """A file of ten pairs that starts with a byte order mark."""
    path = tmp_path / "marked.jsonl"
    path.write_bytes(codecs.BOM_UTF8 + (small / "pairs-00000.jsonl").read_bytes())
    return path


def test_the_first_record_is_read(marked: Path, small: Path) -> None:
    assert [pair.id for pair in read_pairs(marked)] == [record["id"] for record in records_of(small)][:10]
    (index,) = index_dataset(Dataset.open(marked).shards)
    assert len(index.ids) == 10


@pytest.mark.parametrize("content", [b"", b"\n", b"\r\n \n"])
def test_a_mark_alone_is_an_empty_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "empty.jsonl").write_bytes(codecs.BOM_UTF8 + content)
    assert list(raw_lines(tmp_path / "empty.jsonl")) == []


def test_a_mark_within_a_file_is_content(tmp_path: Path) -> None:
    (tmp_path / "two.jsonl").write_bytes(b"{}\n" + codecs.BOM_UTF8 + b"{}\n")
    assert [raw for _, raw in raw_lines(tmp_path / "two.jsonl")] == [b"{}\n", codecs.BOM_UTF8 + b"{}\n"]


def test_exports_contain_the_first_record(here: Here, marked: Path, tmp_path: Path) -> None:
    code, _, err = here(marked, "-o", tmp_path / "out", "--format", "jsonl", "--split", "1")
    assert code == 0, err
    assert (tmp_path / "out" / "train-00000.jsonl").read_bytes() == marked.read_bytes().removeprefix(codecs.BOM_UTF8)


@pytest.mark.parametrize("name", ["benchmark.py", "benchmark.txt", "benchmark.jsonl"])
def test_benchmarks_may_have_a_mark(here: Here, small: Path, tmp_path: Path, name: str) -> None:
    record = records_of(small)[0]
    text = record["python_source"] if name != "benchmark.jsonl" else json.dumps({"text": record["python_source"]}) + "\n"
    (tmp_path / name).write_bytes(codecs.BOM_UTF8 + text.encode())
    code, _, err = here(small, "-o", tmp_path / "out", "--format", "jsonl", "--exclude", tmp_path / name)
    assert code == 0, err
    assert f"{name}: 1 pairs close to one of 1 texts" in err


def test_completions_may_have_a_mark(tmp_path: Path) -> None:
    path = tmp_path / "completions.jsonl"
    path.write_bytes(codecs.BOM_UTF8 + b'{"task_id": "a", "completion": "b"}\n')
    assert [one.task_id for one in read_completions(path)] == ["a"]


KERNEL = """import warp as wp


@wp.kernel
def scale(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = 2.0 * x[i]
"""
LAUNCHES = {"scale": {"dim": 4, "inputs": {"x": {"shape": [4], "low": 0, "high": 1}, "y": {"shape": [4]}}}}


def test_sources_and_launches_may_have_a_mark(run: Run, tmp_path: Path) -> None:
    (tmp_path / "launches.json").write_bytes(codecs.BOM_UTF8 + json.dumps(LAUNCHES).encode())
    (tmp_path / "kernels.py").write_bytes(codecs.BOM_UTF8 + KERNEL.encode())
    for target, text in ((tmp_path / "kernels.py", ""), ("-", codecs.BOM_UTF8.decode() + KERNEL)):
        done = run("extraction", target, "--launches", tmp_path / "launches.json", input=text)
        assert json.loads(done.stdout)["metadata"]["launch"]["dim"] == [4]
        assert "\ufeff" not in json.loads(done.stdout)["python_source"]
