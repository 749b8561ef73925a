"""Production: the plan decides the bytes, whatever the number of workers, after kills and with missing files.

Folders with other files or datasets of other arguments are not changed.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import filelock
import pytest

from made_datasets import BOTH, SMALL
from plans import core_plan
from warpsmith.core.errors import WarpsmithError
from warpsmith.synthesis.production.produce import produce
from warpsmith.synthesis.production.synthesis_workers import local_processes

PLAN = core_plan(100, shard_size=25)
"""The plan of `BOTH`."""
CHUNKED = ("-n", 150, "-d", "cuda", "--shard-size", 150)  # arguments of `chunked`

Run = Callable[..., subprocess.CompletedProcess[str]]
Files = Callable[[Path], dict[str, str]]


def made(done: subprocess.CompletedProcess[str]) -> int:
    return json.loads(done.stdout)["made"]


def lines(folder: Path) -> list[bytes]:
    return [line for path in sorted(folder.glob("pairs-*.jsonl")) for line in path.read_bytes().splitlines()]


def test_bytes_do_not_depend_on_workers(run: Run, small: Path, tmp_path: Path, files: Files) -> None:
    folder = tmp_path / "two"  # `small` is made by one
    run("synthesis", "make", *SMALL, "--workers", 2, "-o", folder)
    expected = {*(f"pairs-{shard:05}.jsonl" for shard in range(4)), "rejects.jsonl", "manifest.json", "README.md"}
    assert set(files(folder)) == expected
    assert files(folder) == files(small)


def test_a_killed_run_continues_to_the_same_bytes(
    run: Run, start: Callable[..., Any], wait_for: Callable[..., Any], chunked: Path, tmp_path: Path, files: Files
) -> None:
    folder = tmp_path / "killed"
    process = start(*CHUNKED, "--workers", 1, "-o", folder)
    wait_for(lambda: list((folder / ".work").glob("pairs-00000-000.jsonl.json")))
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(60)
    assert not list(folder.glob("pairs-*.jsonl")), "the shard was complete before the kill"

    again = run("synthesis", "make", *CHUNKED, "--workers", 1, "--json", "-o", folder)

    assert made(again) in range(50, 150, 50)
    assert files(folder) == files(chunked)


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"seed": 2001}, "seed is 2000 there and 2001 now"),
        ({"device": "cuda"}, "device is 'both' there and 'cuda' now"),
        ({"backward": False}, "backward is True there and False now"),
        ({"codegen_only": False}, "codegen_only is True there and False now"),
        ({"categories": ("vector",)}, "categories is ["),
        ({"shard_size": 100}, "shard_size is 25 there and 100 now"),
        ({"plain": True}, "plain is False there and True now"),
    ],
)
def test_other_arguments_are_an_error(dataset: Path, files: Files, change: dict[str, Any], difference: str) -> None:
    before = files(dataset)
    with pytest.raises(WarpsmithError) as error:
        produce(replace(PLAN, **change), dataset, local_processes(1))
    assert error.value.exit_code == 2
    assert str(error.value).startswith(f"{dataset} contains another dataset: {difference}")
    assert "; " not in str(error.value)
    assert files(dataset) == before


def test_the_error_for_other_arguments_is_one_line(run: Run, dataset: Path, files: Files) -> None:
    before = files(dataset)
    done = run("synthesis", "make", *BOTH, "--seed", 1, "-n", 9, "-o", dataset, expect=2)
    (error,) = done.stderr.splitlines()
    assert error.startswith(f"error: {dataset} contains another dataset: seed is 2000 there and 1 now. Choose")
    assert "--output" in error
    assert files(dataset) == before


def test_other_arguments_are_an_error_for_an_incomplete_dataset(run: Run, own_dataset: Path, files: Files) -> None:
    manifest = json.loads((own_dataset / "manifest.json").read_text())
    (own_dataset / "manifest.json").unlink()
    (own_dataset / ".work").mkdir()
    plan = {"arguments": manifest["arguments"], "versions": manifest["versions"]}
    (own_dataset / ".work" / "plan.json").write_text(json.dumps(plan))
    before = files(own_dataset)
    done = run("synthesis", "make", *BOTH, "--seed", 1, "-o", own_dataset, expect=2)
    assert "seed is 2000 there and 1 now" in done.stderr
    assert files(own_dataset) == before


def test_other_versions_are_an_error(run: Run, own_dataset: Path, files: Files) -> None:
    path = own_dataset / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["versions"]["generator"] = "0"
    path.write_text(json.dumps(manifest))
    before = files(own_dataset)
    done = run("synthesis", "make", *BOTH, "-o", own_dataset, expect=2)
    assert "generator is '0' there and" in done.stderr
    assert files(own_dataset) == before


def test_other_files_in_the_folder_are_not_changed(run: Run, tmp_path: Path, files: Files) -> None:
    (tmp_path / "thesis.tex").write_text("ten years of work")
    (tmp_path / "data").mkdir()
    done = run("synthesis", "make", *BOTH, "-o", tmp_path, expect=2)
    (error,) = done.stderr.splitlines()
    assert "thesis.tex" in error
    assert "--output" in error
    assert list(files(tmp_path)) == ["thesis.tex"]
    assert (tmp_path / "thesis.tex").read_text() == "ten years of work"


def test_a_complete_dataset_is_not_changed(run: Run, own_small: Path, files: Files) -> None:
    before = files(own_small), {path.name: path.stat().st_mtime_ns for path in own_small.iterdir()}
    done = run("synthesis", "make", *SMALL, "--json", "-o", own_small)
    assert made(done) == 0
    assert (files(own_small), {path.name: path.stat().st_mtime_ns for path in own_small.iterdir()}) == before
    assert "already complete" in run("synthesis", "make", *SMALL, "-o", own_small).stderr


@pytest.mark.sampled(1)
@pytest.mark.parametrize("damage", ["deleted", "truncated"])
def test_a_missing_shard_is_made_again(run: Run, small: Path, own_small: Path, files: Files, damage: str) -> None:
    shard = own_small / "pairs-00001.jsonl"
    shard.unlink() if damage == "deleted" else os.truncate(shard, shard.stat().st_size - 1)
    assert made(run("synthesis", "make", *SMALL, "--json", "-o", own_small)) == 10
    assert files(own_small) == files(small)


def test_selected_categories_have_the_pairs_of_the_whole_dataset(run: Run, dataset: Path, tmp_path: Path) -> None:
    run("synthesis", "make", *BOTH[2:], "-n", 20, "--workers", 1, "--categories", "vector,atomic", "-o", tmp_path / "some")
    whole = {json.loads(line)["id"]: line for line in lines(dataset)}
    some = lines(tmp_path / "some")
    assert len(some) == 20
    assert {json.loads(line)["metadata"]["category"] for line in some} == {"vector", "atomic"}
    assert all(whole[json.loads(line)["id"]] == line for line in some)


@pytest.mark.exhaustive
def test_the_shard_size_does_not_change_the_pairs(run: Run, small: Path, tmp_path: Path) -> None:
    run("synthesis", "make", *SMALL, "--shard-size", 17, "-o", tmp_path / "cut")
    assert [len(path.read_bytes().splitlines()) for path in sorted((tmp_path / "cut").glob("pairs-*"))] == [17, 17, 6]
    assert lines(tmp_path / "cut") == lines(small)


def test_a_second_run_in_a_folder_is_an_error(run: Run, tmp_path: Path, files: Files) -> None:
    folder = tmp_path / "busy"
    (folder / ".work").mkdir(parents=True)
    with filelock.FileLock(folder / ".work" / "lock"):
        before = files(folder)
        done = run("synthesis", "make", "-n", 5, "-o", folder, expect=2)
        assert files(folder) == before
    (error,) = done.stderr.splitlines()
    assert error.startswith(f"error: another run is at work in {folder}")
    assert "--output" in error
    run("synthesis", "make", "-n", 5, "--workers", 1, "-o", folder)
    assert len(lines(folder)) == 5


@pytest.mark.parametrize("content", ["{", "[]", "null", '{"arguments": {}}'])
def test_a_damaged_manifest_is_an_error_and_not_changed(own_dataset: Path, files: Files, content: str) -> None:
    (own_dataset / "manifest.json").write_text(content)
    before = files(own_dataset)
    with pytest.raises(WarpsmithError, match=r"choose another folder, or delete this one") as error:
        produce(PLAN, own_dataset, local_processes(1))
    assert str(own_dataset) in str(error.value)
    assert files(own_dataset) == before
