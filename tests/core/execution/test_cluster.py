"""`RayCluster`: results in the order of completion, few submitted tasks, and error messages that name the solution."""

from __future__ import annotations

import functools
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.execution.cluster import RayCluster
from warpsmith.core.execution.executor import without_report
from warpsmith.core.files import storage


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(WarpsmithError, match=r"extra warpsmith-core\[ray\]: .* install .*'ray"):
        next(RayCluster().run(without_report(abs), [1]))


def test_ray_starts_in_a_folder_without_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    folders: list[Path] = []
    methods = {"init": lambda *_, **__: folders.append(Path.cwd()), "is_initialized": lambda: False, "shutdown": lambda: None}
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(**methods))
    with RayCluster().session():
        folders.append(Path.cwd())
    assert folders == [Path("/"), Path.cwd()]


@pytest.fixture
def address(ray_head: Any) -> str:
    return str(ray_head.address)


def results(function: Callable[..., Any], items: Any, *cluster: Any, **options: Any) -> list[tuple[Any, Any]]:
    return list(RayCluster(*cluster, **options).run(without_report(function), items))


@pytest.mark.ray
@pytest.mark.filterwarnings("ignore")  # Ray's own warnings
class TestOnACluster:
    def test_every_item_has_its_result(self, address: str) -> None:
        assert sorted(results(abs, range(-20, 0), address)) == [(item, -item) for item in range(-20, 0)]

    def test_items_are_consumed_as_tasks_finish(self, address: str) -> None:
        consumed: list[int] = []

        def items() -> Iterator[float]:
            for number in range(12):
                consumed.append(number)
                yield number / 1e6

        for done, _ in enumerate(RayCluster(address, workers=3).run(without_report(time.sleep), items())):
            assert len(consumed) <= done + 3

    def test_workers_have_hash_seed_0(self, address: str) -> None:
        assert results(os.getenv, ["PYTHONHASHSEED"], address) == [("PYTHONHASHSEED", "0")]

    def test_preparation_runs_before_the_task(self, address: str) -> None:
        prepare = functools.partial(os.putenv, "WARPSMITH_PREPARED", "yes")
        assert results(os.system, ['test "$WARPSMITH_PREPARED" = yes'], address, prepare=prepare)[0][1] == 0

    def test_a_warpsmith_error_keeps_its_message(self, address: str) -> None:
        with pytest.raises(WarpsmithError, match=r"^no library for nostore://x"):
            results(storage.open_path, ["nostore://x"], address)

    def test_any_other_error_is_named(self, address: str) -> None:
        with pytest.raises(WarpsmithError, match=r"^a task failed on the cluster: ZeroDivisionError: "):
            results(functools.partial(pow, 0.0), [-1.0, 2.0], address)

    def test_a_task_that_always_dies_ends_the_run(self, address: str) -> None:
        with pytest.raises(WarpsmithError, match=r"^the cluster lost a task 2 times .*same command again$"):
            results(os._exit, [3], address, retries=1)
