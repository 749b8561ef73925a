"""Larger launches have the threads that are asked for, keep equal numbers equal, and are launches that the Python allows."""

from __future__ import annotations

import math

from shift_pair import make_pair
from warpsmith.core import Pair
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.scoring.speed.larger_launch import BYTES, larger_launch
from warpsmith.validation.oracle.interpreter.interpret import interpret
from warpsmith.validation.oracle.values.interpretation_errors import Misuse


def shapes(launch: Launch) -> dict[str, tuple[int, ...]]:
    return {argument.name: argument.shape for argument in launch.args if argument.kind == "array"}


def test_numbers_that_mean_the_same_grow_together() -> None:
    pair = make_pair(100)
    own, found = pair.metadata.launch, larger_launch(pair, 1000)
    assert own is not None
    assert found is not None
    assert (own.dim, found.dim) == ((100,), (1000,))
    grown = {name: shape for name, shape in shapes(found).items() if shape != shapes(own)[name]}
    assert {shapes(own)[name] for name in grown} == {(100,)}
    assert set(grown.values()) == {(1000,)}


def test_arguments_stay_below_the_limit() -> None:
    found = larger_launch(make_pair(100), 1 << 24)
    assert found is not None
    assert sum(value.nbytes for value in make_inputs(found, "1").values()) <= BYTES
    assert math.prod(found.dim) > 1 << 20


def test_there_is_no_launch_of_as_many_threads_or_of_one_size() -> None:
    assert larger_launch(make_pair(100), 120) is None


def test_the_python_allows_larger_launches_of_most_samples(samples: list[Pair]) -> None:
    """An access outside of an array shows a launch that is not allowed; such a pair has no speed."""
    allowed, refused = [], []
    for pair in samples[:30]:
        assert pair.metadata.launch is not None
        found = larger_launch(pair, 3 ** len(pair.metadata.launch.dim) * math.prod(pair.metadata.launch.dim))
        if found is None:
            continue
        try:
            interpret(pair.python_source, pair.metadata.kernel_name, found, make_inputs(found, pair.id), steps=1 << 27)
            allowed.append(pair.id)
        except Misuse:
            refused.append(pair.id)
    assert len(allowed) > 15
    assert 7 * len(refused) <= len(allowed), refused
