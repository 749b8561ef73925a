"""`InProcess` and `LocalProcesses`: every item has one result, progress arrives, and errors reach the caller."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable
from functools import partial
from multiprocessing.context import BaseContext
from pathlib import Path

import pytest

from core.execution.executor_tasks import die_once, double, fail, kill, print_and_exit, raise_end_of_file
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.execution import local
from warpsmith.core.execution.executor import Executor, InProcess, ignore, without_report
from warpsmith.core.execution.local import LocalProcesses

PRELOAD = "warpsmith.core.errors"
EXECUTORS = (InProcess(), LocalProcesses(2, PRELOAD))


@pytest.mark.parametrize("executor", EXECUTORS, ids=["in process", "local processes"])
def test_every_item_has_its_result_and_reports_add_up(executor: Executor) -> None:
    reports: list[int] = []
    assert sorted(executor.run(double, range(1, 9), reports.append)) == [(item, 2 * item) for item in range(1, 9)]
    assert sum(reports) == sum(range(1, 9))


@pytest.mark.parametrize("executor", EXECUTORS, ids=["in process", "local processes"])
def test_an_error_of_a_task_reaches_the_caller(executor: Executor) -> None:
    with pytest.raises(WarpsmithError, match=r"^item 7$"):
        list(executor.run(without_report(fail), [7], ignore))


def test_no_items_need_no_workers() -> None:
    assert list(LocalProcesses(2, PRELOAD).run(double, [], ignore)) == []


def test_a_lost_worker_costs_no_result(tmp_path: Path) -> None:
    task = without_report(partial(die_once, tmp_path / "died"))
    assert sorted(LocalProcesses(1, PRELOAD).run(task, range(5), ignore)) == [(item, item) for item in range(5)]


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        (print_and_exit, "one ended with exit code 1; the last line printed: no table of gradients; finished work is kept: "),
        (kill, "one was killed by SIGKILL, perhaps for lack of memory; finished work is kept: .* with fewer --workers$"),
    ],
)
def test_workers_that_keep_dying_end_the_run(
    task: Callable[[int], None], reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(WarpsmithError, match=rf"^workers died 3 times: {reason}"):
        list(LocalProcesses(2, PRELOAD).run(without_report(task), [1, 1], ignore))
    assert ("no table of gradients\n" in capfd.readouterr().err) == (task is print_and_exit)


def test_the_exit_code_of_a_worker_that_ends_at_once_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """`multiprocessing.active_children` forgets workers that have ended, on a busy machine before it is called."""
    children = multiprocessing.active_children
    monkeypatch.setattr(multiprocessing, "active_children", lambda: time.sleep(0.5) or children())
    with pytest.raises(WarpsmithError, match=r"^workers died 3 times: one ended with exit code 1"):
        list(LocalProcesses(1, PRELOAD).run(without_report(print_and_exit), [1], ignore))


def test_a_lost_server_is_no_lack_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local.forkserver, "start", lambda _: raise_end_of_file())
    monkeypatch.setattr(local, "_SERVER_SECONDS", 0.0)
    with pytest.raises(WarpsmithError, match=r"^workers died 3 times: the process that starts them ended"):
        list(LocalProcesses(1, PRELOAD).run(double, [1], ignore))


def test_workers_wait_for_the_end_of_a_killed_server(monkeypatch: pytest.MonkeyPatch) -> None:
    start, killed = local.forkserver.start, time.monotonic()

    def start_after_the_end(preload: str) -> BaseContext:
        return start(preload) if time.monotonic() > killed + 1 else raise_end_of_file()

    monkeypatch.setattr(local.forkserver, "start", start_after_the_end)
    assert list(LocalProcesses(1, PRELOAD).run(double, [1], ignore)) == [(1, 2)]


def test_workers_have_hash_seed_0_and_are_prepared() -> None:
    prepare = partial(os.putenv, "WARPSMITH_PREPARED", "yes")
    executor = LocalProcesses(1, PRELOAD, prepare)
    assert dict(executor.run(without_report(os.getenv), ["PYTHONHASHSEED"], ignore)) == {"PYTHONHASHSEED": "0"}
    assert dict(executor.run(without_report(os.system), ['test "$WARPSMITH_PREPARED" = yes'], ignore)).popitem()[1] == 0
