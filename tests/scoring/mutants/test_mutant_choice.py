"""The order of mutants: fixed by a key, with the kinds taking turns."""

from __future__ import annotations

import pytest

from pair_text import edited_places
from warpsmith.core import Pair
from warpsmith.scoring.mutants import cuda_edits, python_edits
from warpsmith.scoring.mutants.mutant_choice import Mutant, mutants

CASES = {"forward": ("cuda", False), "adjoint": ("cuda", True), "python": ("python", False)}


def made(pair: Pair, case: str, key: str = "1", *, slips: bool = True) -> tuple[str, list[Mutant]]:
    language, is_adjoint = CASES[case]
    text = str(pair.python_source if language == "python" else pair.code("cuda")[is_adjoint])
    return text, list(mutants(text, language, key, is_adjoint=is_adjoint, slips=slips))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("case", CASES)
def test_mutants_differ_from_the_text_and_from_each_other(samples: list[Pair], case: str) -> None:
    for pair in samples[:10]:
        text, found = made(pair, case)
        assert len({text, *(one.text for one in found)}) == len(found) + 1 > 20
        for one in found:
            assert 1 <= edited_places(text, one.text) <= 2, one.operator


@pytest.mark.parametrize("case", CASES)
def test_the_key_determines_the_order(samples: list[Pair], case: str) -> None:
    short = sorted(samples, key=lambda pair: len(str(pair.cuda_ir_backward)))[len(samples) // 4]
    _, found = made(short, case)
    _, other = made(short, case, "2")
    assert made(short, case)[1] == found
    assert found[:5] != other[:5]
    assert {one.text for one in found} == {one.text for one in other}


def test_kinds_take_turns(samples: list[Pair]) -> None:
    seen: set[str] = set()
    for pair in samples[:10]:
        _, found = made(pair, "forward")
        kinds = {one.operator for one in found}
        assert len(kinds) >= 6
        assert {one.operator for one in found[: len(kinds)]} == kinds
        seen |= kinds
    assert len(seen) >= 10


@pytest.mark.exhaustive
def test_slips_can_be_left_out(samples: list[Pair]) -> None:
    values = {
        "forward": {*cuda_edits.FORWARD},
        "adjoint": {*cuda_edits.FORWARD, *cuda_edits.BACKWARD},
        "python": {*python_edits.VALUES},
    }
    for case, kinds in values.items():
        operators = {one.operator for pair in samples[:10] for one in made(pair, case, slips=False)[1]}
        assert operators <= kinds
        assert len(operators) >= 6
        assert {one.operator for pair in samples[:10] for one in made(pair, case)[1]} > operators
