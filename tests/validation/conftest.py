"""Fixtures for tests of validation: lines of a generated dataset, changed lines, and sandboxed workers."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import warp as wp

from checked_lines import verdicts_of
from warpsmith.core.commands import options
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.ir import Device
from warpsmith.core.records.jsonl import Line, decode, read_lines
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.verdict import Verdict
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.validation.cli import cli
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import Finding
from warpsmith.validation.levels.registry import LEVELS, Level
from warpsmith.validation.report.report_command import report
from warpsmith.validation.running.fork_runner import LAUNCH_SECONDS
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.supervisor import Supervisor
from warpsmith.validation.worker.check_worker import load_check

ChangeLine = Callable[[Line, Callable[[dict[str, Any]], object]], Line]
CheckInWorker = Callable[..., list[Verdict]]
CommandInProcess = Callable[..., tuple[int, str, str]]
RunLevels = Callable[..., dict[str, list[Finding]]]


@pytest.fixture(scope="session")
def lines(dataset: Path) -> list[Line]:
    """Return every line of `dataset`."""
    return [line for shard in sorted(dataset.glob("pairs-*.jsonl")) for line in read_lines(shard)]


@pytest.fixture(scope="session")
def change_line() -> ChangeLine:
    """Return a function that changes the JSON of a line and decodes the result."""

    def change(line: Line, damage: Callable[[dict[str, Any]], object]) -> Line:
        record = json.loads(line.raw)
        damage(record)
        return decode(json.dumps(record).encode() + b"\n", line.path, line.number)

    return change


@pytest.fixture(scope="session")
def check_in_worker(headers: Headers) -> Iterator[CheckInWorker]:
    """Return a function that checks lines by levels in a sandboxed worker, which is reused for the session."""
    table = {level.name: level for level in LEVELS}
    with ExitStack() as stack:
        supervisors: dict[tuple[str, ...], Supervisor] = {}

        def check(lines: list[Line], *levels: str) -> list[Verdict]:
            if levels not in supervisors:
                supervisors[levels] = stack.enter_context(Supervisor([table[name] for name in levels], headers=headers))
            return verdicts_of(supervisors[levels], lines)

        yield check


@pytest.fixture
def run_in_process(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandInProcess:
    """Return a function that runs the command in this process and returns exit code, stdout and stderr.

    Use it for runs that end before a worker starts.
    """

    def start(*arguments: Any) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["warpsmith-validate", *map(str, arguments)])
        return options.run(cli), *capsys.readouterr()

    return start


@pytest.fixture
def dataset_report(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandInProcess:
    """Return a function that runs the command `report` in this process and returns exit code, stdout and stderr."""

    def start(*arguments: Any) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["report", *map(str, arguments)])
        return options.run(report), *capsys.readouterr()

    return start


@pytest.fixture
def hostile_levels(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the levels of `hostile_levels`, which workers import by that name."""
    folder = str(Path(__file__).parent / "sandbox")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")]))
    monkeypatch.syspath_prepend(folder)
    return importlib.import_module("hostile_levels").LEVELS


# ------------------------------------------------------------------------------------------------- pairs of single tests


@pytest.fixture(scope="session")
def argument() -> Callable[..., Argument]:
    """Return a function that creates an argument of a launch; an argument with a shape is an array."""

    def make(
        name: str, dtype: str, shape: tuple[int, ...] = (), role: Any = "input", low: float = -1.0, high: float = 1.0,
        kind: Any = "uniform",
    ) -> Argument:  # fmt: skip
        domain = Domain(kind="fill", low=0, high=0) if role == "output" else Domain(kind=kind, low=low, high=high)
        return Argument(name=name, kind="array" if shape else "value", dtype=dtype, role=role, shape=shape, domain=domain)

    return make


@pytest.fixture(scope="session")
def pair_line() -> Callable[..., Line]:
    """Return a function that creates the line of a pair from the Python source of a kernel."""

    def make(
        source: str, launch: Launch | None, device: Device = "both", backward: bool = True, identity: str = "", name: str = "",
        options: dict[str, Any] | None = None, path: Path = Path("pairs-00000.jsonl"), number: int = 1,
    ) -> Line:  # fmt: skip
        with loaded_kernel(source, name or None, options or {}) as kernel:
            ir = extract_ir(kernel, device, backward)
        pair = Pair.from_ir(
            ir, identity=identity or ir.kernel_name, python_source=source, category="test", warp_version=wp.__version__,
            generator_version="1", module_options=options, launch=launch, description="A test.",
        )  # fmt: skip
        return decode(encode(pair), path, number)

    return make


# ------------------------------------------------------------------------------------------------ levels in this process


@pytest.fixture
def context(scratch: Path) -> Iterator[BatchContext]:
    """Return an empty context."""
    empty = BatchContext(scratch)
    yield empty
    empty.clear()


def _findings(level: Level, lines: list[Line], context: BatchContext) -> Iterable[Finding]:
    context.begin(level)
    return load_check(level)(lines, context)


@pytest.fixture(scope="session")
def run_levels(scratch: Path) -> RunLevels:
    """Return a function that checks lines by levels, regardless of earlier findings, and returns the findings by level."""
    table = {level.name: level for level in LEVELS}

    def run(lines: list[Line], *levels: str, launch_seconds: float = LAUNCH_SECONDS) -> dict[str, list[Finding]]:
        context = BatchContext(scratch, launch_seconds)
        try:
            return {name: list(_findings(table[name], lines, context)) for name in levels}
        finally:
            context.clear()

    return run
