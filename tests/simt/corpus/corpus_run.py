"""Runs of cases on the SIMT machine, and comparison with their expected results and marked lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from simt.corpus.corpus_case import Case, Launch, Output
from warpsmith.simt import Check, Finding, Module, Run, compile_ptx

STEPS = 5_000_000
"""The limit of a launch; a barrier of blocks that spin takes a fourth of it."""

STEPS_OF_WRONG_TWINS = 200_000
"""The limit of a launch of a wrong twin; those that end need a tenth of it."""


@dataclass(frozen=True)
class Outcome:
    """The launches of a case and its arrays at the end."""

    runs: list[Run]
    arguments: list[Any]

    @property
    def findings(self) -> list[Finding]:
        return [finding for run in self.runs for finding in run.findings]

    @property
    def printed(self) -> tuple[str, ...]:
        return tuple(sorted(line for run in self.runs for line in run.printed.splitlines()))


def run_case(case: Case, *, wrong: bool = False, checks: Check = Check.ALL) -> Outcome:
    """Run all launches of a case until one has a finding.

    Args:
        case: the case.
        wrong: whether to run the wrong twin.
        checks: the checks of the machine.
    """
    module = compiled(case.path, wrong, case.headers)
    arguments = [value.initial if isinstance(value, Output) else value for value in case.arguments()]
    limit = STEPS_OF_WRONG_TWINS if wrong else STEPS
    runs: list[Run] = []
    for launch in case.launches:
        taken = range(len(arguments)) if launch.takes is None else launch.takes
        runs.append(start(module, launch, [arguments[number] for number in taken], checks, limit))
        for number, array in zip(taken, runs[-1].arrays, strict=True):
            if array is not None:
                arguments[number] = array
        if runs[-1].findings:
            break
    return Outcome(runs, arguments)


def start(module: Module, launch: Launch, arguments: list[Any], checks: Check, limit: int) -> Run:
    name = launch.kernel or next(iter(module.kernels))
    return module.launch(name, launch.grid, launch.block, arguments, shared=launch.shared, checks=checks, limit=limit)


@cache
def compiled(path: Path, wrong: bool, headers: bool) -> Module:
    options = ("-DWRONG",) if wrong else ()
    return Module(compile_ptx(path.read_text(), options=options, name=path.name, headers=headers))


def assert_results(case: Case, outcome: Outcome) -> None:
    """Check all arrays, also those that no launch may change."""
    for number, (given, array) in enumerate(zip(case.arguments(), outcome.arguments, strict=True)):
        if isinstance(given, np.ndarray):
            np.testing.assert_array_equal(array, given, f"argument {number}, which is only read")
        elif isinstance(given, Output) and given.expected is not None:
            assert_close(array, given.expected, given.tolerance, f"argument {number}")


def assert_close(array: np.ndarray, expected: np.ndarray, tolerance: float, message: str) -> None:
    for field in expected.dtype.names or ():
        assert_close(array[field], expected[field], tolerance, f"{message}, {field}")
    if expected.dtype.names:
        return
    if tolerance:
        np.testing.assert_allclose(array, expected, tolerance, tolerance, err_msg=message)
    else:
        np.testing.assert_array_equal(array, expected, message)


@dataclass(frozen=True)
class Mark:
    """What a comment of a source says about its line: kinds of findings that must and that may be reported."""

    required: frozenset[str]
    allowed: frozenset[str]


def marks(source: str) -> dict[int, Mark]:
    """Return the marked lines of a source, such as ``// WRONG: shared_race, also: unwritten_shared``.

    One of the kinds after ``WRONG`` must be found at one of the marked lines. Kinds after ``also`` are consequences.
    """
    return dict(_marks(source))


def _marks(source: str) -> Iterator[tuple[int, Mark]]:
    for number, line in enumerate(source.splitlines(), 1):
        if found := re.search(r"// (?:WRONG: ([a-z_ ]+))?(?:, )?(?:also: ([a-z_ ]+))?$", line):
            required, consequences = (frozenset((kinds or "").split()) for kinds in found.groups())
            yield number, Mark(required, required | consequences)
