"""A strict gate fails on what does not show that a kernel is right; a gate that checks nothing says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.records.pair import Pair
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.gate.kernel_result import pair_result
from warpsmith.validation.gate.strict import NOTHING, of_kernels, of_pairs
from warpsmith.validation.outcome import Outcome

MakePair = Callable[..., Pair]


def verdict(status: Any, level: str = "gradient") -> Verdict:
    return Verdict(
        id="a", level=level, status=status, reason="the adjoint gives 1, central differences 2 along a random direction", ms=1.0
    )


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ([], [NOTHING]),
        (["pass"], []),
        (["fail"], []),
        (["pass", "not_applicable"], []),
        (["not_applicable"], [NOTHING]),
        (["pass", "inconclusive", "inconclusive"], ["2 inconclusive"]),
        (["inconclusive"], [NOTHING, "1 inconclusive"]),
        (["pass", "skipped", "inconclusive"], ["1 not checked", "1 inconclusive"]),
    ],
)
def test_what_kernels_lack(project_pair: MakePair, statuses: list[str], expected: list[str]) -> None:
    pair = project_pair("sum in a loop")
    assert of_kernels([pair_result(pair, [verdict(status)], "gradient") for status in statuses]) == expected


@pytest.mark.parametrize(
    ("statuses", "failures", "expected"),
    [
        ({}, 0, [NOTHING]),
        ({"schema": {}, "parse": {}}, 0, [NOTHING]),
        ({"execute": {"pass": 2}, "gradient": {"pass": 1, "not_applicable": 1}}, 0, []),
        ({"execute": {"fail": 2}, "gradient": {"skipped": 2}}, 2, ["2 skipped"]),
        (
            {"execute": {"pass": 1, "inconclusive": 1}, "gradient": {"pass": 1, "skipped": 1}},
            0,
            ["1 skipped", "1 inconclusive"],
        ),
    ],
)
def test_what_pairs_lack(statuses: dict[str, dict[str, int]], failures: int, expected: list[str]) -> None:
    counts = {level: Counter(found) for level, found in statuses.items()}
    assert of_pairs(Outcome(1, counts, (verdict("fail"),) * failures)) == expected


@pytest.mark.parametrize(("options", "code", "word"), [((), 0, "warning"), (("--strict",), 1, "error: --strict")])
def test_a_file_without_pairs(run_in_process: Any, tmp_path: Path, options: tuple[str, ...], code: int, word: str) -> None:
    (tmp_path / "pairs.jsonl").write_bytes(b"")
    done, _, stderr = run_in_process("run", str(tmp_path / "pairs.jsonl"), "--workers", "1", *options)
    assert done == code
    assert f"{word}: {NOTHING}" in stderr
