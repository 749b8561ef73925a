"""Values of launch variants stay inside their domains for any numbers in the Python source."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.validation.running.launch_variants import DRAWS, launch_variants


@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize("source", ["", "x > 2.0", "x = 1e999", f"x = {'9' * 400}", "x = -0.0", "x = 1e-400"])
def test_values_stay_inside_their_domain(dtype: str, source: str) -> None:
    domain = Domain(kind="uniform", low=-3, high=5)
    plain = Argument(name="a", kind="value", dtype=dtype, role="input", shape=(), domain=domain)
    array = Argument(name="x", kind="array", dtype=dtype, role="input", shape=(9,), domain=domain)
    variants = list(launch_variants(Launch(dim=(9,), args=(plain, array)), "id", source))
    assert len(variants) == len(DRAWS)
    for _, values in variants:
        assert all(value.min() >= -3 and value.max() <= 5 for value in values.values())


def _variants(source: str, *args: Argument) -> list[dict[str, Values]]:
    return [values for _, values in launch_variants(Launch(dim=(40,), args=args), "id", source)]


def _argument(name: str, kind: Literal["value", "array"], dtype: str, low: float, high: float) -> Argument:
    shape = (40,) if kind == "array" else ()
    return Argument(
        name=name, kind=kind, dtype=dtype, role="input", shape=shape, domain=Domain(kind="uniform", low=low, high=high)
    )


def test_an_integer_has_all_values_of_a_small_domain() -> None:
    """The variants reach a branch that only one value of an integer takes."""
    variants = _variants("if level == 6:", _argument("level", "value", "int32", 0, 7))
    assert {int(values["level"]) for values in variants} == set(range(8))


def test_numbers_of_the_python_come_first() -> None:
    variants = _variants("if level == 600:", _argument("level", "value", "int32", 0, 100_000))
    assert {599, 600, 601} <= {int(values["level"]) for values in variants}


def test_two_arrays_are_equal_somewhere() -> None:
    """Equal elements distinguish ``a[i] < b[i]`` from ``a[i] <= b[i]``, also if the domains overlap only in part."""
    variants = _variants("0.5", _argument("a", "array", "float32", 0.0, 0.8), _argument("b", "array", "float32", 0.5, 4.0))
    assert any(bool(np.any(values["a"] == values["b"])) for values in variants)


def test_sums_of_the_numbers_are_drawn() -> None:
    """``x - 0.6 > 0.05`` changes its value at 0.65."""
    variants = _variants("if x - 0.6 > 0.05:", _argument("x", "array", "float32", 0.5, 0.99))
    assert any(bool(np.any(np.isclose(values["x"], 0.65, atol=1e-6))) for values in variants)


@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_plain_arguments_are_bounds_that_elements_meet(dtype: str) -> None:
    """``x[i] < top`` and a constant factor of ``top`` that is wrong by more than a hundredth differ at such elements."""
    variants = _variants("", _argument("top", "value", dtype, 100.0, 900.0), _argument("x", "array", dtype, 0.0, 1_000.0))
    near = np.concatenate([values["x"].astype(np.float64) / values["top"] for values in variants])
    assert np.any(near == 1.0)
    assert np.any((near > 0.98) & (near < 1.0))
    assert np.any((near > 1.0) & (near < 1.02))


def test_elements_repeat_within_an_array_and_between_arrays() -> None:
    """A search that ends at the first element, and one that ends at the last one, differ if there are two of them."""
    arguments = _argument("x", "array", "float32", 0.0, 1.0), _argument("key", "array", "float32", 0.25, 2.0)
    repeated = [np.sum(values["x"][:, None] == values["key"], axis=0).max() for values in _variants("", *arguments)]
    assert max(repeated) > 1
    assert min(repeated) == 0  # the other launches are as random as before
