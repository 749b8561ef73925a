"""Captured pairs pass the levels that run them; the verdicts come from the validation package."""

from __future__ import annotations

import pytest

import launched_kernels
from warpsmith.core.records.pair import Pair
from warpsmith.extraction import capture
from warpsmith.validation import validate


@pytest.mark.exhaustive
def test_captured_pairs_run_and_have_an_effect() -> None:
    with capture() as captured:
        launched_kernels.launch_all()
    pairs = [pair for pair in captured.pairs("both") if isinstance(pair, Pair)]
    verdicts = validate(pairs, level="execute", unconfined=True)
    failed = {pair.id: each[-1] for pair, each in zip(pairs, verdicts, strict=True) if each[-1].status == "fail"}
    assert not failed
    assert sum(each[-1].status == "pass" for each in verdicts) >= 6
