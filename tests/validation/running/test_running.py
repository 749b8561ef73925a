"""Machine code receives its arguments in Warp's layout, and its results are those of Warp's launches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import warp as wp

from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line, decode, read_lines
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.validation.levels import execute
from warpsmith.validation.levels.common import inputs_of
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.level_results import LAUNCHES, line_key
from warpsmith.validation.running.entry_calls import seed
from warpsmith.validation.running.outputs import LaunchOutputs

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

Values = Mapping[str, npt.NDArray[Any]]

SIZE = 12

SCALARS = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64".split()

COMPOSED = (
    "vec2f vec3f vec4f vec2h vec3d vec4i vec2ub vec3s quatf quath quatd mat22f mat33f mat44f mat22h mat33d mat44d "
    "vec3h vec4b vec3us vec2ui vec3l vec4ul transformh transformf transformd spatial_vectorh spatial_vectorf spatial_vectord "
    "spatial_matrixh spatial_matrixf spatial_matrixd"
).split()

FLOATS = ("float16", "float32", "float64", *(name for name in COMPOSED if name[-1] in "hfd"))

ONE_TYPE = """
@wp.kernel
def of_{name}(x: wp.array(dtype=wp.{name}), s: wp.{name}, out: wp.array(dtype=wp.{name}), last: wp.array(dtype=wp.{name})):
    i = wp.tid()
    out[i] = {value}
    if i == 0:
        last[0] = s
"""

FOUR_ARRAYS = """
@wp.kernel
def of_{name}(
    a: wp.array(dtype=wp.{name}), b: wp.array2d(dtype=wp.{name}),
    c: wp.array3d(dtype=wp.{name}), d: wp.array4d(dtype=wp.{name}),
    out1: wp.array(dtype=wp.{name}), out2: wp.array2d(dtype=wp.{name}),
    out3: wp.array3d(dtype=wp.{name}), out4: wp.array4d(dtype=wp.{name})
):
    i, j, k, l = wp.tid()
    out4[i, j, k, l] = d[i, j, k, l] + a[i]
    if l == 0:
        out3[i, j, k] = c[i, j, k] + b[i, j]
        if k == 0:
            out2[i, j] = b[i, j] + b[i, j]
            if j == 0:
                out1[i] = a[i] + a[i]
