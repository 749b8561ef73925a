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

from warpsmith.validation.dataset import Dataset
from warpsmith.validation.run import judge

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


@pytest.fixture(scope="module")
def undisturbed(run: Any, dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """The verdicts of one worker that nobody stopped."""
    copy = tmp_path_factory.mktemp("undisturbed")
    for path in dataset.glob("*.json*"):
        if not path.name.startswith("verdicts"):
            (copy / path.name).write_bytes(path.read_bytes())
    run("validation", copy, "--level", "regenerate", "--workers", 1)
    return written(copy)


def test_a_line_a_pair_and_level(run: Any, own_dataset: Path) -> None:
    before = digests(own_dataset)
    run("validation", own_dataset)
    assert digests(own_dataset) == before
    for shard in sorted(own_dataset.glob("pairs-*.jsonl")):
        ids = [json.loads(line)["id"] for line in shard.read_text().splitlines()]
        lines = (own_dataset / shard.name.replace("pairs", "verdicts")).read_text().splitlines()
        records = [json.loads(line) for line in lines]
        assert [(record["id"], record["level"]) for record in records] == [
            (identity, level) for identity in ids for level in ("schema", "parse")
        ]
        assert all(list(record) == ["id", "level", "status", "reason", "ms"] for record in records)
        assert all(record["status"] == "pass" and record["reason"] == "" and record["ms"] >= 0 for record in records)


def test_nothing_is_judged_twice_unless_asked_for(run: Any, own_dataset: Path) -> None:
    run("validation", own_dataset)
    first = stamps(own_dataset)
    assert len(first) == 4
    assert json.loads(run("validation", own_dataset, "--json").stdout)["levels"]["parse"] == {"pass": 200}
    assert stamps(own_dataset) == first
    run("validation", own_dataset, "--again")
    assert all(stamps(own_dataset)[name] > stamp for name, stamp in first.items())


def test_a_shard_that_changed_is_judged_again(run: Any, own_dataset: Path) -> None:
    run("validation", own_dataset)
    first = stamps(own_dataset)
    shard = own_dataset / "pairs-00002.jsonl"
    shard.write_bytes(shard.read_bytes().replace(b"@wp.kernel", b"@wp.func", 1))
    result = json.loads(run("validation", own_dataset, "--json", expect=1).stdout)
    assert result["levels"]["parse"] == {"pass": 199, "fail": 1}
    assert [name for name, stamp in stamps(own_dataset).items() if stamp != first[name]] == ["verdicts-00002.jsonl"]


def test_a_higher_level_adds_to_the_verdicts(run: Any, own_dataset: Path, undisturbed: Table) -> None:
    run("validation", own_dataset)
    run("validation", own_dataset, "--level", "regenerate", "--workers", 2)
    for name, records in written(own_dataset).items():
        assert sorted(map(str, records)) == sorted(map(str, undisturbed[name]))


def test_two_workers_say_what_one_says(run: Any, own_dataset: Path, undisturbed: Table) -> None:
    run("validation", own_dataset, "--level", "regenerate", "--workers", 2)
    assert written(own_dataset) == undisturbed


def test_a_sample_is_the_same_every_time_and_part_of_a_larger_one(run: Any, own_dataset: Path) -> None:
    chosen = []
    for size in (20, 20, 40):
        run("validation", own_dataset, "--sample", size, "--again", "--level", "schema")
        chosen.append({record["id"] for records in written(own_dataset).values() for record in records})
        for path in own_dataset.glob("verdicts-*.jsonl"):
            path.unlink()
    assert [len(ids) for ids in chosen] == [20, 20, 40]
    assert chosen[0] == chosen[1] < chosen[2]


def test_a_sample_takes_from_every_shard_and_no_more_than_there_is(run: Any, own_dataset: Path) -> None:
    run("validation", own_dataset, "--sample", 60, "--level", "schema")
    assert len(written(own_dataset)) == 4
    done = run("validation", own_dataset, "--sample", 1000, "--level", "schema", "--json")
    assert json.loads(done.stdout)["pairs"] == 200


def test_misbehaving_pairs_among_others(own_dataset: Path, ladder: Any) -> None:
    deeds = {3: "segfault", 50: "exit 0", 51: "sleep", 120: "unnamed signal", 199: "garbage"}
    culprits = {}
    for number, deed in deeds.items():
        shard = own_dataset / f"pairs-{number // 50:05}.jsonl"
        raw = shard.read_text().splitlines(keepends=True)
        record = json.loads(raw[number % 50])
        record["metadata"]["category"] = deed
        raw[number % 50] = json.dumps(record) + "\n"
        shard.write_text("".join(raw))
        culprits[record["id"]] = deed
    outcome = judge(Dataset.open(own_dataset), ladder, None, 2, False, "hostile_ladder")
    assert outcome.pairs == 200
    assert {verdict.id: verdict.level for verdict in outcome.failures} == dict.fromkeys(culprits, "odd")
    assert outcome.statuses == {
        "even": {"pass": 200},
        "odd": {"pass": 200 - len(deeds), "fail": len(deeds)},
        "last": {"pass": 200 - len(deeds), "skipped": len(deeds)},
    }


# ------------------------------------------------------------------------------------------------------------- stopping


def start(folder: Path, *options: str) -> subprocess.Popen[str]:
    code = "from warpsmith.validation.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, str(folder), "--workers", "1", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder.parent)},
        start_new_session=True,
    )


def wait_for(folder: Path, pattern: str = "verdicts-*.jsonl") -> None:
    deadline = time.monotonic() + 30.0
    while not list(folder.glob(pattern)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def descendants(process: int) -> set[int]:
    """Every process below ``process``."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = {process}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {process}


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT], ids=["SIGKILL", "SIGINT"])
def test_a_run_that_was_stopped_continues(run: Any, own_dataset: Path, undisturbed: Table, by: signal.Signals) -> None:
    with start(own_dataset, "--level", "regenerate") as process:
        wait_for(own_dataset)
        process.send_signal(by)
        children = descendants(process.pid)
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
    run("validation", own_dataset, "--level", "regenerate")
    assert written(own_dataset) == undisturbed
    assert {name: stamp for name, stamp in stamps(own_dataset).items() if name in first} == first


def test_interrupted_statistics_leave_no_half_file(own_dataset: Path) -> None:
    with start(own_dataset, "--stats") as process:
        wait_for(own_dataset.parent, "warpsmith-*")  # the scratch folder of the child: it is at work
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=60.0)
    assert process.returncode in (0, 130)
    assert "Traceback" not in complaints
    for path in own_dataset.glob("*stats*"):
        assert json.loads(path.read_text())["pairs"] == 200
