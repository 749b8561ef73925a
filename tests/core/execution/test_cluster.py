"""The promise of `cluster`: results as they come, few tasks under way, errors that name the way out."""

from __future__ import annotations

import functools
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from warpsmith.core.datasets import storage
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.execution import cluster


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(WarpsmithError, match=r"pip install 'warpsmith-core\[ray\]'"):
        next(cluster.run(abs, [1]))


@pytest.fixture
def address(ray_head: Any) -> str:
    return str(ray_head.address)


@pytest.mark.ray
@pytest.mark.filterwarnings("ignore")  # Ray's own
class TestOnACluster:
    def test_every_item_has_its_result(self, address: str) -> None:
        assert sorted(cluster.run(abs, range(-20, 0), address)) == [(item, -item) for item in range(-20, 0)]

    def test_items_are_taken_as_there_is_room(self, address: str) -> None:
        taken: list[int] = []

        def items() -> Iterator[float]:
            for number in range(12):
                taken.append(number)
                yield number / 1e6

        for done, _ in enumerate(cluster.run(time.sleep, items(), address, at_most=3)):
            assert len(taken) <= done + 3

    def test_workers_have_the_hash_seed_that_text_depends_on(self, address: str) -> None:
        assert list(cluster.run(os.getenv, ["PYTHONHASHSEED"], address)) == [("PYTHONHASHSEED", "0")]

    def test_an_error_for_users_stays_one(self, address: str) -> None:
        with pytest.raises(WarpsmithError, match=r"^no library for nostore://x"):
            list(cluster.run(storage.at, ["nostore://x"], address))

    def test_any_other_error_is_named(self, address: str) -> None:
        with pytest.raises(WarpsmithError, match=r"^a task failed on the cluster: ZeroDivisionError: "):
            list(cluster.run(functools.partial(pow, 0.0), [-1.0, 2.0], address))

    def test_a_task_that_always_dies_ends_the_run(self, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cluster, "RETRIES", 1)
        with pytest.raises(WarpsmithError, match=r"^the cluster lost a task 2 times .*same command again$"):
            list(cluster.run(os._exit, [3], address))
