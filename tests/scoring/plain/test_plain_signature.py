"""Plain signatures: C types, shapes and structs; pairs without a plain form carry no plain task."""

from __future__ import annotations

from dataclasses import replace

import pytest

from warpsmith.core import Pair
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.scoring.plain.plain_signature import plain_signature

DOMAIN = Domain(kind="uniform", low=0.0, high=1.0)


def argument(name: str, kind: str, dtype: str, shape: tuple[int, ...] = (), role: str = "input", **more: object) -> Argument:
    return Argument(name=name, kind=kind, dtype=dtype, role=role, shape=shape, domain=None if more else DOMAIN, **more)  # type: ignore[arg-type]


def text_of(sample: Pair, *arguments: Argument, dim: tuple[int, ...] = (4,)) -> str | None:
    launch = Launch(dim=dim, args=arguments)
    forward = f"void go_cuda_kernel_forward(\n    wp::launch_bounds_t<{len(dim)}> dim)"
    pair = replace(sample, cuda_ir_forward=forward, metadata=replace(sample.metadata, launch=launch, kernel_name="go"))
    signature = plain_signature(pair, "go")
    return None if signature is None else " ".join(signature.text.split())


def test_every_argument_has_its_c_type(samples: list[Pair]) -> None:
    mass, at = argument("mass", "value", "float64"), argument("at", "value", "mat22f")
    bodies = argument("bodies", "array", "Body_0123abcd", (4,), "inout", fields=(mass, at))
    text = text_of(
        samples[0],
        argument("x", "array", "float32", (4, 5)),
        argument("v", "array", "vec3f", (4,), "output"),
        argument("n", "value", "uint64"),
        argument("flag", "value", "bool"),
        argument("axis", "value", "vec3f"),
        argument("small", "array", "int8", (2, 3, 4), "inout"),
        bodies,
        dim=(4, 5),
    )
    assert text == (
        "struct Body { double mass; float at[4]; }; __global__ void go( int dim0, int dim1, const float* x, int x_shape0, "
        "int x_shape1, float* v, int v_shape0, unsigned long long n, bool flag, const float* axis, signed char* small, "
        "int small_shape0, int small_shape1, int small_shape2, Body* bodies, int bodies_shape0)"
    )


@pytest.mark.parametrize(
    "unfit",
    [
        argument("m", "mesh", "mesh"),
        argument("x", "indexed_array", "float32", (4,)),
        argument("h", "value", "float16"),
        argument("float", "value", "int32"),
        argument("register", "value", "int32"),
        argument("a__b", "value", "int32"),
        argument("dim0", "value", "int32"),
        argument("s", "struct", "S", fields=(argument("x", "array", "float32", (4,)),)),
        argument("go", "value", "int32"),
    ],
    ids=lambda one: f"{one.name} {one.kind}",
)
def test_arguments_without_a_plain_form_give_no_signature(samples: list[Pair], unfit: Argument) -> None:
    fit = argument("y", "array", "float32", (4,))
    assert text_of(samples[0], fit) is not None
    assert text_of(samples[0], fit, unfit) is None


def test_launches_of_other_dimensions_give_no_signature(samples: list[Pair]) -> None:
    fit = argument("y", "array", "float32", (4,))
    assert text_of(samples[0], fit, dim=(1, 2, 3)) is not None
    assert text_of(samples[0], fit, dim=(1, 2, 3, 4)) is None
    assert plain_signature(replace(samples[0], cuda_ir_forward=None), "go") is None
    waiting = replace(samples[0], cuda_ir_forward=f"{samples[0].cuda_ir_forward}\nWP_TILE_SYNC();")
    assert plain_signature(waiting, "go") is None
