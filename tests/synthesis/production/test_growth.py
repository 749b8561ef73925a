"""A larger count extends a dataset: what is there keeps its bytes, and the whole has the bytes of one run."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plans import core_plan
from warpsmith.core.datasets.manifest import Manifest
from warpsmith.core.errors import WarpsmithError
from warpsmith.synthesis.production.produce import produce
from warpsmith.synthesis.production.synthesis_workers import local_processes

Run = Callable[..., subprocess.CompletedProcess[str]]
Files = Callable[[Path], dict[str, str]]

PARTS = ("-d", "cuda", "--shard-size", 20, "--workers", 1)


def make(run: Run, folder: Path, count: int, **options: Any) -> subprocess.CompletedProcess[str]:
    return run("synthesis", "make", "-n", count, *PARTS, "-o", folder, **options)


@pytest.fixture(scope="module")
def whole(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of 70 pairs in four shards, made at once."""
    folder = tmp_path_factory.mktemp("whole") / "cuda"
    make(run, folder, 70)
    return folder


@pytest.mark.parametrize("first", [20, *(pytest.param(count, marks=pytest.mark.exhaustive) for count in (10, 50, 60))])
def test_a_larger_count_gives_the_bytes_of_one_run(run: Run, whole: Path, tmp_path: Path, files: Files, first: int) -> None:
    folder = tmp_path / "cuda"
    make(run, folder, first)
    complete = sorted(folder.glob("pairs-*.jsonl"))[: first // 20]
    before = {path: path.stat().st_mtime_ns for path in complete}
    done = make(run, folder, 70)
    assert f"extended from {first} pairs" in done.stderr
    assert files(folder) == files(whole)
    assert {path: path.stat().st_mtime_ns for path in complete} == before


@pytest.mark.exhaustive
def test_a_killed_extension_continues(
    run: Run, start: Callable[..., Any], wait_for: Callable[..., Any], whole: Path, tmp_path: Path, files: Files
) -> None:
    folder = tmp_path / "cuda"
    make(run, folder, 30)
    process = start("-n", 70, *PARTS, "-o", folder)
    wait_for((folder / "pairs-00002.jsonl").exists)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(60)
    make(run, folder, 70)
    assert files(folder) == files(whole)


@pytest.mark.exhaustive
def test_an_unfinished_dataset_is_extended_without_its_unfinished_chunks(tmp_path: Path, files: Files) -> None:
    """The second chunk of the smaller plan has as many pairs as the second chunk of the larger one, but others."""
    folder, executor = tmp_path / "both", local_processes(1)
    smaller = core_plan(230, device="cuda", backward=False, shard_size=250)
    larger = core_plan(260, device="cuda", backward=False, shard_size=250)
    assert smaller.chunks(0)[1].stop - smaller.chunks(0)[1].start == larger.chunks(0)[1].stop - larger.chunks(0)[1].start

    class StoppedError(Exception):
        pass

    class Stopping:
        """An executor that is stopped after two chunks."""

        remote, workers = False, 1

        def run(self, work: Any, items: Any, report: Any) -> Any:
            for number, done in enumerate(executor.run(work, items, report)):
                yield done
                if number == 1:
                    raise StoppedError

    with pytest.raises(StoppedError):
        produce(smaller, folder, Stopping())  # type: ignore[arg-type]
    assert len(list((folder / ".work").glob("pairs-00000-*.jsonl"))) == 2
    produce(larger, folder, executor)
    at_once = tmp_path / "at_once"
    produce(larger, at_once, executor)
    assert files(folder) == files(at_once)


def test_a_smaller_count_is_refused_and_changes_nothing(whole: Path, files: Files) -> None:
    before = files(whole)
    plan = core_plan(50, device="cuda", backward=False, shard_size=20)
    with pytest.raises(WarpsmithError, match=r"contains a dataset of 70 pairs, which does not shrink to 50: .* 70 or more"):
        produce(plan, whole, local_processes(1))
    assert files(whole) == before


@pytest.mark.exhaustive
def test_verdicts_of_complete_shards_stay(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "cuda"
    make(run, folder, 30)
    run("validation", "run", folder, "--workers", 1)
    make(run, folder, 70)
    done = run("validation", "run", folder, "--workers", 1, "--json")
    assert '"reused":20' in done.stdout  # the pairs of the first shard
    manifest = Manifest.read(folder)
    assert manifest is not None
    assert manifest.pairs == 70
