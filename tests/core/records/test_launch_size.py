"""The size of a launch is bounded from its record alone, and the bound is that of NumPy's arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.launch_size import COPIES, MAX_BYTES, MAX_DEPTH, element_bytes, launch_size, problems

DTYPES = """
    bool float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 vec2h vec3f vec4d vec2b vec3us vec4i vec2u
    vec5f vec3ul mat22f mat34h mat44d quatf quath transformd spatial_vectorf spatial_matrixd
""".split()

DOMAIN = Domain(kind="fill", low=0, high=0)


def array(dtype: str = "float32", shape: tuple[int, ...] = (8,), **more: Any) -> Argument:
    kind: Any = "array" if shape else "value"
    return Argument(**{"name": "x", "kind": kind, "dtype": dtype, "role": "input", "shape": shape, "domain": DOMAIN} | more)


def nested(depth: int) -> Argument:
    argument = array(shape=())
    for _ in range(depth):
        argument = array("S", (), kind="struct", fields=(argument,), domain=None)
    return argument


@pytest.mark.parametrize("dtype", DTYPES)
def test_bytes_of_elements_are_those_of_numpy(dtype: str) -> None:
    scalar, shape = element(dtype)
    assert element_bytes(dtype) == np.dtype(scalar).itemsize * math.prod(shape)


@pytest.mark.parametrize("dtype", ["float32", "vec3d"])
@pytest.mark.parametrize("kind", ["array", "indexed_array"])
@pytest.mark.parametrize("shape", [(), (7,), (3, 4), (2, 3, 2, 3)])
def test_the_bound_is_not_below_the_values(dtype: str, kind: Any, shape: tuple[int, ...]) -> None:
    launch = Launch(dim=(8,), args=(array(dtype, shape, kind=kind if shape else "value"),))
    values = make_inputs(launch, "identity")
    assert sum(value.nbytes for value in values.values() if value.dtype != np.int32) * COPIES <= launch_size(launch).bytes


def test_members_of_arrays_of_structs_count_for_each_element() -> None:
    structs = array("S", (10,), fields=(array("vec3f", ()), array("float32", (5,))), domain=None)
    assert launch_size(Launch(dim=(1,), args=(structs,))).bytes >= COPIES * 10 * (12 + 20)


@pytest.mark.parametrize(
    ("launch", "reason"),
    [
        (Launch(dim=(1,) * 5, args=()), "5 launch dimensions, more than 4"),
        (Launch(dim=(1,) * 1_000_000, args=()), "1000000 launch dimensions"),
        (Launch(dim=(10**18,), args=()), "threads"),
        (Launch(dim=(2**16, 2**16, 2**16, 2**16), args=()), "threads"),
        (Launch(dim=(1,), args=(array(shape=(10**18,)),)), "bytes"),
        (Launch(dim=(1,), args=(array(shape=(2**32, 2**32)),)), "bytes"),
        (Launch(dim=(1,), args=(array(shape=(2**62,) * 300_000),)), "300000 dimensions"),
        (Launch(dim=(1,), args=(array("spatial_matrixd", (1 << 20,)),)), "bytes"),
        (Launch(dim=(1,), args=(array(),) * 50_000), "50000 arguments and members"),
        (Launch(dim=(1,), args=(nested(MAX_DEPTH + 1),)), "nested more than 16 deep"),
        (Launch(dim=(1,), args=(nested(20_000),)), "nested more than 16 deep"),
    ],
)  # fmt: skip
def test_absurd_sizes_are_refused_at_once(launch: Launch, reason: str) -> None:
    assert any(reason in problem for problem in problems(launch))


def test_the_largest_launch_is_accepted() -> None:
    length = MAX_BYTES // COPIES // 4 - 64
    assert list(problems(Launch(dim=(length,), args=(array(shape=(length,)),)))) == []
    assert list(problems(Launch(dim=(4,), args=(nested(MAX_DEPTH),)))) == []
