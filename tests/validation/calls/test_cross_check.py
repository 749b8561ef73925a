"""A program that gives other results than compiled text is found before any verdict is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.calls import planner
from warpsmith.validation.confinement.machine_problems import MachineProblem
from warpsmith.validation.levels import cross_check
from warpsmith.validation.levels.sampling import is_sampled

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

LEVELS = ("regenerate", "execute", "gradient")


@pytest.fixture(autouse=True)
def every_pair_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross_check, "SHARE", 1)


def test_programs_agree(lines: list[Line], run_levels: Callable[..., Any]) -> None:
    assert {one.status for one in run_levels(lines[:6], *LEVELS)["gradient"]} <= {"pass", "not_applicable"}


def test_another_constant_is_found(lines: list[Line], run_levels: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    number = planner._number

    def changed(variable: Any, info: Any) -> bytes:
        contents = number(variable, info)
        return number(variable._replace(value="1.25"), info) if variable.type == "wp::float32" else contents

    monkeypatch.setattr(planner, "_number", changed)
    with pytest.raises(MachineProblem, match="gives other results as a program than as compiled code"):
        run_levels(lines[:5], *LEVELS)


def test_one_pair_in_64_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross_check, "SHARE", 64)
    assert 100 <= sum(is_sampled(f"3-2000-{number}", cross_check.SHARE, "programs") for number in range(10_000)) <= 220


@pytest.mark.exhaustive
def test_variables_without_a_value_start_empty_in_both_ways(
    lines: list[Line], change_line: Callable[..., Line], run_levels: Callable[..., Any]
) -> None:
    """Otherwise such a text may give anything as compiled code, and a difference says nothing about programs."""

    def removed(record: dict[str, Any]) -> None:
        texts = {name: record[name] for name in ("cpp_forward", "cuda_ir_forward")}
        statement = next(line for line in texts["cpp_forward"].split("\n") if "= wp::load(" in line)
        record.update({name: text.replace(statement + "\n", "") for name, text in texts.items()})

    loading = [line for line in lines if line.pair and "= wp::load(" in (line.pair.cpp_forward or "")]
    found = run_levels([change_line(line, removed) for line in loading[:10]], "execute")
    assert len(found["execute"]) == 10
