"""The check of programs: a right one passes, and each kind of error is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.program_record import ProgramRecord, encode_program_record
from warpsmith.synthesis.production.program_records import ProgramOptions, program_record
from warpsmith.synthesis.programs.program_catalogue import program_schemes
from warpsmith.synthesis.programs.program_key import ProgramKey
from warpsmith.synthesis.programs.program_writer import write_program
from warpsmith.validation.programs.host_allowlist import host_violation
from warpsmith.validation.programs.launch_comparison import compare_launch
from warpsmith.validation.programs.observed_program import ObservedProgram, content_of, values_of
from warpsmith.validation.programs.program_check import _run, check_program


@pytest.fixture(scope="module")
def record() -> ProgramRecord:
    """A generated program: validation and synthesis meet in records only, and tests may use both."""
    keys = (ProgramKey(7, index) for index in range(len(program_schemes())))
    key = next(key for key in keys if write_program(key).text.scheme == "curve_network")
    made = program_record(key, ProgramOptions("cpu", backward=True))
    assert isinstance(made, ProgramRecord), made
    return made


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[ProgramRecord], dict]:
    monkeypatch.chdir(tmp_path)

    def run(program: ProgramRecord) -> dict:
        return check_program([Line(Path("x"), 0, encode_program_record(program), None, "")], {})

    return run


@pytest.mark.exhaustive
def test_a_right_program_passes_with_its_gradients(record: ProgramRecord, check: Callable[[ProgramRecord], dict]) -> None:
    answer = check(record)
    assert (answer["failed"], answer["unchecked"], list(answer["wrong"])) == ("", "", [])
    assert answer["compared"] >= len(record.kernels)
    assert answer["tapes"]
    assert not [fault for tape in answer["tapes"] for fault in tape["faults"]]


@pytest.mark.exhaustive
def test_another_result_or_launch_is_found(record: ProgramRecord, check: Callable[[ProgramRecord], dict]) -> None:
    first = record.results[0]
    wrong = replace(record, results=(replace(first, high=2.0 * abs(first.high) + 1.0), *record.results[1:]))
    assert "the record says" in check(wrong)["failed"]
    assert "launches" in check(replace(record, order=record.order[:-1]))["failed"]


def test_a_program_that_fails_is_found(record: ProgramRecord, check: Callable[[ProgramRecord], dict]) -> None:
    source = record.python_source.replace('if __name__ == "__main__":\n', 'if __name__ == "__main__":\n    assert 1 > 2\n')
    assert "AssertionError" in check(replace(record, python_source=source))["failed"]


def test_another_content_after_a_launch_is_found(
    record: ProgramRecord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    observed = _run(record)
    assert isinstance(observed, ObservedProgram), observed
    event = observed.events[0]
    pair = next(pair for pair in record.kernels if pair.id.endswith(f"/{event.kernel}"))
    assert compare_launch(event, pair) == compare_launch(event, pair)
    assert not compare_launch(event, pair).problem
    name = "hidden_values"
    values = values_of(event.after[name]).copy()
    values.flat[3] += 0.01
    event.after[name] = content_of(values)
    assert name in compare_launch(event, pair).problem


@pytest.mark.parametrize(
    "source",
    [
        "import os",
        "import numpy as np\nnp.load('x')",
        "open('x')",
        "x = ().__class__",
        "getattr(1, 'x')",
        "from warp import config",
        "import warp as wp\nwp.config.kernel_cache_dir = '/'",
        "def f(:",
    ],
)
def test_code_that_reaches_for_more_is_refused(source: str) -> None:
    assert host_violation(source)