"""

MIXED = (
    "int8 float64 bool vec3f uint8 mat22d float16 quatf uint64 vec2ub float32 int16 mat33f bool int64 vec3d "
    "vec3h transformd uint8 transformh bool spatial_vectorf vec3us spatial_matrixd"
).split()
"""Types in an order that requires padding between the arguments."""

Case = tuple[Line, Values]


def mixed_source() -> str:
    values = ", ".join(f"v{number}: wp.{name}" for number, name in enumerate(MIXED))
    arrays = ", ".join(f"o{number}: wp.array(dtype=wp.{name})" for number, name in enumerate(MIXED))
    body = "".join(f"    o{number}[i] = v{number}\n" for number in range(len(MIXED)))
    return f"\n@wp.kernel\ndef of_mixed({values}, {arrays}):\n    i = wp.tid()\n{body}"


def bounds(dtype: str) -> dict[str, Any]:
    if dtype == "bool":
        return {"low": 0, "high": 1}
    if dtype not in FLOATS:
        return {"low": 0 if "u" in dtype else -60, "high": 60}
    return {"low": -2.0, "high": 2.0}


@pytest.fixture(scope="module")
def hand_written(argument: Callable[..., Argument]) -> tuple[dict[str, str], dict[str, Launch]]:
    """Return the source, without the import, and the launch of every hand-written kernel."""
    sources, launches = {}, {}
    for name in (*SCALARS, *COMPOSED):
        value = "x[i]" if name == "bool" else "x[i] + s"
        is_rotation = name.startswith(("quat", "transform"))
        sources[f"of_{name}"] = ONE_TYPE.format(name=name, value="x[i] * s" if is_rotation else value)
        arrays = [argument("x", name, (SIZE,), **bounds(name)), argument("s", name, **bounds(name))]
        outputs = [argument("out", name, (SIZE,), role="output"), argument("last", name, (1,), role="output")]
        launches[f"of_{name}"] = Launch(dim=(SIZE,), args=(*arrays, *outputs))
    sources["of_mixed"] = mixed_source()
    values = [argument(f"v{number}", name, **bounds(name)) for number, name in enumerate(MIXED)]
    outputs = [argument(f"o{number}", name, (1,), role="output") for number, name in enumerate(MIXED)]
    launches["of_mixed"] = Launch(dim=(1,), args=(*values, *outputs))
    shapes = [(3,), (3, 2), (3, 2, 4), (3, 2, 4, 5)]
    for name in ("float16", "int8", "float64", "vec3f", "mat22f"):
        sources[f"four_{name}"] = FOUR_ARRAYS.format(name=name).replace("of_", "four_")
        inputs = [argument(letter, name, shape, **bounds(name)) for letter, shape in zip("abcd", shapes, strict=True)]
        outputs = [argument(f"out{len(shape)}", name, shape, role="output") for shape in shapes]
        launches[f"four_{name}"] = Launch(dim=shapes[-1], args=(*inputs, *outputs))
    return sources, launches


IMPORT = "import warp as wp\n"


def launch_with_warp(kernel: Any, launch: Launch, values: Values, backward: bool) -> LaunchOutputs:
    """Return the results of ``wp.launch`` on the CPU, with code that is not optimized."""
    arguments: list[Any] = []
    for argument in launch.args:
        dtype, value = getattr(wp, argument.dtype), values[argument.name]
        if argument.kind == "array":
            floating = np.issubdtype(value.dtype, np.floating)
            arguments.append(wp.array(value, dtype=dtype, device="cpu", requires_grad=bool(floating)))
        else:
            arguments.append(dtype(*np.ravel(value)) if value.ndim else dtype(value.item()))
    wp.launch(kernel, dim=launch.dim, inputs=arguments, device="cpu")
    arrays = {argument.name: value for argument, value in zip(launch.args, arguments, strict=True) if argument.kind == "array"}
    outputs = {name: array.numpy().copy() for name, array in arrays.items()}
    if not backward:
        return LaunchOutputs(outputs, {})
    for argument in launch.args:
        if argument.role != "input" and arrays[argument.name].requires_grad:
            arrays[argument.name].grad.assign(seed(outputs[argument.name]))
    adjoints = [getattr(value, "grad", None) if isinstance(value, wp.array) else None for value in arguments]
    wp.launch(kernel, dim=launch.dim, inputs=arguments, adj_inputs=adjoints, adjoint=True, device="cpu")
    return LaunchOutputs(outputs, {name: array.grad.numpy().copy() for name, array in arrays.items() if array.requires_grad})


NOT_OPTIMIZED = {"optimization_level": 0, "cpu_compiler_flags": ""}


@pytest.fixture(scope="module")
def by_warp(hand_written: tuple[dict[str, str], dict[str, Launch]], cases: dict[str, Case]) -> dict[str, LaunchOutputs]:
    """Return the results of Warp's launch of every hand-written kernel."""
    found = {}
    sources, launches = hand_written
    with loaded_kernel(IMPORT + "".join(sources.values()), "of_mixed", NOT_OPTIMIZED, "arguments_laid_out") as kernel:
        for name, launch in launches.items():
            found[name] = launch_with_warp(kernel.module.kernels[name], launch, cases[name][1], backward=True)
    return found


def values_for(line: Line) -> Values:
    values = inputs_of(line)
    assert isinstance(values, dict)
    return values


@pytest.fixture(scope="module")
def cases(hand_written: tuple[dict[str, str], dict[str, Launch]], pair_line: Callable[..., Line]) -> dict[str, Case]:
    sources, launches = hand_written
    found = {}
    for number, (name, launch) in enumerate(launches.items()):
        line = pair_line(IMPORT + sources[name], launch, name=name, number=number)
        found[name] = line, values_for(line)
    return found


def outputs_of_execute(lines: list[Line], scratch: Path) -> list[LaunchOutputs]:
    """Return the results of level execute."""
    context = BatchContext(scratch)
    try:
        findings = execute.check(lines, context)
        for line, finding in zip(lines, findings, strict=True):
            assert finding.status == "pass", (line.identity, finding.reason)
        return [context.results(LAUNCHES)[line_key(line)][0].outputs for line in lines]
    finally:
        context.clear()


