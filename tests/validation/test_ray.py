"""`warpsmith-validate run --executor ray`: the same verdicts as on one machine, written next to the shards."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ray_cluster import another, caught_at_work, lose

pytestmark = pytest.mark.ray

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def on_ray(ray_head: Any) -> tuple[str, ...]:
    return ("--executor", "ray", "--ray-address", ray_head.address)


def verdicts_in(texts: dict[str, bytes]) -> dict[str, list[dict[str, Any]]]:
    """Return the verdicts by file, without times."""
    return {
        name: [{key: value for key, value in json.loads(line).items() if key != "ms"} for line in text.splitlines()]
        for name, text in texts.items()
        if name.startswith("verdicts-") and name.endswith(".jsonl")
    }


def texts_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("options", [("--level", "regenerate"), ("--level", "execute", "--sample", 9)])
def test_the_verdicts_equal_those_of_one_machine(
    run: Run, on_ray: tuple[str, ...], own_small: Path, tmp_path: Path, options: tuple[Any, ...]
) -> None:
    with (own_small / "pairs-00003.jsonl").open("ab") as shard:
        shard.write((own_small / "pairs-00000.jsonl").read_bytes().splitlines(keepends=True)[0] + b"{broken\n")
    here = tmp_path / "here"
    here.mkdir()
    for name, text in texts_of(own_small).items():
        (here / name).write_bytes(text)
    reports = [
        json.loads(run("validation", "run", folder, *options, *more, "--json", expect=1).stdout)
        for folder, more in ((here, ("--workers", 2)), (own_small, on_ray))
    ]
    for report in reports:
        for failure in report["failures"]:
            del failure["ms"]
    assert reports[0] == reports[1]
    assert reports[0]["problems"]
    assert verdicts_in(texts_of(own_small)) == verdicts_in(texts_of(here)) != {}

    again = json.loads(run("validation", "run", own_small, *options, *on_ray, "--json", expect=1).stdout)
    assert again["levels"] == reports[0]["levels"]


def test_a_killed_node_costs_no_verdict(ray_head: Any, on_ray: tuple[str, ...], own_small: Path) -> None:
    code = "from warpsmith.validation.cli import main; main()"
    command = [sys.executable, "-c", code, "run", str(own_small), "--level", "execute", "--json", *on_ray]
    with another(ray_head) as node:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not caught_at_work(node):
            assert process.poll() is None, "the run ended before the node had a task"
            time.sleep(0.01)
        lose(node)
        stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 0, stderr
    assert json.loads(stdout)["levels"]["execute"]["pass"] == 40
    assert len(list(own_small.glob("verdicts-*.jsonl"))) == 4


def test_a_dataset_in_an_object_store(run: Run, on_ray: tuple[str, ...], bucket: Any, small: Path, tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    for name, text in texts_of(small).items():
        if not name.startswith("verdicts"):
            (here / name).write_bytes(text)
            bucket.put_object(Key=f"judged/{name}", Body=text)
    run("validation", "run", here)
    run("validation", "run", f"s3://{bucket.name}/judged", *on_ray)
    stored = {item.key.removeprefix("judged/"): item.get()["Body"].read() for item in bucket.objects.filter(Prefix="judged/")}
    assert verdicts_in(stored) == verdicts_in(texts_of(here)) != {}
