"""The part of the pytest plugin that is loaded with its option: it captures launches, checks them at the end, and reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.records.encoding import encode
from warpsmith.validation.gate.kernel_result import KernelResult, in_order, reject_result, summary_lines
from warpsmith.validation.gate.observation import Observation
from warpsmith.validation.gate.observed import Observed, from_plain, merged
from warpsmith.validation.gate.project_checks import LEVEL, Limits, check_pairs
from warpsmith.validation.gate.strict import NOTHING, of_kernels

COLLECTION = "the collection of tests"
"""The place of launches that are made when modules are imported."""

_OUTPUT = "warpsmith_gradients"
"""The key under which a worker of pytest-xdist sends what it observed."""


def register(config: pytest.Config) -> None:
    """Add the gate to a session.

    With pytest-xdist, workers run the tests and capture; the process that started them checks.
    """
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Worker(config))
    elif getattr(config.option, "dist", "no") != "no":
        config.pluginmanager.register(Gate(config, None))
    else:
        config.pluginmanager.register(Gate(config, Observation()))


class _Watch:
    """Notes which test launched a kernel first."""

    def __init__(self, observation: Observation | None) -> None:
        self._observation = observation

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection(self) -> Iterator[None]:
        """Note launches of modules."""
        result = yield
        self._note(COLLECTION)
        return result

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note launches of a test and its fixtures."""
        result = yield
        self._note(item.nodeid)
        return result

    def _note(self, test: str) -> None:
        if self._observation is not None:
            self._observation.note(test)


class Worker(_Watch):
    """A worker of pytest-xdist."""

    def __init__(self, config: pytest.Config) -> None:
        super().__init__(Observation())
        self._config = config

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Send what was launched."""
        observation, self._observation = self._observation, None
        if observation is not None:
            observed = observation.finish(self._config.getoption("warpsmith_only"))
            output: dict[str, Any] = vars(self._config)["workeroutput"]  # pytest-xdist adds it
            output[_OUTPUT] = observed.to_plain()


class Gate(_Watch):
    """The process that checks and reports."""

    def __init__(self, config: pytest.Config, observation: Observation | None) -> None:
        super().__init__(observation)
        self._config = config
        self._received: list[Observed] = []
        self._lost = 0
        self._results: list[KernelResult] = []
        self._observed = Observed()
        self._problem = ""

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Receive what a worker observed."""
        plain = getattr(node, "workeroutput", {}).get(_OUTPUT)
        if error or plain is None:
            self._lost += 1
        else:
            self._received.append(from_plain(plain))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Check what was launched; kernels with a wrong gradient make the run fail."""
        if self._observation is not None:
            self._received.append(self._observation.finish(self._config.getoption("warpsmith_only")))
            self._observation = None
        if exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            self._problem = "the run did not end regularly: no gradient was checked"
            return
        try:
            self._check()
        except WarpsmithError as error:
            self._problem = str(error)
        is_short = self._config.getoption("warpsmith_strict") and bool(of_kernels(self._results))
        failed = self._problem or self._lost or is_short or any(result.result == "fail" for result in self._results)
        if failed and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _check(self) -> None:
        self._observed = merged(self._received)
        get = self._config.getoption
        if (output := get("warpsmith_output")) is not None:
            write_atomic(Path(output), b"".join(map(encode, self._observed.pairs)))
        limits = Limits(get("warpsmith_kernels"), get("warpsmith_seconds"))
        if self._observed.pairs:
            self._results = check_pairs(self._observed.pairs, limits, get("warpsmith_unconfined"))
        self._results += [reject_result(reject) for reject in self._observed.rejects]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the kernels that did not pass, and the numbers of all results."""
        terminalreporter.section("gradients of Warp kernels")
        for line in report_lines(self._results, self._observed, self._config.getoption("warpsmith_output")):
            terminalreporter.write_line(line)
        if self._lost:
            terminalreporter.write_line(f"{self._lost} workers ended without a report: what they launched was not checked")
        if self._problem:
            terminalreporter.write_line(f"error: {self._problem}", red=True)
            return
        shortcomings = of_kernels(self._results)
        if shortcomings and self._config.getoption("warpsmith_strict"):
            terminalreporter.write_line(f"error: --warpsmith-strict: {', '.join(shortcomings)}", red=True)
        elif NOTHING in shortcomings:
            terminalreporter.write_line(f"warning: {NOTHING}", yellow=True)


def report_lines(results: Sequence[KernelResult], observed: Observed, output: str | None) -> Iterator[str]:
    """Yield the lines of the report.

    Args:
        results: the results of all kernels.
        observed: what was launched.
        output: the file with the pairs, if there is one.
    """
    for result in in_order(results):
        if result.result not in ("fail", "not checked", "inconclusive"):
            continue
        yield f"{result.result.upper()} {result.place or result.id} {result.kernel}: {result.what}"
        if test := observed.tests.get(result.id):
            yield f"    first launched by {test}"
        if result.result == "fail" and output is not None:
            yield f"    warpsmith-validate reduce {output} '{result.id}' --level {result.level}" + (
                " --reproducer reproducer.py" if result.level == LEVEL else ""
            )
    yield from summary_lines(results)
    if observed.left_out:
        yield f"not checked: {observed.left_out} kernels of Warp itself (--warpsmith-only warp checks them)"
    if output is None and any(result.result == "fail" for result in results):
        yield "with --warpsmith-output pairs.jsonl, `warpsmith-validate reduce` can write a reproducer"
