"""The launches besides a pair's own: how many, in which order, and which are directed at branches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.validation.branches.branch_launches import FIRST, LARGE, Variant, variants_of
from warpsmith.validation.running.launch_variants import DRAWS, launch_variants

COUNT = 40

SOURCE = """import warp as wp


@wp.kernel
def k(x: wp.array(dtype=float), a: float, n: int, y: wp.array(dtype=float)):
    i = wp.tid()
    if i >= n:
        return
    {body}
"""

UNIFORM = Domain(kind="uniform", low=0.0, high=1.0)


def launch_of(count: int) -> Launch:
    fill = Domain(kind="fill", low=count, high=count)
    return Launch(
        dim=(count,),
        args=(
            Argument(name="x", kind="array", dtype="float32", role="input", shape=(count,), domain=UNIFORM),
            Argument(name="a", kind="value", dtype="float32", role="input", shape=(), domain=UNIFORM),
            Argument(name="n", kind="value", dtype="int32", role="input", shape=(), domain=fill),
            Argument(
                name="y", kind="array", dtype="float32", role="output", shape=(count,), domain=replace(fill, low=0, high=0)
            ),
        ),
    )


Maker = Callable[[str], tuple[Pair, list[Variant]]]


@pytest.fixture
def variants(pair_line: Callable[..., Line]) -> Maker:
    def make(body: str, count: int = COUNT) -> tuple[Pair, list[Variant]]:
        launch = launch_of(count)
        pair = pair_line(SOURCE.format(body=body), launch).pair
        assert pair is not None
        return pair, variants_of(pair, launch, make_inputs(launch, pair.id), pair.id)

    return make


def same(one: Variant, launch: Launch, values: dict[str, np.ndarray]) -> bool:
    return one.launch == launch and all(one.values[name].tobytes() == value.tobytes() for name, value in values.items())


def test_a_kernel_without_branches_has_the_drawn_launches(variants: Maker) -> None:
    pair, found = variants("y[i] = x[i] * a")
    assert pair.metadata.launch is not None
    drawn = list(launch_variants(pair.metadata.launch, pair.id, pair.python_source))
    assert len(found) == len(DRAWS) == len(drawn)
    assert all(same(one, *other) for one, other in zip(found, drawn, strict=True))
    assert not any(one.is_directed for one in found)


UNGUARDED = """import warp as wp


@wp.kernel
def k(x: wp.array(dtype=float), a: float, n: int, y: wp.array(dtype=float)):
    i = wp.tid()
    {body}
"""


@pytest.mark.parametrize(
    ("body", "wider", "smaller"),
    [
        ("y[i] = x[i] * a", False, True),
        ("y[i % n] = x[i % n] * a", True, True),
        ("y[wp.min(i, y.shape[0] - 1)] = x[i - (n - x.shape[0]) * 50 - i]", True, False),
    ],
    ids=["no check of bounds", "indices inside any array", "an index from a count"],
)
def test_launches_that_end_early_are_left_out(pair_line: Callable[..., Line], body: str, wider: bool, smaller: bool) -> None:
    launch = launch_of(COUNT)
    pair = pair_line(UNGUARDED.format(body=body), launch).pair
    assert pair is not None
    found = variants_of(pair, launch, make_inputs(launch, pair.id), pair.id)
    assert any(one.launch.dim != launch.dim for one in found) is wider
    assert any(int(one.values["n"]) < COUNT for one in found) is smaller


def test_a_branch_of_array_elements_replaces_one_launch(variants: Maker) -> None:
    pair, found = variants("y[i] = wp.where(x[i] * x[i] > 0.3, x[i], a)")
    assert pair.metadata.launch is not None
    drawn = list(launch_variants(pair.metadata.launch, pair.id, pair.python_source))
    assert [one.is_directed for one in found] == [False] * FIRST + [True] + [False] * (len(DRAWS) - FIRST - 1)
    assert all(same(one, *other) for one, other in zip(found[:FIRST], drawn, strict=False))
    assert all(any(same(one, *other) for other in drawn) for one in found if not one.is_directed)
    x = found[FIRST].values["x"]
    assert np.any(x * x > np.float32(0.3))
    assert np.any(x * x <= np.float32(0.3))


def test_a_branch_of_plain_arguments_has_launches_on_both_sides(variants: Maker) -> None:
    _, found = variants("y[i] = wp.where(a * a * a > 0.2, x[i], 0.0)")
    cubes = [float(one.values["a"]) ** 3 for one in found if one.is_directed]
    assert any(0.199 <= cube < 0.2 for cube in cubes)
    assert any(0.2 < cube <= 0.201 for cube in cubes)


def test_a_kernel_that_cannot_be_interpreted_has_the_drawn_launches(variants: Maker) -> None:
    """Threads that wait for what others leave do not run together."""
    _, found = variants("y[i] = wp.where(wp.atomic_cas(y, i, a, x[i]) > 0.3, x[i], a)")
    assert len(found) == len(DRAWS)


def test_large_launches_are_not_searched(variants: Maker) -> None:
    make: Callable[..., tuple[Pair, list[Variant]]] = variants
    _, found = make("y[i] = wp.where(x[i] * x[i] > 0.3, x[i], a)", LARGE + 1)
    assert not any(one.is_directed for one in found)


def test_the_same_pair_has_the_same_launches(variants: Maker) -> None:
    body = "y[i] = wp.where(x[i] * x[i] > 0.3, x[i], wp.clamp(a, 0.25, 0.75))"
    (_, first), (_, again) = variants(body), variants(body)
    assert all(same(one, other.launch, other.values) for one, other in zip(first, again, strict=True))


def nearest_ties(pair: Pair, expression: Callable[[np.ndarray], np.ndarray], *, rounds_otherwise: bool) -> list[float]:
    """Return how close to a threshold the elements of directed launches are, those that move."""
    launch = launch_of(COUNT)
    values = make_inputs(launch, pair.id)
    found = variants_of(pair, launch, values, pair.id, rounds_otherwise=rounds_otherwise)
    moved = [one.values["x"][one.values["x"] != values["x"]] for one in found if one.is_directed]
    return [abs(float(distance)) for x in moved for distance in expression(x.astype(np.float64))]


def test_comparisons_that_rounding_decides_are_left_to_code_that_rounds_alike(variants: Maker) -> None:
    pair, _ = variants("y[i] = wp.where(x[i] * x[i] * 3.0 > 0.7, 1.0, 0.0)")

    def computed(x: np.ndarray) -> np.ndarray:
        return x * x * 3.0 - 0.7

    assert min(nearest_ties(pair, computed, rounds_otherwise=False)) < 1e-7
    distances = nearest_ties(pair, computed, rounds_otherwise=True)
    assert min(distances) > 1e-6
    assert min(distances) < 1e-2, "others are still directed"


def test_operands_that_no_rounding_changes_may_be_equal(variants: Maker) -> None:
    pair, _ = variants("y[i] = wp.where(x[i] > 0.5, 1.0, 0.0)")
    for rounds_otherwise in (False, True):
        assert min(nearest_ties(pair, lambda x: x - 0.5, rounds_otherwise=rounds_otherwise)) == 0.0
