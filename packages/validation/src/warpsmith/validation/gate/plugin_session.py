"""The part of the pytest plugin that is loaded with its option: it captures launches, checks them at the end, and reports."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.records.encoding import encode
from warpsmith.validation.gate.decision import Decision
from warpsmith.validation.gate.kernel_result import KernelResult, reject_result, untested_result
from warpsmith.validation.gate.observation import Observation
from warpsmith.validation.gate.observed import Observed, from_plain, merged
from warpsmith.validation.gate.plugin_options import PluginOptions, plugin_options
from warpsmith.validation.gate.plugin_report import UPDATE, report_lines
from warpsmith.validation.gate.program_checks import check_tapes
from warpsmith.validation.gate.project_checks import check_pairs
from warpsmith.validation.gate.reports.places import Places
from warpsmith.validation.gate.strict import NOTHING

COLLECTION = "the collection of tests"
"""The place of launches that are made when modules are imported."""

_OUTPUT = "warpsmith_gradients"
"""The key under which a worker of pytest-xdist sends what it observed."""


def register(config: pytest.Config) -> None:
    """Add the gate to a session.

    With pytest-xdist, workers run the tests and capture; the process that started them checks.

    Raises:
        pytest.UsageError: if the options or the settings of the project are invalid.
    """
    try:
        options = plugin_options(config.getoption, config.rootpath)
        options.mode.known_failures()
    except WarpsmithError as error:
        raise pytest.UsageError(str(error).replace(" --", " --warpsmith-")) from error
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Worker(config, options))
    elif getattr(config.option, "dist", "no") != "no":
        config.pluginmanager.register(Gate(config, options, None))
    else:
        config.pluginmanager.register(Gate(config, options, Observation(options.capture, options.tapes)))


class _Watch:
    """Notes which test launched a kernel first."""

    def __init__(self, options: PluginOptions, observation: Observation | None) -> None:
        self._options = options
        self._observation = observation

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection(self) -> Iterator[None]:
        """Note launches of modules."""
        try:
            return (yield)
        finally:
            self._note(COLLECTION)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note launches of a test and its fixtures."""
        try:
            return (yield)
        finally:
            self._note(item.nodeid)

    def _note(self, test: str) -> None:
        if self._observation is not None:
            self._observation.note(test)

    def _finish(self) -> Observed | None:
        """Return what this process launched; None if it does not capture, or has returned it."""
        observation, self._observation = self._observation, None
        return None if observation is None else observation.finish(self._options.selection)


class Worker(_Watch):
    """A worker of pytest-xdist."""

    def __init__(self, config: pytest.Config, options: PluginOptions) -> None:
        super().__init__(options, Observation(options.capture, options.tapes))
        self._config = config

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Send what was launched."""
        if (observed := self._finish()) is not None:
            output: dict[str, Any] = vars(self._config)["workeroutput"]  # pytest-xdist adds it
            output[_OUTPUT] = observed.to_plain()


class Gate(_Watch):
    """The process that checks and reports."""

    def __init__(self, config: pytest.Config, options: PluginOptions, observation: Observation | None) -> None:
        super().__init__(options, observation)
        self._config = config
        self._received: list[Observed] = []
        self._lost = 0
        self._decision = Decision()
        self._observed = Observed()
        self._problem = ""
        self._is_stopped = False

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Receive what a worker observed."""
        plain = getattr(node, "workeroutput", {}).get(_OUTPUT)
        if error or plain is None:
            self._lost += 1
        else:
            self._received.append(from_plain(plain))

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Remember Ctrl-C, after which nobody waits for checks; errors of the collection interrupt a run, too."""
        self._is_stopped = excinfo.type is KeyboardInterrupt

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Check what was launched, even in a run that did not end regularly, whose exit code stays."""
        try:
            self._check()
        except WarpsmithError as error:
            self._problem = str(error)
        if (self._problem or self._decision.failed) and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter = self._config.pluginmanager.getplugin("terminalreporter")
        if exitstatus == pytest.ExitCode.INTERNAL_ERROR and reporter is not None:  # pytest prints no summary then
            self.pytest_terminal_summary(reporter)

    def _check(self) -> None:
        """Check what all processes launched, and write all files.

        Raises:
            WarpsmithError: if a file cannot be read or written.
        """
        options = self._options
        if (observed := self._finish()) is not None:
            self._received.append(observed)
        self._observed = merged(self._received)
        if options.output is not None:
            write_atomic(options.output, b"".join(map(encode, self._observed.pairs)))
        if self._is_stopped:
            self._problem = "the run was stopped: no gradient was checked"
            return
        self._decision = options.mode.decide(self._results(), self._lost)
        places = Places.of((options.root, Path.cwd()), os.environ)
        options.files.write(self._decision, places, os.environ, UPDATE)

    def _results(self) -> list[KernelResult]:
        observed, options, start = self._observed, self._options, time.monotonic()
        results = check_pairs(observed.pairs, options.limits, options.unconfined) if observed.pairs else []
        results += map(reject_result, observed.rejects)
        if observed.programs:
            left = max(options.limits.seconds - (time.monotonic() - start), 0.0)
            results += check_tapes(observed.programs, left, options.unconfined)
        return results + list(map(untested_result, observed.untested))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the kernels that did not pass, and the numbers of all results."""
        terminalreporter.section("gradients of Warp kernels")
        decision = self._decision
        for line in report_lines(decision, self._observed, self._options.output):
            terminalreporter.write_line(line)
        if self._lost:
            terminalreporter.write_line(f"workers without a report: {self._lost}; what they launched was not checked")
        if self._problem:
            terminalreporter.write_line(f"error: {self._problem}", red=True)
        elif decision.shortcomings and decision.strict:
            terminalreporter.write_line(f"error: --warpsmith-strict: {', '.join(decision.shortcomings)}", red=True)
        elif decision.nothing_checked:
            terminalreporter.write_line(f"warning: {NOTHING}", yellow=True)
