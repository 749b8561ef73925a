"""Invalid requests, datasets, folders and a missing extra end with one line that names a solution, and leave no files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import filelock
import pytest

from core.export.exports import Here, all_rows, contents, records_of


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--split", "0.9"), "--split is one to three shares that add up to 1"),
        (("--split", "0.9,0.2"), "--split is"),
        (("--split", "0.5,0.25,0.125,0.125"), "--split is"),
        (("--split", "1.5,-0.5"), "--split is"),
        (("--split", "nan,1"), "--split is"),
        (("--split", "most"), "--split is"),
        (("--split", ""), "--split is"),
        (("--format", "csv"), "'csv' is not one of"),
        (("--format", "chat", "--task", "python_to_rust"), "unknown task python_to_rust; choose from python_to_cuda"),
        (("--task", "python_to_cuda"), "--task goes with --format chat or completion"),
        (("--require", "gradient"), "is not LEVEL=STATUS"),
        (("--require", "gradient=pass"), "has no verdict of the level 'gradient': run warpsmith-validate"),
        (("--exclude", "no-such-file.py"), "no such file of benchmark texts: no-such-file.py"),
        (("--shard-size", 0), "0 is not in the range"),
    ],
)
def test_an_invalid_request_is_one_line(
    here: Here, small: Path, tmp_path: Path, options: tuple[Any, ...], message: str
) -> None:
    code, out, err = here(small, "-o", tmp_path / "out", *options)
    assert (code, out) == (2, "")
    assert message in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("truncated.jsonl", b'{"a": "b"}\n{"a": ', "truncated.jsonl:2: not JSON"),
        ("binary.txt", b"\xff\xfe\x00", "cannot read"),
    ],
)
def test_an_invalid_benchmark_is_one_line(
    here: Here, small: Path, tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    code, _, err = here(small, "-o", tmp_path / "out", "--exclude", tmp_path / name)
    assert code == 2
    assert message in err
    assert [path.name for path in tmp_path.iterdir()] == [name]


def truncate(folder: Path) -> None:
    path = folder / "pairs-00002.jsonl"
    path.write_bytes(path.read_bytes()[:-500])


def remove_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


def damage_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_text('{"shards": [{"file"')


def change_arguments(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"arguments": ["none"]}))


def remove_shard(folder: Path) -> None:
    (folder / "pairs-00001.jsonl").unlink()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (truncate, "is not whole: pairs-00002.jsonl is not the file that was made"),
        (remove_manifest, "is not whole: there is no manifest.json"),
        (damage_manifest, "manifest.json is damaged"),
        (change_arguments, "manifest.json is damaged"),
        (remove_shard, "is not whole: pairs-00001.jsonl is missing"),
    ],
)
def test_an_incomplete_dataset_is_not_exported(
    here: Here, own_small: Path, tmp_path: Path, damage: Callable[[Path], None], message: str
) -> None:
    damage(own_small)
    code, out, err = here(own_small, "-o", tmp_path / "out")
    assert (code, out) == (2, "")
    assert message in err
    assert [path.name for path in tmp_path.iterdir()] == ["copy"]


def test_an_invalid_line_is_left_out_and_counted(here: Here, small: Path, tmp_path: Path) -> None:
    lines = (small / "pairs-00000.jsonl").read_bytes()
    (tmp_path / "truncated.jsonl").write_bytes(lines[:-100])
    code, _, err = here(tmp_path / "truncated.jsonl", "-o", tmp_path / "out", "--format", "jsonl.zst")
    assert code == 0
    assert "1 lines left out because they are no records" in err
    assert json.loads((tmp_path / "out" / "export.json").read_text())["left_out"]["not_records"] == 1
    assert [row["id"] for row in all_rows(tmp_path / "out")] == [row["id"] for row in records_of(small)][:9]


def test_reasons_why_no_pair_is_left_are_sentences(here: Here, small: Path, tmp_path: Path) -> None:
    (tmp_path / "taken.jsonl").write_bytes((small / "pairs-00000.jsonl").read_bytes())
    with (tmp_path / "taken.jsonl").open("ab") as file:
        file.write(b"{}\n")
    code, _, err = here(tmp_path / "taken.jsonl", "-o", tmp_path / "out", "--exclude", tmp_path / "taken.jsonl")
    assert code == 2
    (line,) = [line for line in err.splitlines() if line.startswith("error: ")]
    assert "taken.jsonl: 10 pairs close to one of " in line
    assert "1 lines left out because they are no records" in line
    for mark in ("LeftOut", "(by_verdict", "ExcludedCounts", "{", "="):
        assert mark not in line


def test_a_folder_with_other_files_is_left_alone(here: Here, small: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    code, _, err = here(small, "-o", tmp_path)
    assert code == 2
    assert "is not empty and holds no export" in err
    assert here(small, "-o", small)[0] == 2
    assert here(small, "-o", tmp_path / "notes.txt")[0] == 2
    assert contents(tmp_path) == {"notes.txt": b"mine"}


def test_an_empty_folder_is_filled(summary: Callable[..., dict[str, Any]], small: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert summary(small, "-o", tmp_path / "out")["made"] is True


def test_another_export_is_not_overwritten(here: Here, small: Path, tmp_path: Path) -> None:
    here(small, "-o", tmp_path / "out")
    before = contents(tmp_path / "out")
    code, _, err = here(small, "-o", tmp_path / "out", "--split", "0.5,0.5", "--shard-size", 7)
    assert code == 2
    assert "holds another export, whose shard_size, split differ" in err
    assert contents(tmp_path / "out") == before


def test_a_damaged_export_is_not_complete(here: Here, small: Path, tmp_path: Path) -> None:
    here(small, "-o", tmp_path / "out")
    (tmp_path / "out" / "train-00000.parquet").write_bytes(b"PAR1")
    code, _, err = here(small, "-o", tmp_path / "out")
    assert code == 2
    assert "train-00000.parquet is missing or not the file that was written" in err
    (tmp_path / "out" / "export.json").write_text("{}")
    assert "export.json is damaged" in here(small, "-o", tmp_path / "out")[2]


def test_leftovers_of_a_killed_run_are_removed(summary: Callable[..., dict[str, Any]], small: Path, tmp_path: Path) -> None:
    work = tmp_path / ".out.work"
    work.mkdir()
    (work / "train-00007.parquet").write_text("half")
    summary(small, "-o", tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert not (tmp_path / "out" / "train-00007.parquet").exists()


def test_a_second_run_in_the_same_folder_is_refused(here: Here, small: Path, tmp_path: Path) -> None:
    work = tmp_path / ".out.work"
    work.mkdir()
    with filelock.FileLock(work / ".lock"):
        code, _, err = here(small, "-o", tmp_path / "out")
    assert code == 2
    assert "another run is at work" in err


@pytest.mark.parametrize(("library", "form"), [("pyarrow", "parquet"), ("zstandard", "chat.zst"), ("rensa", "jsonl")])
def test_a_missing_library_is_an_error_that_names_the_extra(
    run: Any, small: Path, tmp_path: Path, library: str, form: str
) -> None:
    (tmp_path / f"{library}.py").write_text("raise ImportError('not installed')\n")
    environment = {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    done = run("core", "export", small, "--format", form, "-o", tmp_path / "out", expect=2, env=environment)
    assert "export needs the extra warpsmith-core[export]: " in done.stderr
    assert f"'{library}" in done.stderr.partition(" pip install ")[2]
    assert not (tmp_path / "out").exists()
    run("core", "export", "--help", env=environment)