def assert_same(actual: LaunchOutputs, expected: LaunchOutputs, name: str) -> None:
    assert actual.arrays.keys() == expected.arrays.keys()
    assert actual.gradients.keys() == expected.gradients.keys()
    for actual_arrays, expected_arrays in ((actual.arrays, expected.arrays), (actual.gradients, expected.gradients)):
        for key, value in expected_arrays.items():
            assert actual_arrays[key].dtype == value.dtype, (name, key)
            assert actual_arrays[key].shape == value.shape, (name, key)
            assert actual_arrays[key].tobytes() == value.tobytes(), (name, key)


@pytest.mark.exhaustive
def test_every_type_of_argument(cases: dict[str, Case], by_warp: dict[str, LaunchOutputs], scratch: Path) -> None:
    for name, actual in zip(cases, outputs_of_execute([line for line, _ in cases.values()], scratch), strict=True):
        assert_same(actual, by_warp[name], name)
        if name.removeprefix("of_") in FLOATS:
            assert np.any(actual.gradients["x"]), f"a gradient of {name} that is zero cannot show an error"
            assert np.array_equal(actual.arrays["last"].ravel(), np.ravel(cases[name][1]["s"]))


REAL = {
    # kernel of the tests of extraction: its arrays, of which the last is written
    "nested_functions": {"x": "float32", "out": "float32"},
    "overloaded_functions": {"x": "float32", "v": "vec3f"},
    "custom_gradient": {"x": "float32", "out": "float32"},
    "custom_replay": {"x": "float32", "out": "float32"},
    "native_snippet": {"x": "float32", "out": "float32"},
    "forward_only": {"x": "float32", "out": "float32"},
    "power": {"x": "float32", "out": "float32"},
    "power#2": {"x": "float64", "out": "float64"},
    "in_own_module": {"x": "float32"},
}


@pytest.fixture(scope="module")
def real_lines(run: Any, root: Path, tmp_path_factory: pytest.TempPathFactory, argument: Callable[..., Argument]) -> list[Line]:
    """Return pairs of real code, with launches, which extraction does not provide."""
    file = tmp_path_factory.mktemp("real") / "pairs.jsonl"
    run("extraction", "kernels.py", "-d", "both", "-b", "-o", file, expect=None, cwd=root / "tests" / "extraction")
    found = []
    for line in read_lines(file):
        assert line.pair is not None
        name = line.pair.id.rpartition(".")[2]
        if name not in REAL:
            continue
        reads_only = len(REAL[name]) == 2 and "out" in REAL[name]
        arrays = []
        for key, dtype in REAL[name].items():
            role = "output" if key == "out" else "input" if reads_only else "inout"
            arrays.append(argument(key, dtype, (SIZE,), role=role))
        metadata = replace(line.pair.metadata, launch=Launch(dim=(SIZE,), args=tuple(arrays)))
        found.append(decode(encode(replace(line.pair, metadata=metadata)), file, line.number))
    assert len(found) == len(REAL)
    return found


@pytest.fixture(scope="module")
def of_every_category(lines: list[Line]) -> list[Line]:
    """Return one generated pair of each category."""
    found = {line.pair.metadata.category: line for line in lines if line.pair is not None}
    assert len(found) == 10
    return list(found.values())


@pytest.mark.exhaustive
def test_generated_and_real_kernels(of_every_category: list[Line], real_lines: list[Line], scratch: Path) -> None:
    both = of_every_category + real_lines
    for line, actual in zip(both, outputs_of_execute(both, scratch), strict=True):
        assert line.pair is not None
        metadata = line.pair.metadata
        assert metadata.launch is not None
        options = metadata.module_options | NOT_OPTIMIZED
        module = f"launched_{line.path.parent.name}_{line.number}"
        with loaded_kernel(line.pair.python_source, metadata.kernel_name, options, module) as kernel:
            expected = launch_with_warp(kernel, metadata.launch, values_for(line), metadata.has_backward)
        assert_same(actual, expected, line.identity)
