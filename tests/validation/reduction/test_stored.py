"""Candidates of a reduction have the stored values that their arguments need, and no others."""

from __future__ import annotations

import pytest

from real_patterns import CORRECT, INCORRECT
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.reduction.candidates import smaller_pairs
from warpsmith.validation.reduction.search import reduce

PATTERNS = CORRECT | INCORRECT


def pair_of(name: str) -> Pair:
    pair = PATTERNS[name].line(name).pair
    assert pair is not None
    return pair


def launches(name: str) -> list[Launch]:
    return [one.metadata.launch for one in smaller_pairs(pair_of(name)) if one.metadata.launch is not None]


@pytest.mark.parametrize("name", ["norms of sparse rows", "neighbours in a hash grid", "arrays in nested structs"])
def test_every_candidate_has_values(name: str) -> None:
    found = launches(name)
    assert len(found) > 20
    for launch in found:
        make_inputs(launch, "a")


def test_stored_values_shrink_with_their_array() -> None:
    shapes = {launch.args[0].shape for launch in launches("norms of sparse rows")}
    assert len(shapes) > 1
    whole = make_inputs(PATTERNS["norms of sparse rows"].launch, "a")["offsets"]
    for launch in launches("norms of sparse rows"):
        values = make_inputs(launch, "a")
        if "offsets" in values:
            assert values["offsets"].tolist() == whole[: len(values["offsets"])].tolist()


def test_values_of_removed_arguments_go() -> None:
    launch = PATTERNS["neighbours in a hash grid"].launch
    assert launch.stored.keys() == {"grid.points", "x"}
    assert launch.with_args(launch.args[1:]).stored.keys() == {"x"}
    surplus = Launch(dim=launch.dim, args=launch.args[1:], stored=launch.stored)
    with pytest.raises(WarpsmithError, match=r"grid\.points"):
        make_inputs(surplus, "a")


@pytest.mark.exhaustive
def test_a_wrong_gradient_of_an_extracted_kernel_becomes_small() -> None:
    line = PATTERNS["norms of sparse rows"].line("norms of sparse rows")
    reduction = reduce(line, levels_to("gradient")[-1].name)
    assert reduction.steps > 2
    assert len(reduction.pair.python_source) < len(PATTERNS["norms of sparse rows"].source)
    assert reduction.pair.metadata.origin is not None
    assert "is not the derivative" in reduction.reason
