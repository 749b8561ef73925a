"""What several processes observed becomes one list: the same launch counts once, and ids are different."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from warpsmith.core.records.pair import Pair, Reject
from warpsmith.validation.gate.observed import Observed, from_plain, kernel_id, merged
from warpsmith.validation.gate.project_checks import Limits, check_pairs

REJECT = Reject(id="sim-1-sim.step", seed=None, index=None, stage="source", error="a lambda")


def wider(pair: Pair) -> Pair:
    launch = pair.metadata.launch
    assert launch is not None
    return replace(pair, metadata=replace(pair.metadata, launch=replace(launch, dim=(4,))))


def test_processes_exchange_what_they_observed(project_pair: Any) -> None:
    pair = project_pair("branch")
    observed = Observed([pair], [REJECT], {pair.id: "test_a", REJECT.id: "test_b"}, 2)
    assert from_plain(observed.to_plain()) == observed


def test_the_same_launch_counts_once(project_pair: Any) -> None:
    pair = project_pair("branch")
    first = Observed([pair], [REJECT], {pair.id: "test_a", REJECT.id: "test_a"}, 1)
    second = Observed([wider(pair), pair], [REJECT], {pair.id: "test_b", REJECT.id: "test_b"}, 3)
    whole = merged([first, second])
    assert [one.id for one in whole.pairs] == [pair.id, f"{pair.id}#2"]
    assert [one.metadata.launch.dim for one in whole.pairs if one.metadata.launch] == [(8,), (4,)]
    assert whole.tests == {pair.id: "test_a", f"{pair.id}#2": "test_b", REJECT.id: "test_a"}
    assert (whole.rejects, whole.left_out) == ([REJECT], 3)


@pytest.mark.parametrize(("identity", "kernel"), [("a-1-b.c#2", "a-1-b.c"), ("a-1-b.c", "a-1-b.c"), ("a#b", "a#b")])
def test_the_kernel_of_a_launch(identity: str, kernel: str) -> None:
    assert kernel_id(identity) == kernel


def test_pairs_beyond_the_limits_are_not_checked(project_pair: Any) -> None:
    pairs = [replace(project_pair("branch"), id=name) for name in ("one", "one#2", "two")]
    none = check_pairs(pairs, Limits(kernels=0, seconds=10.0))
    assert {(one.result, one.reason) for one in none} == {("not checked", "it is beyond the limit of 0 kernels")}
    late = check_pairs(pairs, Limits(kernels=1, seconds=0.0))
    assert [one.reason for one in late] == [*["the time limit of 0 s had passed"] * 2, "it is beyond the limit of 1 kernels"]
