"""`validate_dataset`: pairs without verdicts are checked, each gets one line per level, and an interrupted run continues."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from command_line import start_code
from processes import descendants_of, is_alive
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.execution.executor import InProcess
from warpsmith.validation.dataset_run import validate_dataset

Table = dict[str, list[dict[str, Any]]]


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("pairs-*.jsonl")}


def written(folder: Path) -> Table:
    """Return the verdicts by file, without times."""
    return {
        path.name: [json.loads(line) | {"ms": 0} for line in path.read_text().splitlines()]
        for path in sorted(folder.glob("verdicts-*.jsonl"))
    }


def mtimes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("verdicts-*.jsonl")}


def verdicts_of_one_worker(run: Any, dataset: Path, copy: Path) -> Table:
    """Return the verdicts of an uninterrupted run with one worker."""
    for path in dataset.glob("*.json*"):
        if not path.name.startswith("verdicts"):
            (copy / path.name).write_bytes(path.read_bytes())
    run("validation", "run", copy, "--level", "regenerate", "--workers", 1)
    return written(copy)


@pytest.fixture(scope="module")
def medium(run: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a dataset of four shards with 20 pairs each: enough time for a kill after the first shard."""
    folder = tmp_path_factory.mktemp("medium") / "both"
    run("synthesis", "make", "-n", 80, "--shard-size", 20, "-d", "both", "-b", "--workers", 1, "-o", folder)
    return folder


@pytest.fixture(scope="module")
def undisturbed(run: Any, medium: Path, tmp_path_factory: pytest.TempPathFactory) -> Table:
    return verdicts_of_one_worker(run, medium, tmp_path_factory.mktemp("undisturbed"))


@pytest.fixture(scope="module")
def undisturbed_small(run: Any, small: Path, tmp_path_factory: pytest.TempPathFactory) -> Table:
    return verdicts_of_one_worker(run, small, tmp_path_factory.mktemp("undisturbed"))


def test_one_line_per_pair_and_level(run: Any, own_small: Path) -> None:
    before = digests(own_small)
    run("validation", "run", own_small)
    assert digests(own_small) == before
    for shard in sorted(own_small.glob("pairs-*.jsonl")):
        ids = [json.loads(line)["id"] for line in shard.read_text().splitlines()]
        lines = (own_small / shard.name.replace("pairs", "verdicts")).read_text().splitlines()
        records = [json.loads(line) for line in lines]
        assert [(record["id"], record["level"]) for record in records] == [
            (identity, level) for identity in ids for level in ("schema", "parse")
        ]
        assert all(list(record) == ["line", "id", "level", "status", "reason", "ms"] for record in records)
        assert all(record["status"] == "pass" and record["reason"] == "" and record["ms"] >= 0 for record in records)


def test_pairs_with_verdicts_are_checked_only_with_again(run: Any, own_small: Path) -> None:
    run("validation", "run", own_small, "--workers", 1)
    first = mtimes(own_small)
    assert len(first) == 4
    assert json.loads(run("validation", "run", own_small, "--json").stdout)["levels"]["parse"] == {"pass": 40}
    assert mtimes(own_small) == first
    run("validation", "run", own_small, "--again", "--workers", 1)
    assert all(mtimes(own_small)[name] > time for name, time in first.items())


def test_a_changed_shard_is_checked_again(run: Any, own_small: Path) -> None:
    run("validation", "run", own_small, "--workers", 1)
    first = mtimes(own_small)
    shard = own_small / "pairs-00002.jsonl"
    shard.write_bytes(shard.read_bytes().replace(b"@wp.kernel", b"@wp.func", 1))
    os.utime(shard, (0, 0))  # a wrong clock
    os.utime(own_small / "pairs-00001.jsonl", (2**33, 2**33))  # a copy has a new time
    result = json.loads(run("validation", "run", own_small, "--json", expect=1).stdout)
    assert result["levels"]["parse"] == {"pass": 39, "fail": 1}
    assert [name for name, time in mtimes(own_small).items() if time != first[name]] == ["verdicts-00002.jsonl"]


@pytest.mark.exhaustive
def test_a_higher_level_adds_to_the_verdicts(run: Any, own_small: Path, undisturbed_small: Table) -> None:
    run("validation", "run", own_small)
    run("validation", "run", own_small, "--level", "regenerate", "--workers", 2)
    for name, records in written(own_small).items():
        assert sorted(map(str, records)) == sorted(map(str, undisturbed_small[name]))


@pytest.mark.exhaustive
def test_two_workers_give_the_verdicts_of_one(run: Any, own_small: Path, undisturbed_small: Table) -> None:
    run("validation", "run", own_small, "--level", "regenerate", "--workers", 2)
    assert written(own_small) == undisturbed_small


def test_samples_are_reproducible_and_nested(run: Any, own_small: Path) -> None:
    chosen = []
    for size in (8, 8, 16):
        run("validation", "run", own_small, "--sample", size, "--again", "--level", "schema", "--workers", 1)
        chosen.append({record["id"] for records in written(own_small).values() for record in records})
        for path in own_small.glob("verdicts-*.jsonl"):
            path.unlink()
    assert [len(ids) for ids in chosen] == [8, 8, 16]
    assert chosen[0] == chosen[1] < chosen[2]


