"""Hostile pairs that `warpsmith-gpu run` receives do no harm, do not pass, and do not change verdicts of other pairs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from hostile.row import to_line
from hostile.sources import record
from hostile.table import CORPUS
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of processes requires Linux")

FAST = ["annotation", "create_a_file"]
"""Sources that act in Python and in machine code; checking all sources takes a minute."""


@pytest.fixture
def write(sample_lines: list[Line], tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a file of hostile pairs, each between two samples."""

    def make(names: Iterable[str]) -> Path:
        hostile = {one.name: one for one in CORPUS}
        raws = [line.raw for line in sample_lines[:2]]
        for number, name in enumerate(names):
            raws.insert(2 * number % len(raws) + 1, to_line(record(hostile[name], tmp_path / "markers" / name)))
        (tmp_path / "markers").mkdir()
        (tmp_path / "mixed.jsonl").write_bytes(b"".join(raws))
        return tmp_path / "mixed.jsonl"

    return make


def assert_harmless(path: Path, names: list[str], samples: list[Line]) -> None:
    verdicts = [json.loads(line) for line in path.with_name("verdicts-mixed.jsonl").read_text().splitlines()]
    found = {(verdict["id"], verdict["level"]): verdict["status"] for verdict in verdicts}
    assert list((path.parent / "markers").iterdir()) == []
    assert [name for name in names if found[name, "gpu"] == "pass"] == []
    assert {found[line.identity, "gpu"] for line in samples[:2]} == {"pass"}


@pytest.mark.exhaustive
def test_hostile_pairs_do_no_harm(run: Any, write: Callable[..., Path], sample_lines: list[Line]) -> None:
    path = write(FAST)
    run("gpu_checks", "run", path, "--device", "cpu", expect=1)
    assert_harmless(path, FAST, sample_lines)


@pytest.mark.exhaustive
def test_all_hostile_pairs_do_no_harm(run: Any, write: Callable[..., Path], sample_lines: list[Line]) -> None:
    names = [one.name for one in CORPUS if one.marker]
    path = write(names)
    run("gpu_checks", "run", path, "--device", "cpu", expect=1)
    assert_harmless(path, names, sample_lines)


def test_a_launch_that_does_not_fit_fails_before_it_runs(run: Any, sample_lines: list[Line], tmp_path: Path) -> None:
    record = json.loads(sample_lines[0].raw)
    record["metadata"]["launch"]["args"][0]["name"] += "_of_another_kernel"
    path = tmp_path / "mixed.jsonl"
    path.write_bytes(encode(record))
    done = run("gpu_checks", "run", path, "--device", "cpu", "--json", expect=1)
    (failure,) = json.loads(done.stdout)["failures"]
    assert failure["level"] == "gpu"
    assert "does not fit the kernel" in failure["reason"]
