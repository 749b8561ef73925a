"""Patterns of real code have the right verdicts: no false alarms, and the known incorrect gradients fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from real_patterns import CORRECT, ENDLESS, INCORRECT, Pattern
from real_patterns.pattern import number, read, written
from warpsmith.validation.levels.finding import Finding

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

LEVELS = ("schema", "parse", "regenerate", "compile", "execute", "emulate", "gradient")

SAMPLE = """
    the root of what underflows, Gauss-Seidel without colours, drag in place, no particle is active, optional forces,
    contacts in slots, infinite where nothing is hit, norms of sparse rows, a product in place, neighbours in a hash grid,
    a replaced component of neighbours, random states in an array
"""
"""A few patterns of different verdicts; all of them take a minute."""

Findings = dict[str, dict[str, Finding]]


def findings_of(patterns: Mapping[str, Pattern], run_levels: Callable[..., Any]) -> Findings:
    """Return the findings by level, by pattern."""
    lines = [pattern.line(name, number) for number, (name, pattern) in enumerate(patterns.items(), start=1)]
    found = run_levels(lines, *LEVELS)
    return {name: {level: found[level][number] for level in LEVELS} for number, name in enumerate(patterns)}


def differences(patterns: Mapping[str, Pattern], found: Findings) -> list[tuple[str, str, Finding]]:
    """Return the findings that are not the right ones."""
    wrong = []
    for name, pattern in patterns.items():
        right = dict.fromkeys(LEVELS, "pass") | pattern.others | {"gradient": pattern.gradient}
        wrong += [
            (name, level, finding) for level, finding in found[name].items() if finding.status not in right[level].split("/")
        ]
        if pattern.reason not in found[name]["gradient"].reason:
            wrong.append((name, "gradient", found[name]["gradient"]))
    return wrong


def test_the_corpus_is_large() -> None:
    assert len(CORRECT) >= 60
    assert len(INCORRECT) >= 8
    assert not CORRECT.keys() & INCORRECT.keys()
    assert all(pattern.gradient != "fail" for pattern in CORRECT.values())


def test_a_sample_has_the_right_verdicts(run_levels: Callable[..., Any]) -> None:
    every = CORRECT | INCORRECT
    patterns = {name: every[name] for name in (part.strip() for part in SAMPLE.split(","))}
    assert differences(patterns, findings_of(patterns, run_levels)) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("patterns", [CORRECT, INCORRECT], ids=["correct", "incorrect"])
def test_all_have_the_right_verdicts(patterns: Mapping[str, Pattern], run_levels: Callable[..., Any]) -> None:
    assert differences(patterns, findings_of(patterns, run_levels)) == []


@pytest.mark.exhaustive
def test_an_endless_backward_pass_fails(run_levels: Callable[..., Any]) -> None:
    found = findings_of({"endless": ENDLESS}, run_levels)["endless"]
    assert found["execute"].status == "fail"
    assert "the backward pass stops, and the forward pass does not: it ran for" in found["execute"].reason


@pytest.mark.exhaustive
def test_a_launch_that_takes_too_long_has_fewer_threads(run_levels: Callable[..., Any]) -> None:
    slow = Pattern(
        """
        @wp.kernel
        def waves(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
            i = wp.tid()
            s = float(0.0)
            for k in range(n):
                s = s + wp.sin(x[i] * float(k))
            out[i] = s
        """,
        (1 << 16,),
        (read("x", "float32", 1 << 16), number("n", 6000), written("out", "float32", 1 << 16)),
    )
    found = run_levels([slow.line("slow")], "execute", "emulate", "gradient", launch_seconds=1.0)
    assert {level: (finding.status, finding.reason) for level, (finding,) in found.items()} == dict.fromkeys(
        found, ("pass", "")
    )


def test_synthesized_pairs_are_judged_as_before(run_levels: Callable[..., Any]) -> None:
    """Without an origin, an effect that the launch does not show is a failure of the pair."""
    lines = [CORRECT["no particle is active"].line("inactive", 0, origin=None)]
    assert [finding.status for finding in run_levels(lines, "execute")["execute"]] == ["fail"]


def test_roles_are_those_of_the_launch(run_levels: Callable[..., Any]) -> None:
    """An array that the kernel changes is no input, whatever the record says: its gradient is that of what it contained."""
    pattern = INCORRECT["a product in place"]
    (u, stored), x = pattern.args
    line = replace(pattern, args=((replace(u, role="input"), stored), x)).line("misnamed")
    found = run_levels([line], "execute", "gradient")
    assert found["execute"][0].reason == "u is an input in the record and was changed"
    assert found["gradient"][0].status == "fail"
