"""Launches with stored values, null arrays and empty arrays run at every level, with the results of Warp's own launches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import warp as wp

from warpsmith.core.inputs.stored import encode_values
from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Build, Domain, Launch
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.gpu_checks.device_launches import launch_kernel
from warpsmith.validation.levels import execute
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.level_results import LAUNCHES, line_key

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

HEAD = "import warp as wp\n\n\n"
SIZE = 12
STORED = Domain(kind="stored", low=-10.0, high=100.0)

KERNELS = {
    "mesh": """@wp.kernel
def k(mesh: wp.uint64, x: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3), far: wp.array(dtype=float)):
    i = wp.tid()
    query = wp.mesh_query_point_sign_winding_number(mesh, x[i], 10.0)
    if query.result:
        p = wp.mesh_eval_position(mesh, query.face, query.u, query.v)
        out[i] = p + wp.mesh_eval_velocity(mesh, query.face, query.u, query.v)
        far[i] = wp.length(p - x[i]) * query.sign
    far[i] = far[i] + float(query.face) + float(wp.mesh_get(mesh).indices[i])
""",
    "bvh": """@wp.kernel
def k(tree: wp.uint64, x: wp.array(dtype=wp.vec3), count: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    query = wp.bvh_query_aabb(tree, x[i] - wp.vec3(0.4), x[i] + wp.vec3(0.4))
    bound = int(0)
    while wp.bvh_query_next(query, bound):
        count[i] = count[i] + 1 + bound
    out[i] = x[i][0] * x[i][1]
""",
    "hash grid": """@wp.kernel
def k(grid: wp.uint64, x: wp.array(dtype=wp.vec3), count: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    for j in wp.hash_grid_query(grid, x[i], 0.2):
        count[i] = count[i] + 1 + j
    out[i] = x[i][0] * x[i][1]
""",
    "volume": """@wp.kernel
def k(volume: wp.uint64, x: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.volume_sample_f(volume, wp.volume_world_to_index(volume, x[i] + wp.vec3(1.0)), wp.Volume.LINEAR)
""",
    "texture": """@wp.kernel
def k(image: wp.Texture2D, x: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.texture_sample(image, x[i][0], x[i][1], dtype=float)
""",
    "a null array": """@wp.kernel
def k(gain: wp.array2d(dtype=float), x: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    s = wp.length_sq(x[i])
    if gain:
        s = s * gain[i, 0]
    out[i] = s + float(gain.shape[0])
""",
    "null arrays in a struct": """@wp.struct
class Body:
    mass: float
    force: wp.array(dtype=wp.vec3)
    rows: wp.array(dtype=int)


@wp.kernel
def k(body: Body, x: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    f = x[i]
    if body.force:
        f = f + body.force[i]
    if body.rows:
        f = f * float(body.rows[i])
    out[i] = wp.dot(f, f) * body.mass
""",
    "an empty array": """@wp.kernel
def k(more: wp.array(dtype=float), x: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    s = wp.length_sq(x[i])
    for j in range(more.shape[0]):
        s = s + more[j]
    if more:
        s = s * 2.0
    out[i] = s
""",
    "ragged rows": """@wp.kernel
def k(starts: wp.array(dtype=int), order: wp.array(dtype=int), x: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    s = float(0.0)
    for j in range(starts[i], starts[i + 1]):
        s = s + wp.length_sq(x[order[j]])
    out[i] = s + float(i)
""",
}

RANDOM = np.random.default_rng(3)
POINTS = np.array([[-1, -1, -1], [1, -1, -1], [-1, 1, -1], [0, 0, 1]], np.float32)
STORED_ARRAYS: dict[str, dict[str, Values]] = {
    "mesh": {
        "mesh.points": POINTS,
        "mesh.indices": np.array([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3], np.int32),
        "mesh.velocities": POINTS[::-1] * np.float32(0.5),
    },
    "bvh": {"tree.lowers": POINTS - np.float32(0.5), "tree.uppers": POINTS + np.float32(0.3)},
    "hash grid": {"grid.points": RANDOM.uniform(-1.0, 1.0, (30, 3)).astype(np.float32)},
    "volume": {"volume": RANDOM.uniform(0.0, 1.0, (9, 8, 5)).astype(np.float32)},
    "texture": {"image": RANDOM.uniform(0.0, 1.0, (6, 7)).astype(np.float32)},
}
OBJECTS: dict[str, tuple[str, Any, tuple[int, ...], Build, str]] = {
    "mesh": ("mesh", "mesh", (4, 4), Build(), "uint64"),
    "bvh": ("tree", "bvh", (4,), Build(), "uint64"),
    "hash grid": ("grid", "hash_grid", (4, 4, 4), Build(width=0.5), "uint64"),
    "volume": ("volume", "volume", (9, 8, 5), Build(width=0.25), "uint64"),
    "texture": ("image", "texture", (6, 7), Build(address="wrap"), "Texture2D"),
}


def _null(name: str, dtype: str) -> Argument:
    return Argument(name=name, kind="null_array", dtype=dtype, role="input", shape=(), domain=None)


def _first(name: str, argument: Callable[..., Argument]) -> tuple[Argument, ...]:
    """Return the arguments of a kernel before ``x``."""
    if name in OBJECTS:
        key, kind, shape, build, dtype = OBJECTS[name]
        return (Argument(name=key, kind=kind, dtype=dtype, role="input", shape=shape, domain=STORED, build=build),)
    if name == "null arrays in a struct":
        members = argument("mass", "float32", low=1.0, high=2.0), _null("force", "vec3f"), _null("rows", "int32")
        return (Argument(name="body", kind="struct", dtype="Body", role="input", shape=(), domain=None, fields=members),)
    if name == "ragged rows":
        starts = argument("starts", "int32", (SIZE + 1,), low=0, high=2 * SIZE, kind="offsets")
        return starts, argument("order", "int32", (2 * SIZE,), low=0, high=SIZE - 1)
    return (_null("gain", "float32") if name == "a null array" else argument("more", "float32", (0,)),)


@pytest.fixture(scope="module")
def launches(argument: Callable[..., Argument]) -> dict[str, Launch]:
    made = {}
    for name, source in KERNELS.items():
        outputs = [("count", "int32"), ("out", "vec3f" if name == "mesh" else "float32"), ("far", "float32")]
        arguments = (
            *_first(name, argument),
            argument("x", "vec3f", (SIZE,)),
            *(
                argument(key, dtype, (SIZE,), "inout" if key == "count" else "output")
                for key, dtype in outputs
                if f"{key}: " in source
            ),
        )
        stored = {key: encode_values(values) for key, values in STORED_ARRAYS.get(name, {}).items()}
        made[name] = Launch(dim=(SIZE,), args=arguments, stored=stored)
    return made


@pytest.fixture(scope="module")
def lines(launches: dict[str, Launch], pair_line: Callable[..., Line]) -> dict[str, Line]:
    return {
        name: pair_line(HEAD + KERNELS[name], launch, identity=name, number=number)
        for number, (name, launch) in enumerate(launches.items())
    }


def build_objects(name: str) -> list[Any]:
    """Return the first argument of a kernel, built by Warp from the arrays of this file."""
    arrays = list(STORED_ARRAYS.get(name, {}).values())
    vectors = [wp.array(array, dtype=wp.vec3, device="cpu") for array in arrays if array.ndim == 2 and array.shape[1] == 3]
    match name:
        case "mesh":
            return [wp.Mesh(vectors[0], wp.array(arrays[1], dtype=int, device="cpu"), vectors[1], support_winding_number=True)]
        case "bvh":
            return [wp.Bvh(*vectors)]
        case "hash grid":
            grid = wp.HashGrid(4, 4, 4, device="cpu")
            grid.build(vectors[0], 0.5)
            return [grid]
        case "volume":
            return [wp.Volume.load_from_numpy(arrays[0], voxel_size=0.25, bg_value=0.0, device="cpu")]
        case "texture":
            return [wp.Texture2D(arrays[0], address_mode=wp.TextureAddressMode.WRAP, device="cpu")]
    return []


def launch_with_warp(kernel: Any, name: str, launch: Launch, values: dict[str, Values]) -> dict[str, Values]:
    """Return the arrays that a launch by ``wp.launch`` writes."""
    objects = build_objects(name)
    first: list[Any] = [one if name == "texture" else one.id for one in objects]
    arrays = {
        leaf.name: wp.array(values[leaf.name], dtype=getattr(wp, leaf.dtype), device="cpu")
        for leaf in leaves(launch)
        if leaf.kind == "array"
    }
    if name == "a null array":
        first = [None]
    elif name == "null arrays in a struct":
        body = kernel.adj.args[0].type()
        body.mass = float(values["body.mass"])
        first = [body]
    wp.launch(kernel, dim=launch.dim, inputs=[*first, *arrays.values()], device="cpu")
    return {leaf.name: arrays[leaf.name].numpy() for leaf in leaves(launch) if leaf.role != "input"}


@pytest.mark.exhaustive
def test_results_equal_the_results_of_warp_launches(launches: dict[str, Launch], lines: dict[str, Line], scratch: Path) -> None:
    context = BatchContext(scratch)
    findings = execute.check(list(lines.values()), context)
    assert {name: finding.reason for name, finding in zip(lines, findings, strict=True)} == dict.fromkeys(lines, "")
    for name, line in lines.items():
        every = context.results(LAUNCHES)[line_key(line)]
        options = {"optimization_level": 0, "cpu_compiler_flags": ""}
        with loaded_kernel(HEAD + KERNELS[name], None, options, f"captured_{line.number}") as kernel:
            for result in (every[0], every[-1]):
                for key, value in launch_with_warp(kernel, name, result.launch, result.values).items():
                    assert result.outputs.arrays[key].tobytes() == value.tobytes(), (name, key)
                    assert np.ptp(value) > 0
            kernel.module.options["block_dim"] = 1
            again = launch_kernel(kernel, launches[name], every[0].values, "cpu", backward=True)
        for key, value in (again.outputs | again.gradients).items():
            actual = every[0].outputs.arrays if key in again.outputs else every[0].outputs.gradients
            assert actual[key].tobytes() == value.tobytes(), (name, key)
    context.clear()


def test_the_levels_pass(lines: dict[str, Line], run_levels: Callable[..., Any]) -> None:
    findings = run_levels(list(lines.values()), "schema", "parse", "regenerate", "compile", "execute", "emulate", "gradient")
    for level, found in findings.items():
        for name, finding in zip(lines, found, strict=True):
            assert finding.status == "pass", (level, name, finding)


@pytest.mark.parametrize(
    ("dtype", "kind", "reason"),
    [
        ("float64", "null_array", "argument 'gain' is None for an array of float64, the kernel takes an array of float32"),
        ("float32", "value", "argument 'gain' is float32, the kernel takes an array of float32"),
    ],
)
def test_a_null_array_has_the_type_of_its_parameter(
    pair_line: Callable[..., Line],
    launches: dict[str, Launch],
    run_levels: Callable[..., Any],
    dtype: str,
    kind: Any,
    reason: str,
) -> None:
    launch = launches["a null array"]
    gain = _null("gain", dtype)
    if kind == "value":
        gain = replace(gain, kind=kind, domain=Domain(kind="fill", low=0, high=0))
    line = pair_line(HEAD + KERNELS["a null array"], replace(launch, args=(gain, *launch.args[1:])))
    (finding,) = run_levels([line], "execute")["execute"]
    assert reason in finding.reason


def test_a_null_array_that_is_read_is_no_crash_of_the_worker(
    pair_line: Callable[..., Line], launches: dict[str, Launch], run_levels: Callable[..., Any]
) -> None:
    source = HEAD + KERNELS["a null array"].replace("if gain:", "if i >= 0:")
    (finding,) = run_levels([pair_line(source, launches["a null array"])], "execute")["execute"]
    assert finding.status == "fail"
    assert "index" in finding.reason
