"""The bounds: within a row's domain, the value of a Warp builtin is finite and lies in the row's range.

The reference is Warp itself: its builtins are called from Python with values drawn from the arguments' bounds.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import warp as wp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from warpsmith.synthesis.language.builtins.registry import ROWS
from warpsmith.synthesis.language.nodes import Name
from warpsmith.synthesis.language.overloads import signatures
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, MAT22, MAT33, MAT44, VEC2, VEC3, Type

PYTHON = {"float": float, "int": int, "where": lambda condition, then, other: then if condition else other}
"""Builtins that cannot be called from Python by Warp's name."""

SOME_TYPES = {FLOAT, INT, BOOL, VEC2, VEC3, MAT22}
NOT_WRITTEN = {("div", (INT, INT)), ("float", (BOOL,)), ("int", (BOOL,)), ("where", (BOOL, BOOL, BOOL))}
OVERLOADS = [
    (key, inputs)
    for key in ROWS
    for inputs in signatures(key)
    if key != "inverse" and SOME_TYPES.issuperset(inputs) and (key, inputs) not in NOT_WRITTEN
]
EXACT = """add sub mul div neg min max clamp abs lerp tan asin acos atan sinh cosh tanh exp log log2 log10 sqrt cbrt pow erf
degrees radians floor ceil trunc""".split()
"""Rows whose range is a single value if the arguments are known."""

DOMAINS = {"smoothstep": ((-1.0e3, 0.0), (0.5, 1.0e3), (-1.0e4, 1.0e4))}
"""The edges of a smoothstep are literals, the second one clearly above the first."""

DrawnArguments = tuple[tuple[Name, ...], list[Any]]
thorough = settings(
    deadline=None, derandomize=True, database=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow]
)


def call(key: str, inputs: tuple[Type, ...], values: list[Any]) -> np.ndarray:
    if key in PYTHON:
        return np.asarray(PYTHON[key](*values), dtype=np.float64)
    result = getattr(wp, key)(*(argument(dtype, value) for dtype, value in zip(inputs, values)))
    return np.asarray(getattr(result, "value", result), dtype=np.float64)


def argument(dtype: Type, value: Any) -> Any:
    return getattr(wp, dtype.name)(*value) if dtype.shape else getattr(wp, dtype.name)(value)


def numbers(dtype: Type, low: float, high: float) -> st.SearchStrategy[Any]:
    """Draw numbers of a type, from ``low`` to ``high``."""
    if dtype.scalar != "float32":
        return st.integers(math.ceil(low), math.floor(high))
    first, last = np.float32(low), np.float32(high)
    first = first if first >= low else np.nextafter(first, np.float32(np.inf))
    last = last if last <= high else np.nextafter(last, np.float32(-np.inf))
    return st.floats(float(first), float(last), width=32, allow_subnormal=False).map(lambda number: number + 0.0)


def elements(dtype: Type, low: float, high: float) -> st.SearchStrategy[Any]:
    """Draw values of a type with all components from ``low`` to ``high``."""
    components = numbers(dtype, low, high)
    size = math.prod(dtype.shape)
    return st.lists(components, min_size=size, max_size=size) if dtype.shape else components


def corners(dtype: Type, low: Any, high: Any) -> st.SearchStrategy[Any]:
    """Draw values of a type with all components at their bounds, where sums of products are largest."""
    ends = st.sampled_from([low, high])
    size = math.prod(dtype.shape)
    return st.lists(ends, min_size=size, max_size=size) if dtype.shape else ends


@st.composite
def arguments(draw: st.DrawFn, key: str, inputs: tuple[Type, ...]) -> DrawnArguments:
    """Draw names with bounds inside the row's domains, and values inside these bounds."""
    names, values = [], []
    for letter, dtype, (low, high) in zip("abc", inputs, DOMAINS.get(key, ROWS[key].domains)):
        ends = sorted(draw(st.tuples(numbers(dtype, low, high), numbers(dtype, low, high))))
        names.append(Name(letter, dtype, *ends))
        values.append(draw(st.one_of(elements(dtype, *ends), corners(dtype, *ends))))
    return tuple(names), values


def assert_within(result: np.ndarray, low: float, high: float) -> None:
    slack = 1.0e-5 * max(abs(low), abs(high)) + 1.0e-12
    assert np.isfinite(result).all()
    assert (low - slack <= result).all(), f"{result} is below {low}"
    assert (result <= high + slack).all(), f"{result} is above {high}"


def label(part: Any) -> str:
    return part if isinstance(part, str) else ",".join(dtype.name for dtype in part)


@pytest.mark.parametrize(("key", "inputs"), OVERLOADS, ids=label)
def test_value_lies_in_the_range(key: str, inputs: tuple[Type, ...]) -> None:
    @thorough
    @given(arguments(key, inputs))
    def check(drawn: DrawnArguments) -> None:
        names, values = drawn
        assert_within(call(key, inputs, values), *ROWS[key].range(names))

    check()


@pytest.mark.parametrize(
    ("key", "dtype"), [("mul", FLOAT), ("mul", INT), ("cw_mul", VEC3), ("dot", VEC2), ("dot", VEC3)], ids=str
)
def test_square_is_never_negative(key: str, dtype: Type) -> None:
    @thorough
    @given(arguments(key, (dtype,)))
    def check(drawn: DrawnArguments) -> None:
        (name,), (value,) = drawn
        low, high = ROWS[key].range((name, name))
        assert low >= 0.0
        assert_within(call(key, (dtype, dtype), [value, value]), low, high)

    check()


@pytest.mark.parametrize("key", EXACT)
def test_range_of_constant_arguments_is_the_value(key: str) -> None:
    inputs = (FLOAT,) * len(ROWS[key].domains)

    @thorough
    @given(st.tuples(*(numbers(FLOAT, *domain) for domain in ROWS[key].domains)))
    def check(values: tuple[float, ...]) -> None:
        if key == "lerp":
            values = (values[0], values[0], values[2])
        names = tuple(Name(letter, FLOAT, value, value) for letter, value in zip("abc", values))
        low, high = ROWS[key].range(names)
        assert high - low <= 1.0e-12 * max(1.0, abs(low))
        assert call(key, inputs, list(values)) == pytest.approx(low, rel=1.0e-5, abs=1.0e-6)

    check()


@pytest.mark.parametrize("dtype", [MAT22, MAT33, MAT44], ids=lambda dtype: dtype.name)
def test_inverse_of_a_dominant_matrix(dtype: Type) -> None:
    order = dtype.shape[0]

    @thorough
    @given(elements(dtype, -1.0, 1.0), st.floats(0.0, 100.0, width=32))
    def check(entries: list[float], scale: float) -> None:
        small = scale * np.reshape(entries, dtype.shape)
        dominant = small + (order * scale + 1.0) * np.eye(order)
        result = call("inverse", (dtype,), [dominant.ravel().tolist()])
        assert_within(result, *ROWS["inverse"].range(()))

    check()


def test_every_row_is_a_builtin_of_this_warp_with_a_domain_for_each_argument() -> None:
    for key, row in ROWS.items():
        lengths = {len(inputs) for inputs in signatures(key)}
        assert lengths
        assert max(lengths) <= len(row.domains)
        assert all(low < high for low, high in row.domains)
        assert row.names
        assert row.weight > 0.0