def test_a_sample_includes_every_shard_and_may_exceed_the_dataset(run: Any, own_small: Path) -> None:
    run("validation", "run", own_small, "--sample", 12, "--level", "schema", "--workers", 1)
    assert len(written(own_small)) == 4
    done = run("validation", "run", own_small, "--sample", 1000, "--level", "schema", "--workers", 1, "--json")
    assert json.loads(done.stdout)["pairs"] == 40


def test_hostile_pairs_affect_no_other_pair(own_small: Path, hostile_levels: Any) -> None:
    deeds = {3: "segfault", 11: "sleep", 39: "garbage"}
    hostile = {}
    for number, deed in deeds.items():
        shard = own_small / f"pairs-{number // 10:05}.jsonl"
        raw = shard.read_text().splitlines(keepends=True)
        record = json.loads(raw[number % 10])
        record["metadata"]["category"] = deed
        raw[number % 10] = json.dumps(record) + "\n"
        shard.write_text("".join(raw))
        hostile[record["id"]] = deed
    outcome = validate_dataset(Dataset.open(own_small), hostile_levels, module="hostile_levels", executor=InProcess(2))
    assert outcome.pairs == 40
    assert {verdict.id: verdict.level for verdict in outcome.failures} == dict.fromkeys(hostile, "odd")
    assert outcome.statuses == {
        "even": {"pass": 40},
        "odd": {"pass": 40 - len(deeds), "fail": len(deeds)},
        "last": {"pass": 40 - len(deeds), "skipped": len(deeds)},
    }


# ------------------------------------------------------------------------------------------------------------- interruption


def start(folder: Path, tool: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", start_code(tool), *arguments, str(folder), "--workers", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder.parent)},
        start_new_session=True,
    )


def wait_for(folder: Path, pattern: str = "verdicts-*.json") -> None:
    deadline = time.monotonic() + 30.0
    while not list(folder.glob(pattern)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(
    "by", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.exhaustive)], ids=["SIGKILL", "SIGINT"]
)
def test_an_interrupted_run_continues(run: Any, medium: Path, tmp_path: Path, undisturbed: Table, by: signal.Signals) -> None:
    own_dataset = Path(shutil.copytree(medium, tmp_path / "copies" / "both"))
    with start(own_dataset, "validation", "run", "--level", "regenerate") as process:
        wait_for(own_dataset)
        process.send_signal(by)
        descendants = descendants_of(process.pid)
        stopped = time.monotonic()
        _, stderr = process.communicate(timeout=60.0)
    assert time.monotonic() - stopped < 5.0
    assert "Traceback" not in stderr
    if by == signal.SIGINT:
        assert process.returncode == 130
        assert [path.name for path in own_dataset.iterdir() if path.name.endswith(".tmp")] == []
        assert [path.name for path in own_dataset.parent.iterdir()] == [own_dataset.name]
        assert "the same command continues" in stderr
    deadline = time.monotonic() + 5.0
    while (remaining := [child for child in descendants if is_alive(child)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert remaining == []
    kept = written(own_dataset)
    assert 1 <= len(kept) < 4
    assert kept.items() <= undisturbed.items()
    first = mtimes(own_dataset)
    run("validation", "run", own_dataset, "--level", "regenerate")
    assert written(own_dataset) == undisturbed
    assert {name: time for name, time in mtimes(own_dataset).items() if name in first} == first


def test_a_second_run_in_a_folder_is_an_error(run: Any, own_small: Path) -> None:
    with Dataset.open(own_small).locked():
        (error,) = run("validation", "run", own_small, "--level", "parse", expect=2).stderr.splitlines()
    assert error == f"error: another run validates the pairs in {own_small}; wait for it"
    assert list(own_small.glob("verdicts-*")) == []


def test_files_of_one_folder_are_checked_at_a_time(run: Any, own_small: Path, tmp_path: Path) -> None:
    """A file is locked alone; a run on the whole folder waits for no file, and no file for the folder."""
    (shard,) = list(own_small.glob("pairs-*.jsonl"))[:1]
    first, second = tmp_path / "pairs-a.jsonl", tmp_path / "pairs-b.jsonl"
    for path in (first, second):
        path.write_bytes(shard.read_bytes())
    with Dataset.open(first).locked():
        run("validation", "run", second, "--level", "schema")
        (error,) = run("validation", "run", first, "--level", "schema", expect=2).stderr.splitlines()
        assert error == f"error: another run validates the pairs in {first}; wait for it"
        assert "another run validates" in run("validation", "run", tmp_path, "--level", "schema", expect=2).stderr
    with Dataset.open(tmp_path).locked():
        assert "another run validates" in run("validation", "run", second, "--level", "schema", expect=2).stderr
    assert [path.name for path in tmp_path.glob("verdicts-*.jsonl")] == ["verdicts-b.jsonl"]


def test_interrupted_statistics_leave_no_partial_file(own_dataset: Path) -> None:
    with start(own_dataset, "stats") as process:
        wait_for(own_dataset.parent, "warpsmith-*")  # the scratch folder of a worker that has started
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60.0)
    assert process.returncode in (0, 130)
    assert "Traceback" not in stderr
    for path in own_dataset.glob("*stats*"):
        assert json.loads(path.read_text())["pairs"] == 100
