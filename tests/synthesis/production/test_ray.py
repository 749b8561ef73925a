"""`--executor ray`: the same bytes as on one machine, in a folder or an object store, even if nodes or workers die."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from made_datasets import SMALL as ONE_WORKER
from processes import kill
from ray_cluster import another, busy_workers_of, caught_at_work, lose, raylet_of

PLAN = ("-n", 600, "-d", "both", "-b", "--shard-size", 50)
SMALL = ONE_WORKER[:-2]  # the cluster decides how many workers there are

pytestmark = pytest.mark.ray

Files = Callable[[Path], dict[str, str]]
Start = Callable[..., subprocess.Popen[str]]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def undisturbed(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the dataset of `PLAN`, made on this machine."""
    folder = tmp_path_factory.mktemp("undisturbed") / "both"
    run("synthesis", "make", *PLAN, "-o", folder)
    return folder


@pytest.fixture
def second_node(ray_head: Any) -> Iterator[Any]:
    with another(ray_head) as node:
        yield node


@pytest.fixture
def on_ray(ray_head: Any) -> tuple[str, ...]:
    return ("--executor", "ray", "--ray-address", ray_head.address)


def shards_in(folder: Path) -> list[Path]:
    return list(folder.glob("pairs-*.jsonl"))


def begin(start: Start, wait_for: Callable[..., Any], folder: Path, *options: Any) -> subprocess.Popen[str]:
    """Start the command, wait for its first shard, and return the process."""
    process = start(*PLAN, *options, "--json", "-o", folder)
    wait_for(lambda: shards_in(folder) or process.poll() is not None)
    return process


@pytest.mark.parametrize("target", ["node", "raylet", "worker"])
def test_a_killed_process_costs_no_finished_shard(
    start: Start, wait_for: Callable[..., Any], on_ray: tuple[str, ...], second_node: Any, tmp_path: Path, files: Files,
    undisturbed: Path, target: str,
) -> None:  # fmt: skip
    folder = tmp_path / "killed"
    process = begin(start, wait_for, folder, *on_ray)
    finished = {path: path.stat().st_ino for path in shards_in(folder)}
    worker = wait_for(lambda: caught_at_work(second_node))
    if target == "node":
        lose(second_node)
    elif target == "worker":
        kill(worker)
    else:  # workers outlive their raylet for a while, as on a node that lost its network
        kill(raylet_of(second_node))
        os.kill(worker, signal.SIGCONT)
    assert not (folder / "manifest.json").exists(), "the run ended before the kill"

    stdout, stderr = process.communicate(timeout=120)
    assert process.returncode == 0, stderr
    assert json.loads(stdout)["made"] == 600
    assert "Traceback" not in stderr
    assert {path: path.stat().st_ino for path in finished} == finished, "a finished shard was made again"
    assert files(folder) == files(undisturbed)


@pytest.mark.parametrize(("first", "then"), [("ray", "ray"), ("ray", "local"), ("local", "ray")])
def test_either_executor_continues_a_killed_command(
    run: Run, start: Start, wait_for: Callable[..., Any], on_ray: tuple[str, ...], tmp_path: Path, files: Files,
    undisturbed: Path, first: str, then: str,
) -> None:  # fmt: skip
    options = {"ray": on_ray, "local": ("--workers", 1)}
    folder = tmp_path / "continued"
    process = begin(start, wait_for, folder, *options[first])
    process.kill()
    process.wait()
    assert not (folder / "manifest.json").exists()

    done = run("synthesis", "make", *PLAN, *options[then], "--json", "-o", folder)
    assert 0 < json.loads(done.stdout)["made"] < 600
    assert files(folder) == files(undisturbed)


def test_ctrl_c_stops_the_run_and_keeps_finished_shards(
    start: Start, wait_for: Callable[..., Any], on_ray: tuple[str, ...], ray_head: Any, tmp_path: Path
) -> None:
    process = begin(start, wait_for, tmp_path / "stopped", *on_ray)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stderr.splitlines()[-1] == "stopped; what is finished is kept, and the same command continues"
    assert "Traceback" not in stderr
    wait_for(lambda: not busy_workers_of(ray_head.head_node))


@pytest.mark.parametrize("executor", ["local", "ray"])
def test_a_dataset_in_an_object_store_has_the_same_bytes(
    run: Run, on_ray: tuple[str, ...], bucket: Any, small: Path, files: Files, executor: str
) -> None:
    options = on_ray if executor == "ray" else ()
    done = run("synthesis", "make", *SMALL, *options, "--json", "-o", f"s3://{bucket.name}/some/{executor}")
    assert json.loads(done.stdout)["made"] == 40
    objects = {
        item.key.removeprefix(f"some/{executor}/"): hashlib.sha256(item.get()["Body"].read()).hexdigest()
        for item in bucket.objects.filter(Prefix=f"some/{executor}/")
    }
    assert objects == files(small)

    again = run("synthesis", "make", *SMALL, *options, "--json", "-o", f"s3://{bucket.name}/some/{executor}")
    assert json.loads(again.stdout)["made"] == 0
    other = run("synthesis", "make", *SMALL, "--seed", 1, "-o", f"s3://{bucket.name}/some/{executor}", expect=2)
    assert "contains another dataset: seed is 2000 there and 1 now" in other.stderr


def test_a_missing_object_is_made_again(run: Run, bucket: Any, small: Path) -> None:
    folder = f"s3://{bucket.name}/lost"
    run("synthesis", "make", *SMALL, "-o", folder)
    bucket.Object("lost/pairs-00002.jsonl").delete()
    done = run("synthesis", "make", *SMALL, "--json", "-o", folder)
    assert json.loads(done.stdout)["made"] == 10
    for name in ("pairs-00002.jsonl", "manifest.json"):
        assert bucket.Object(f"lost/{name}").get()["Body"].read() == (small / name).read_bytes()


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("s3://no-such-bucket/data", r"cannot write s3://no-such-bucket/data/.*(NoSuchBucket|does not exist|FileNotFound)"),
        ("nostore://bucket/data", r"no library for nostore://bucket/data"),
    ],
)
def test_a_missing_object_store_is_an_error(run: Run, bucket: Any, output: str, message: str) -> None:  # noqa: ARG001 - the store's address
    done = run("synthesis", "make", *SMALL, "-o", output, expect=2)
    (error,) = done.stderr.splitlines()[-1:]
    assert re.search(message, error)
    assert "Traceback" not in done.stderr


def test_a_missing_cluster_is_an_error(run: Run, tmp_path: Path) -> None:
    done = run(
        "synthesis", "make", *SMALL, "--executor", "ray", "--ray-address", "127.0.0.1:9", "-o", tmp_path / "out", expect=2
    )
    (error,) = done.stderr.splitlines()
    assert error.startswith("error: no Ray cluster answers at 127.0.0.1:9 ")
    assert "ray start --head" in error


def test_a_local_cluster_is_started_if_none_runs(run: Run, tmp_path: Path, small: Path, files: Files) -> None:
    clean = {"RAY_ADDRESS": "local"} | ({"TMPDIR": "/tmp"} if os.environ.get("TMPDIR") else {})  # noqa: S108 - sockets want short paths
    run("synthesis", "make", *SMALL, "--executor", "ray", "--workers", 1, "-o", tmp_path / "own", env=clean)
    assert files(tmp_path / "own") == files(small)
