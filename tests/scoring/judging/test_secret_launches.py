"""Secret launches have the sizes and numbers that they promise, and the tolerance of an element does not depend on others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.corpus import pair_of as captured
from scoring.wrong_twins import KERNELS, pair_of
from scoring_datasets import task_of
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.text_format import BLOCK_OPERATION
from warpsmith.scoring.judging.element_tolerance import element_limits
from warpsmith.scoring.judging.secret_launches import SecretLaunch, secret_launches
from warpsmith.scoring.tasks.fixed_sizes import judgement
from warpsmith.validation.oracle.interpreter.interpret import interpret


def launches(name: str, key: str = "1") -> list[SecretLaunch]:
    pair = pair_of(name)
    assert pair.metadata.launch is not None
    return list(secret_launches(pair, pair.metadata.launch, key))


def lengths(launch: Launch, name: str) -> tuple[int, ...]:
    return next(argument.shape for argument in launch.args if argument.name == name)


def counts(launch: Launch) -> list[int]:
    return [int(argument.domain.low) for argument in launch.args if argument.dtype == "int32" and argument.domain]


def test_the_sizes_of_a_kernel_with_two_counts_move_apart() -> None:
    found = {one.plan.sizes.name: one.launch for one in launches("scale_rows")}
    assert found["one"].dim == (1, 1)
    odd, square, narrow, wide, large = (found[name] for name in ("odd", "square", "narrow", "wide", "large"))
    assert all(length % 2 for length in odd.dim)
    assert square.dim[0] == square.dim[1]
    assert narrow.dim < (12, 12) <= lengths(narrow, "out")
    assert all(width > count for width, count in zip(wide.dim, counts(wide), strict=True))
    assert large.dim[0] * large.dim[1] > 144
    shapes = {lengths(launch, name)[-1] for launch in (odd, large) for name in ("a", "weights", "out")}
    assert len(shapes) >= 4


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("key", ["1", "2"])
def test_the_python_allows_every_launch(name: str, key: str) -> None:
    pair, found = pair_of(name), launches(name, key)
    assert len({one.launch.dim for one in found}) >= 4
    for one in found:
        interpret(pair.python_source, pair.metadata.kernel_name, one.launch, one.values)  # raises where it does not


def test_all_that_is_written_starts_with_different_numbers() -> None:
    starts = [(one.values["flags"], one.values["total"]) for one in launches("count_large")]
    assert all(np.all(flags) and np.all(total > 0) for flags, total in starts)
    assert len({int(total.flat[0]) for _, total in starts}) >= 3
    assert any((flags < 0).any() for flags, _ in starts)


def test_numbers_are_negative_equal_and_small() -> None:
    assert any((one.values["codes"] < 0).any() for one in launches("bucket"))
    ties = next(one.values for one in launches("count_large") if one.plan.numbers == "ties")
    assert ((ties["x"] - ties["limit"]) == 0.25).any()
    tiny = [np.abs(one.values["x"]) for one in launches("nearest") if one.plan.numbers == "magnitudes"]
    assert any(((x > 0.0) & (x < 1.0e-2)).any() and (x > 1.0).any() for x in tiny)


def test_the_launches_depend_on_the_key_only() -> None:
    first, again, other = ([one.launch.dim for one in launches("row_sums", key)] for key in "112")
    assert first == again != other


def test_the_tolerance_belongs_to_the_element() -> None:
    expected = np.asarray([1.0e10, 0.1, 0.0], np.float32)
    exact = expected.astype(np.float64) + np.asarray([1000.0, 1.0e-8, 0.0])
    limits = element_limits(expected, [exact])
    assert limits[0] > 1000.0
    assert 1.0e-8 < limits[1] < 1.0e-5


def test_other_results_show_what_rounding_changes() -> None:
    expected = np.asarray([1.0, np.inf, np.nan, np.inf], np.float32)
    limits = element_limits(expected, [np.asarray([1.001, 1e39, np.nan, 3.0])])
    assert limits[0] == pytest.approx(0.016, rel=0.02)
    assert limits[1:].tolist() == [0.0, 0.0, np.inf]
    assert element_limits(np.asarray([1, 2]), [np.asarray([1, 3])]).tolist() == [0.0, np.inf]


def test_the_components_of_a_vector_share_their_rounding() -> None:
    expected = np.asarray([[1.0, 1.0], [1.0, 1.0]], np.float32)
    exact = expected + np.asarray([[1.0e-3, 0.0], [0.0, 0.0]])
    apart, together = element_limits(expected, [exact]), element_limits(expected, [exact], components=1)
    assert (apart > 0.01).tolist() == [[True, False], [False, False]]
    assert (together > 0.01).tolist() == [[True, True], [False, False]]
    unknown = element_limits(expected, [exact * np.asarray([[np.nan, 1.0], [1.0, 1.0]])], components=1)
    assert np.isinf(unknown).tolist() == [[True, False], [False, False]]


CAPTURED = ("particle_to_grid", "row_softmax", "max_speed")


@pytest.mark.parametrize("name", CAPTURED)
def test_captured_kernels_have_other_sizes_and_numbers(name: str) -> None:
    pair = captured(name)
    assert pair.is_extracted
    assert pair.metadata.launch is not None
    own = make_inputs(pair.metadata.launch, pair.id)
    found = list(secret_launches(pair, pair.metadata.launch, "1"))
    assert len({one.launch.dim for one in found}) >= 4
    arrays = {argument.name for argument in pair.metadata.launch.args if argument.kind == "array"}
    assert len({tuple(one.values[array].shape for array in sorted(arrays)) for one in found}) >= 4
    for one in found:
        make_inputs(one.launch, "1")  # raises unless the recorded values fit the shapes
        interpret(pair.python_source, pair.metadata.kernel_name, one.launch, one.values)
    floats = [array for array in arrays if own[array].dtype.kind == "f" and is_input(pair.metadata.launch, array)]
    signs = [one.values for one in found if one.numbers in ("signs", "extremes")]
    assert len(signs) >= 2
    assert any(np.abs(values[array]).max() > 1.5 * np.abs(own[array]).max() for values in signs for array in floats)
    assert any((values[array] == 0.0).any() for values in signs for array in floats)


def is_input(launch: Launch, name: str) -> bool:
    return next(argument.role for argument in launch.args if argument.name == name) == "input"


def test_prompts_say_where_sizes_stay() -> None:
    pair = pair_of("tiny")
    launch = pair.metadata.launch
    assert launch is not None
    assert judgement(pair) in task_of("python_to_cuda", pair).prompt
    assert "same" not in judgement(pair)
    of_tiles = replace(pair, cuda_ir_forward=f"{pair.cuda_ir_forward}\nwp::tile_sum(")
    assert BLOCK_OPERATION.search(of_tiles.cuda_ir_forward or "")
    assert "`dim=(48,)`" in judgement(of_tiles)
    assert "`x` (48,)" in judgement(of_tiles)
