"""The promise: a run judges what has no verdicts yet, writes one line a pair and level, and can be stopped and continued."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from command_line import start_code
from processes import descendants_of, is_alive
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.execution.executor import InProcess
from warpsmith.validation.dataset_run import validate_dataset

Table = dict[str, list[dict[str, Any]]]


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("pairs-*.jsonl")}


def written(folder: Path) -> Table:
    """The verdicts beside the shards by file, without what differs from run to run."""
    return {
        path.name: [json.loads(line) | {"ms": 0} for line in path.read_text().splitlines()]
        for path in sorted(folder.glob("verdicts-*.jsonl"))
    }


def stamps(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("verdicts-*.jsonl")}


def judged_alone(run: Any, dataset: Path, copy: Path) -> Table:
    """The verdicts of one worker that nobody stopped."""
    for path in dataset.glob("*.json*"):
        if not path.name.startswith("verdicts"):
            (copy / path.name).write_bytes(path.read_bytes())
    run("validation", "run", copy, "--level", "regenerate", "--workers", 1)
    return written(copy)


@pytest.fixture(scope="module")
def undisturbed(run: Any, dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Table:
    return judged_alone(run, dataset, tmp_path_factory.mktemp("undisturbed"))


@pytest.fixture(scope="module")
def undisturbed_small(run: Any, small: Path, tmp_path_factory: pytest.TempPathFactory) -> Table:
    return judged_alone(run, small, tmp_path_factory.mktemp("undisturbed"))


def test_a_line_a_pair_and_level(run: Any, own_small: Path) -> None:
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
        assert all(list(record) == ["id", "level", "status", "reason", "ms"] for record in records)
        assert all(record["status"] == "pass" and record["reason"] == "" and record["ms"] >= 0 for record in records)


def test_nothing_is_judged_twice_unless_asked_for(run: Any, own_small: Path) -> None:
    run("validation", "run", own_small, "--workers", 1)
    first = stamps(own_small)
    assert len(first) == 4
    assert json.loads(run("validation", "run", own_small, "--json").stdout)["levels"]["parse"] == {"pass": 40}
    assert stamps(own_small) == first
    run("validation", "run", own_small, "--again", "--workers", 1)
    assert all(stamps(own_small)[name] > stamp for name, stamp in first.items())


def test_a_shard_that_changed_is_judged_again(run: Any, own_small: Path) -> None:
    run("validation", "run", own_small, "--workers", 1)
    first = stamps(own_small)
    shard = own_small / "pairs-00002.jsonl"
    shard.write_bytes(shard.read_bytes().replace(b"@wp.kernel", b"@wp.func", 1))
    os.utime(shard, (0, 0))  # by a clock that was wrong
    os.utime(own_small / "pairs-00001.jsonl", (2**33, 2**33))  # copied, which gives it another date
    result = json.loads(run("validation", "run", own_small, "--json", expect=1).stdout)
    assert result["levels"]["parse"] == {"pass": 39, "fail": 1}
    assert [name for name, stamp in stamps(own_small).items() if stamp != first[name]] == ["verdicts-00002.jsonl"]


def test_a_higher_level_adds_to_the_verdicts(run: Any, own_small: Path, undisturbed_small: Table) -> None:
    run("validation", "run", own_small)
    run("validation", "run", own_small, "--level", "regenerate", "--workers", 2)
    for name, records in written(own_small).items():
        assert sorted(map(str, records)) == sorted(map(str, undisturbed_small[name]))


def test_two_workers_say_what_one_says(run: Any, own_small: Path, undisturbed_small: Table) -> None:
    run("validation", "run", own_small, "--level", "regenerate", "--workers", 2)
    assert written(own_small) == undisturbed_small


def test_a_sample_is_the_same_every_time_and_part_of_a_larger_one(run: Any, own_small: Path) -> None:
    chosen = []
    for size in (8, 8, 16):
        run("validation", "run", own_small, "--sample", size, "--again", "--level", "schema", "--workers", 1)
        chosen.append({record["id"] for records in written(own_small).values() for record in records})
        for path in own_small.glob("verdicts-*.jsonl"):
            path.unlink()
    assert [len(ids) for ids in chosen] == [8, 8, 16]
    assert chosen[0] == chosen[1] < chosen[2]


def test_a_sample_takes_from_every_shard_and_no_more_than_there_is(run: Any, own_small: Path) -> None:
    run("validation", "run", own_small, "--sample", 12, "--level", "schema", "--workers", 1)
    assert len(written(own_small)) == 4
    done = run("validation", "run", own_small, "--sample", 1000, "--level", "schema", "--workers", 1, "--json")
    assert json.loads(done.stdout)["pairs"] == 40


def test_misbehaving_pairs_among_others(own_small: Path, ladder: Any) -> None:
    deeds = {3: "segfault", 10: "exit 0", 11: "sleep", 25: "unnamed signal", 39: "garbage"}
    culprits = {}
    for number, deed in deeds.items():
        shard = own_small / f"pairs-{number // 10:05}.jsonl"
        raw = shard.read_text().splitlines(keepends=True)
        record = json.loads(raw[number % 10])
        record["metadata"]["category"] = deed
        raw[number % 10] = json.dumps(record) + "\n"
        shard.write_text("".join(raw))
        culprits[record["id"]] = deed
    outcome = validate_dataset(Dataset.open(own_small), ladder, module="hostile_levels", executor=InProcess(2))
    assert outcome.pairs == 40
    assert {verdict.id: verdict.level for verdict in outcome.failures} == dict.fromkeys(culprits, "odd")
    assert outcome.statuses == {
        "even": {"pass": 40},
        "odd": {"pass": 40 - len(deeds), "fail": len(deeds)},
        "last": {"pass": 40 - len(deeds), "skipped": len(deeds)},
    }


# ------------------------------------------------------------------------------------------------------------- stopping


def start(folder: Path, tool: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", start_code(tool), *arguments, str(folder), "--workers", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder.parent)},
        start_new_session=True,
    )


def wait_for(folder: Path, pattern: str = "verdicts-*.sha256") -> None:
    deadline = time.monotonic() + 30.0
    while not list(folder.glob(pattern)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT], ids=["SIGKILL", "SIGINT"])
def test_a_run_that_was_stopped_continues(run: Any, own_dataset: Path, undisturbed: Table, by: signal.Signals) -> None:
    with start(own_dataset, "validation", "run", "--level", "regenerate") as process:
        wait_for(own_dataset)
        process.send_signal(by)
        children = descendants_of(process.pid)
        stopped = time.monotonic()
        _, complaints = process.communicate(timeout=60.0)
    assert time.monotonic() - stopped < 5.0
    assert "Traceback" not in complaints
    if by == signal.SIGINT:
        assert process.returncode == 130
        assert [path.name for path in own_dataset.iterdir() if path.name.endswith(".tmp")] == []
        assert [path.name for path in own_dataset.parent.iterdir()] == [own_dataset.name]
        assert "the same command continues" in complaints
    deadline = time.monotonic() + 5.0
    while (left := [child for child in children if is_alive(child)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []
    kept = written(own_dataset)
    assert 1 <= len(kept) < 4
    assert kept.items() <= undisturbed.items()
    first = stamps(own_dataset)
    run("validation", "run", own_dataset, "--level", "regenerate")
    assert written(own_dataset) == undisturbed
    assert {name: stamp for name, stamp in stamps(own_dataset).items() if name in first} == first


def test_a_second_run_in_one_folder_is_refused(run: Any, own_dataset: Path) -> None:
    with start(own_dataset, "validation", "run", "--level", "regenerate") as process:
        wait_for(own_dataset)
        (error,) = run("validation", "run", own_dataset, "--level", "parse", expect=2).stderr.splitlines()
        assert error == f"error: another run judges the pairs in {own_dataset}; wait for it"
        process.communicate(timeout=60.0)
    assert process.returncode == 0


def test_interrupted_statistics_leave_no_half_file(own_dataset: Path) -> None:
    with start(own_dataset, "stats") as process:
        wait_for(own_dataset.parent, "warpsmith-*")  # the scratch folder of the child: it is at work
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=60.0)
    assert process.returncode in (0, 130)
    assert "Traceback" not in complaints
    for path in own_dataset.glob("*stats*"):
        assert json.loads(path.read_text())["pairs"] == 200
