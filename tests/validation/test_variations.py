"""Other launches of a pair: whatever numbers stand in its Python, values stay inside the domains."""

from __future__ import annotations

import pytest

from warpsmith.extraction.record import Argument, Domain, Launch
from warpsmith.validation.variations import DRAWS, variations


@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize("source", ["", "x > 2.0", "x = 1e999", f"x = {'9' * 400}", "x = -0.0", "x = 1e-400"])
def test_values_stay_inside_their_domain(dtype: str, source: str) -> None:
    domain = Domain(kind="uniform", low=-3, high=5)
    plain = Argument(name="a", kind="value", dtype=dtype, role="input", shape=(), domain=domain)
    array = Argument(name="x", kind="array", dtype=dtype, role="input", shape=(9,), domain=domain)
    drawn = list(variations(Launch(dim=(9,), args=(plain, array)), "id", source))
    assert len(drawn) == len(DRAWS)
    for _, values in drawn:
        assert all(value.min() >= -3 and value.max() <= 5 for value in values.values())
