"""Domains of observed values: what is made from a domain lies in the observed range and has the observed property."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.extraction.launches import value_domains

RANDOM = np.random.default_rng(3)


def made_from(domain: Domain, values: Any, dtype: str, element: tuple[int, ...] = ()) -> Any:
    shape = values.shape[: values.ndim - len(element)]
    argument = Argument(name="x", kind="array", dtype=dtype, role="input", shape=shape, domain=domain)
    return make_inputs(Launch(dim=(1,), args=(argument,)), "an id")["x"]


@given(arrays.arrays(np.int32, st.integers(1, 60), elements=st.integers(-5, 40)))
def test_integers_stay_in_the_observed_range(values: Any) -> None:
    domain = value_domains.integers(values)
    made = made_from(domain, values, "int32")
    assert values.min() <= made.min()
    assert made.max() <= values.max()


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("offsets", np.concatenate([[0], np.cumsum(RANDOM.integers(0, 9, 50))])),
        ("sorted", np.sort(RANDOM.integers(3, 90, 50))),
        ("permutation", RANDOM.permutation(50) + 7),
        ("uniform", RANDOM.integers(-1, 90, 50)),
    ],
)
def test_the_order_of_integers(kind: str, values: Any) -> None:
    domain = value_domains.integers(values.astype(np.int32))
    assert domain.kind == kind
    made = made_from(domain, values, "int32")
    if kind in ("offsets", "sorted"):
        assert (np.diff(made) >= 0).all()
    if kind == "offsets":
        assert (made[0], made[-1]) == (0, values[-1])
    if kind == "permutation":
        assert sorted(made) == sorted(values)


def test_directions_rotations_and_transforms_have_unit_length() -> None:
    directions = RANDOM.normal(size=(40, 4)).astype(np.float32)
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    domain = value_domains.floats(directions, (4,), "quatf")
    assert domain is not None
    assert domain.kind == "unit"
    transforms = np.concatenate([RANDOM.uniform(-3.0, 5.0, (40, 3)), directions], axis=1).astype(np.float32)
    domain = value_domains.floats(transforms, (7,), "transformf")
    assert domain is not None
    assert domain.kind == "unit"
    made = made_from(domain, transforms, "transformf", (7,))
    np.testing.assert_allclose(np.linalg.norm(made[:, 3:], axis=1), 1.0, atol=1e-5)
    assert transforms[:, :3].min() <= made[:, :3].min()
    assert made[:, :3].max() <= transforms[:, :3].max()


def test_matrices_near_the_identity() -> None:
    matrices = (np.eye(3) + RANDOM.uniform(-0.1, 0.2, (20, 3, 3))).astype(np.float32)
    domain = value_domains.floats(matrices, (3, 3), "mat33f")
    assert domain is not None
    assert domain.kind == "near_identity"
    made = made_from(domain, matrices, "mat33f", (3, 3)) - np.eye(3)
    assert (np.abs(made) <= 0.2).all()


def test_constants_and_numbers_without_a_domain() -> None:
    assert value_domains.constant(np.full(4, 2.5)) == Domain(kind="fill", low=2.5, high=2.5)
    assert value_domains.constant(np.empty(0, np.int32)) == Domain(kind="fill", low=0, high=0)
    assert value_domains.constant(np.array([1, 2])) is None
    assert value_domains.constant(np.full(2, np.nan)) is None
    assert value_domains.constant(np.array([0.0, -0.0])) is None, "a fill has one sign of zero"
    assert value_domains.floats(np.array([1.0, np.inf]), (), "float64") is None
