"""Level oracle finds text that does not match the Python source, independently of Warp."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.pair import Origin
from warpsmith.validation.levels import oracle
from warpsmith.validation.levels.finding import Finding

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

SOURCE = """import warp as wp


@wp.kernel
def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.sin(x[i]) * wp.exp(x[i]) + 3.0 * x[i]
"""


@pytest.fixture(scope="module")
def line(argument: Callable[..., Argument], pair_line: Callable[..., Line]) -> Line:
    arrays = (argument("x", "float32", (64,)), argument("out", "float32", (64,), role="output"))
    return pair_line(SOURCE, Launch(dim=(64,), args=arrays))


DAMAGES = {
    "operator": ("wp.sin(x[i]) * wp.exp", "wp.sin(x[i]) + wp.exp"),
    "function": ("wp.sin", "wp.cos"),
    "constant": ("3.0", "3.01"),
}


@pytest.mark.parametrize("damaged_name", DAMAGES)
def test_the_interpreter_finds_the_text_of_another_kernel(
    line: Line, change_line: Any, run_levels: Any, damaged_name: str
) -> None:
    """Level regenerate, which also finds the error, is checked separately."""
    old, new = DAMAGES[damaged_name]

    def damage(record: dict[str, Any]) -> None:
        assert old in record["python_source"]
        record["python_source"] = record["python_source"].replace(old, new)

    damaged = change_line(line, damage)
    by_level = run_levels([damaged, replace(line, number=99)], "execute", "oracle")
    assert by_level["execute"] == 2 * [Finding("pass")]
    assert by_level["oracle"][1] == Finding("pass")
    assert by_level["oracle"][0].status == "fail"
    assert by_level["oracle"][0].reason.startswith("an interpreter of the Python leaves something else: out")
    assert run_levels([damaged], "regenerate")["regenerate"][0].status == "fail"


def test_large_launches_of_extracted_kernels_are_not_interpreted(
    line: Line, run_levels: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert line.pair is not None
    metadata = replace(line.pair.metadata, origin=Origin(file="project.py", line=7, launch="captured"))
    extracted = replace(line, pair=replace(line.pair, metadata=metadata), number=99)
    monkeypatch.setattr(oracle, "EXTRACTED_STEPS", 63)
    own, other = run_levels([line, extracted], "execute", "oracle")["oracle"]
    assert own == Finding("pass")
    assert other.status == "not_applicable"
    assert "(64,)" in other.reason


def test_kernels_that_did_not_run_are_skipped(line: Line, run_levels: Any) -> None:
    assert run_levels([line], "oracle") == {"oracle": [Finding("skipped", "the kernel was not run")]}
