"""Results agree within the tolerance of floating-point arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

from warpsmith.core.inputs.values import Values
from warpsmith.validation.oracle.values.agreement import SHARE_OF_SCALE, disagreement


def test_floats_agree_within_the_tolerance() -> None:
    share = SHARE_OF_SCALE[4]
    one = np.array([1.0, 100.0, np.nan, np.inf, 0.0], np.float32)

    def off(place: int, by: float) -> Values:
        other = one.copy()
        other[place] += by
        return other

    assert disagreement({"a": one}, {"a": one.copy()}) is None
    assert disagreement({"a": off(0, 90.0 * share)}, {"a": one}) is None
    assert str(disagreement({"a": off(0, 200.0 * share)}, {"a": one})).startswith("a[0] is 1.00")
    assert "1 of 5" in str(disagreement({"a": off(1, 200.0 * share)}, {"a": one}))
    for place, wrong in ((2, 0.0), (3, -np.inf), (3, 1e30), (0, np.nan), (0, np.inf)):
        other = one.copy()
        other[place] = wrong
        assert disagreement({"a": other}, {"a": one}), (place, wrong)
        assert disagreement({"a": one}, {"a": other}), (place, wrong)


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.bool_])
def test_integers_and_booleans_agree_exactly(dtype: type) -> None:
    values = np.array([1, 0, 1], dtype)
    other = values.copy()
    other[2] = 0
    assert disagreement({"a": values}, {"a": values.copy()}) is None
    assert disagreement({"a": other}, {"a": values}) == f"a[2] is {other[2]} instead of {values[2]}, 1 of 3 differ"


def test_names_shapes_types_and_structs_are_compared() -> None:
    zeros = np.zeros(2, np.float32)
    assert disagreement({"a": zeros}, {"b": zeros}) == "results ['a'] instead of ['b']"
    assert "shape" in str(disagreement({"a": zeros}, {"a": np.zeros(3, np.float32)}))
    assert "float64" in str(disagreement({"a": zeros.astype(np.float64)}, {"a": zeros}))
    assert disagreement({"a": zeros}, {"a": -zeros}) is None
    structs = np.zeros(2, [("m", np.float32), ("n", np.int32)])
    other = structs.copy()
    other["n"][1] = 1
    assert str(disagreement({"a": structs}, {"a": other})).startswith("a.n[1] is 0 instead of 1")
