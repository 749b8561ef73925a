"""Other precisions: numbers of Warp for the same inputs, and which kernels have a twin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import warp as wp
from msgspec.structs import replace

from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.extraction.warp.interleave import run_alone
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.language.composed_kernel import Array, Constant, Kernel, Scalar
from warpsmith.synthesis.language.render import Style, render
from warpsmith.synthesis.language.warp_types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.forms.file_forms import write_forms
from warpsmith.synthesis.writing.forms.file_style import FileStyle
from warpsmith.synthesis.writing.forms.float_types import has_twin, is_generic_builtin
from warpsmith.synthesis.writing.forms.generics import as_generic, with_generic_functions
from warpsmith.synthesis.writing.forms.precision import in_double, with_half_arrays
from warpsmith.synthesis.writing.generate import write_draft
from warpsmith.synthesis.writing.kernel_launch import describe_launch

SCALE = """\
@wp.func
def scale(x: float, v: wp.vec3) -> float:
    y = float(0.5)
    return x * 0.25 + wp.dot(v, v) / (1.0 + y)"""

SCALARS = Kernel(
    name="smooth",
    params=(
        Array("x", FLOAT, ("n",), 0.0, 1.0),
        Array("kind", INT, ("n",), 0, 2),
        Scalar("gain", FLOAT, 0.5, 1.0),
        Array("out", FLOAT, ("n",), 0.0, 0.0, "fill", "output"),
    ),
    body=(
        "i = wp.tid()",
        "total = float(0.0)",
        "for k in range(3):",
        "    total += x[i] * (float(kind[i]) + 0.5)",
        "if kind[i] == 1:",
        "    total = total * LIMIT  # as 0.5 would",
        "out[i] = total * gain + LIMIT * wp.sin(x[i])",
    ),
    sizes=(("n", 16),),
    dim=(16,),
    constants=(Constant("LIMIT", 0.75),),
)

VECTORS = replace(
    SCALARS,
    params=(Array("p", VEC3, ("n",), 0.0, 1.0), Array("out", FLOAT, ("n",), 0.0, 0.0, "fill", "output")),
    body=("i = wp.tid()", "d = p[i] - wp.vec3(0.25, LIMIT, 1.0)", "out[i] = scale(wp.length(d), d) * 2.0"),
    preface=(SCALE,),
)


def results(kernel: Kernel, launch: Launch) -> dict[str, Any]:
    """Return the outputs of a kernel that Warp runs on the CPU, with inputs that depend on their names only."""
    values = make_inputs(describe_launch(SINGLE[kernel.name]), "precision")
    arguments = []
    for argument in launch.args:
        dtype = getattr(wp, argument.dtype)
        value = values[argument.name]
        arguments.append(wp.array(value, dtype=dtype, device="cpu") if argument.kind == "array" else dtype(value.item()))
    with loaded_kernel(render(kernel, Style()), kernel.name, module_name=f"precision_{len(USED)}") as loaded:
        USED.append(kernel.name)
        wp.launch(loaded, dim=launch.dim, inputs=arguments, device="cpu")
    return {
        argument.name: array.numpy().astype(np.float64)
        for argument, array in zip(launch.args, arguments, strict=True)
        if argument.role != "input"
    }


USED: list[str] = []
"""The kernels that ran, which number the modules."""

SINGLE: dict[str, Kernel] = {}
"""The kernels in float32 by name."""


def check_same_numbers(kernel: Kernel, other: Kernel, tolerance: float) -> None:
    """Check that two kernels compute the same numbers."""
    SINGLE[kernel.name] = kernel
    expected, found = results(kernel, describe_launch(kernel)), results(other, describe_launch(other))
    for name, values in expected.items():
        assert np.allclose(found[name], values, rtol=tolerance, atol=tolerance), name


@pytest.mark.parametrize("kernel", [SCALARS, VECTORS], ids=["scalars", "vectors"])
@pytest.mark.parametrize("bare", [True, False])
def test_double_computes_the_same(kernel: Kernel, bare: bool) -> None:
    double = in_double(kernel, bare=bare)
    assert double is not None
    text = render(double, Style())
    assert not re.search(r"(?<![\w.])float\b|vec3\b|(?<!float64\()(?<![\d.])\b0\.75", text.replace("wp.vec3d(0.25", ""))
    check_same_numbers(kernel, double, 1.0e-6)


def test_only_literals_are_bare() -> None:
    lines = ("v = wp.vec3(float(kind[i]), 0.5, 1.0)", "w = wp.vec3(0.25, 0.5, 1.0e-3)", "u = wp.vec2(float(n), float(n))")
    double = in_double(replace(SCALARS, body=(*SCALARS.body, *lines)), bare=True)
    assert double is not None
    assert double.body[-3:] == (
        "v = wp.vec3d(wp.float64(kind[i]), wp.float64(0.5), wp.float64(1.0))",
        "w = wp.vec3d(0.25, 0.5, 1.0e-3)",
        "u = wp.vec2d(wp.float64(n), wp.float64(n))",
    )


def test_half_is_converted_where_it_is_read_and_stored() -> None:
    half = with_half_arrays(replace(SCALARS, decorator="@wp.kernel(enable_backward=False)"), outputs=True)
    assert half is not None
    assert "total += float(x[i]) * (float(kind[i]) + 0.5)" in "\n".join(half.body)
    assert half.body[-1].startswith("out[i] = wp.float16(")
    check_same_numbers(SCALARS, half, 1.0e-2)


def test_generic_kernel_computes_the_same() -> None:
    generic = as_generic(SCALARS)
    assert generic is not None
    assert generic.generic == ("x", "gain", "out")
    assert "x.dtype(0.75)" in "\n".join(generic.body)
    check_same_numbers(SCALARS, generic, 1.0e-6)
    double = write_forms(SCALARS, FileStyle(precision="double", generic="kernel"))
    assert "wp.overload" in render(double, Style())
    check_same_numbers(SCALARS, double, 1.0e-6)


@pytest.mark.parametrize("typed", [True, False])
def test_generic_functions_compute_the_same(typed: bool) -> None:
    scale = SCALE.replace("    y = float(0.5)\n", "").replace("(1.0 + y)", "1.5")
    kernel = replace(VECTORS, preface=(scale if typed else scale.replace("0.25", "x").replace("1.5", "x"),))
    generic = with_generic_functions(kernel, typed=typed, returns=typed)
    assert "def scale(x: Any, v: Any)" + (" -> Any:" if typed else ":") in generic.preface[0]
    assert ("type(x)(0.25)" in generic.preface[0]) == typed
    check_same_numbers(kernel, generic, 1.0e-6)


def test_functions_with_numbers_of_one_type_stay() -> None:
    scale = SCALE.replace("    y = float(0.5)\n", "").replace("(1.0 + y)", "1.5")
    for preface, typed in ((scale, False), (scale.replace("0.25", "LIMIT"), True)):
        kernel = replace(VECTORS, preface=(preface,))
        assert with_generic_functions(kernel, typed=typed, returns=True) == kernel


def test_functions_with_integer_literals_or_constructors_stay() -> None:
    for old, new in (("scale(wp.length(d), d)", "scale(2, d)"), ("scale(wp.length(d), d)", "apply(scale, d)")):
        kernel = replace(VECTORS, body=tuple(line.replace(old, new) for line in VECTORS.body))
        assert with_generic_functions(kernel, typed=True, returns=True) == kernel
    built = replace(VECTORS, preface=(SCALE.replace("wp.dot(v, v)", "wp.dot(v, wp.vec3(x, x, x))"),))
    assert with_generic_functions(built, typed=True, returns=True) == built


@pytest.mark.parametrize(
    "line",
    [
        "state = wp.rand_init(7, i)",
        "y = x[i] ** 2.0",
        "y = x[i] * float(LIMIT)",
        "y = wp.float64(x[i])",
        "y = wp.noise(wp.uint32(1), x[i])",
        "v = wp.vec3(i, i, i)",
        "v = wp.vec3(i, 0.5, 1.0)\ni = 0.5",
        "v = wp.spatial_vector(p, p)",
        "t = wp.tile_load(x, shape=4)",
    ],
)
def test_kernels_without_a_twin(line: str) -> None:
    kernel = replace(SCALARS, body=(*SCALARS.body, line))
    assert has_twin(SCALARS)
    assert not has_twin(kernel)
    assert in_double(kernel, bare=True) is None


def test_builtins_of_float32_only() -> None:
    generic = ("sin", "dot", "quat_rotate", "min", "where", "atomic_add", "transform_point", "svd3")
    assert all(map(is_generic_builtin, generic))
    assert not any(map(is_generic_builtin, ("randf", "curlnoise", "volume_sample_f", "closest_point_edge_edge", "nothing")))


def twins(count: int) -> Iterator[tuple[Kernel, Kernel]]:
    """Yield kernels of the catalogue in float32, with those in float64."""
    for index in range(count):
        kernel = run_alone(write_draft(KernelKey(53, index)))[0].composition.kernel
        double = in_double(kernel, bare=False)
        if double is not None and not kernel.enumerations:
            yield kernel, double


def test_catalogue_kernels_have_the_types_of_one_precision() -> None:
    found = list(twins(60))
    assert found
    for kernel, double in found:
        text = render(double, Style())
        assert not re.search(r"(?<![\w.])float\b|wp\.(?:vec[234]|mat\d\d|quat|transform)\b", text), text
        assert describe_launch(double).dim == describe_launch(kernel).dim
        assert not any("float32" in argument.dtype or argument.dtype.endswith("f") for argument in describe_launch(double).args)
