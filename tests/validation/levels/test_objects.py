"""Records describe meshes, BVHs, hash grids, volumes and textures completely, and kernels that read them are run."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import warp as wp

from object_kernels import HEAD, KERNELS, create_launches, object_parameter
from warpsmith.core.inputs.values import leaves, make_inputs, objects
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.gpu_checks.device_launches import launch_kernel
from warpsmith.validation.levels import execute
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.level_results import LAUNCHES, line_key
from warpsmith.validation.running.memory_layout import layout, members_form

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


@pytest.fixture(scope="module")
def launches(argument: Callable[..., Argument]) -> dict[str, Launch]:
    return create_launches(argument)


@pytest.fixture(scope="module")
def lines(launches: dict[str, Launch], pair_line: Callable[..., Line]) -> dict[str, Line]:
    return {
        name: pair_line(HEAD + KERNELS[name], launch, identity=name, number=number)
        for number, (name, launch) in enumerate(launches.items())
    }


def build_objects(name: str, values: dict[str, Any]) -> list[Any]:
    """Return the objects of a launch, in the order of the arguments."""

    def vectors(array: Any) -> Any:
        return wp.array(array.reshape(-1, 3), dtype=wp.vec3, device="cpu")

    if name == "mesh":
        points, faces = [], []
        for row in range(5):
            for column in range(8):
                points.append((-1.0 + 2.0 * column / 7.0, -1.0 + 2.0 * row / 4.0, values["mesh"][row, column]))
                if row < 4 and column < 7:
                    corner = row * 8 + column
                    faces += [corner, corner + 1, corner + 8, corner + 1, corner + 9, corner + 8]
        indices = wp.array(faces, dtype=int, device="cpu")
        return [wp.Mesh(vectors(np.array(points)), indices, vectors(values["mesh.velocities"]), support_winding_number=True)]
    if name == "bvh":
        centres, halves = values["tree"], values["tree.half_sizes"]
        return [wp.Bvh(vectors(centres - halves), vectors(centres + halves))]
    if name == "hash grid":
        grid = wp.HashGrid(8, 8, 8, device="cpu")
        grid.build(vectors(values["x"]), 0.5)
        return [grid]
    if name == "volumes":
        load = wp.Volume.load_from_numpy
        return [
            load(values["fields.density"], voxel_size=0.125, bg_value=0.0, device="cpu"),
            load(values["fields.flow"], voxel_size=0.125, bg_value=(0.0, 0.0, 0.0), device="cpu"),
            load(values["labels"], voxel_size=0.5, bg_value=0, device="cpu"),
        ]
    wrap, closest = wp.TextureAddressMode.WRAP, wp.TextureFilterMode.CLOSEST
    return [
        wp.Texture1D(values["row"], filter_mode=closest, address_mode=wrap, device="cpu"),
        wp.Texture2D(values["image"], device="cpu"),
        wp.Texture3D(values["block"], device="cpu"),
    ]


def launch_with_warp(kernel: Any, name: str, launch: Launch, values: dict[str, Any]) -> dict[str, Any]:
    """Return the arrays that a launch by ``wp.launch`` writes."""
    made = build_objects(name, values)
    arrays = {
        leaf.name: wp.array(values[leaf.name], dtype=getattr(wp, leaf.dtype), device="cpu")
        for leaf in leaves(launch)
        if leaf.kind == "array"
    }
    if name == "volumes":
        fields = kernel.adj.args[0].type()
        fields.scale, fields.density, fields.flow = float(values["fields.scale"]), made[0].id, made[1].id
        first = [fields, made[2].id]
    else:
        first = [one if name == "textures" else one.id for one in made]
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
        with loaded_kernel(HEAD + KERNELS[name], None, options, f"objects_{line.number}") as kernel:
            assert len(every) > 2, "launch variants have objects, too"
            for result in (every[0], every[2]):
                for key, value in launch_with_warp(kernel, name, result.launch, result.values).items():
                    assert result.outputs.arrays[key].tobytes() == value.tobytes(), (name, key)
                    assert np.ptp(value) > 0
            kernel.module.options["block_dim"] = 1
            again = launch_kernel(kernel, launches[name], every[0].values, "cpu", backward=True)
        for key, value in (again.outputs | again.gradients).items():
            actual = every[0].outputs.arrays if key in again.outputs else every[0].outputs.gradients
            assert actual[key].tobytes() == value.tobytes(), (name, key)
        if name != "bvh":
            assert np.any(again.gradients["x"]), name
    context.clear()


def test_levels(lines: dict[str, Line], run_levels: Any) -> None:
    by_level = run_levels(list(lines.values()), "schema", "parse", "execute", "emulate", "gradient", "oracle")
    for number in range(len(lines)):
        assert [by_level[level][number].reason for level in ("schema", "parse", "execute", "emulate")] == [""] * 4
        assert by_level["gradient"][number].status == "pass"
        assert by_level["oracle"][number].status == "pass", by_level["oracle"][number].reason


@pytest.mark.exhaustive
def test_objects_in_a_sandboxed_worker(lines: dict[str, Line], check_in_worker: Any) -> None:
    """Workers build objects; to build a volume, Warp compiles a kernel."""
    verdicts = check_in_worker(
        list(lines.values()), "schema", "parse", "regenerate", "compile", "execute", "emulate", "gradient"
    )
    assert {(one.id, one.level): one.reason for one in verdicts if one.status != "pass"} == {}
    assert sum(one.status == "pass" for one in verdicts) == 7 * len(lines)


def test_values(launches: dict[str, Launch]) -> None:
    values = make_inputs(launches["bvh"], "1-2000-7")
    assert values["tree"].shape == values["tree.half_sizes"].shape == (20, 3)
    assert 0.05 <= values["tree.half_sizes"].min() < 0.1
    assert 0.25 < values["tree.half_sizes"].max() <= 0.3
    assert [one.name for one in objects(launches["volumes"])] == ["fields.density", "fields.flow", "labels"]
    assert [leaf.name for leaf in leaves(launches["volumes"])] == ["fields.scale", "x", "out", "label"]
    assert make_inputs(launches["textures"], "x")["image"].shape == (5, 8, 2)
    assert make_inputs(launches["volumes"], "x")["labels"].dtype == np.int32


def test_descriptors_of_textures_have_warps_layout(launches: dict[str, Launch]) -> None:
    launch = launches["textures"]
    values = make_inputs(launch, "x")
    actual = layout(members_form(launch.args, values))
    for name, made in zip(("row", "image", "block"), build_objects("textures", values), strict=True):
        expected = np.dtype(type(made.__ctype__()))
        assert {key: field[1] for key, field in actual[name].fields.items()} == {
            key: field[1] for key, field in expected.fields.items()
        }
        assert actual[name].itemsize == expected.itemsize


def test_records_contain_build_only_where_it_has_values(lines: dict[str, Line]) -> None:
    args = json.loads(lines["hash grid"].raw)["metadata"]["launch"]["args"]
    assert args[0]["build"]["points"] == "x"
    assert [sorted(one) for one in args[1:]] == [["domain", "dtype", "fields", "kind", "name", "role", "shape"]] * 2
    for line in lines.values():
        assert line.pair is not None
        assert encode(line.pair) == line.raw
    samples = (Path(__file__).parents[3] / "data" / "samples" / "pairs-00000.jsonl").read_text().splitlines()
    plain = [
        line
        for line in samples
        if {arg["kind"] for arg in json.loads(line)["metadata"]["launch"]["args"]} <= {"array", "value"}
    ]
    assert len(plain) > 5
    assert not any('"build"' in line for line in plain)


WRONG: dict[str, tuple[str, dict[str, Any]]] = {
    "more than 65536": ("mesh", {"shape": [400, 400]}),
    "a mesh of shape [1, 8]": ("mesh", {"shape": [1, 8]}),
    "a mesh of shape [8]": ("mesh", {"shape": [8]}),
    "that the kernel takes as float32": ("mesh", {"dtype": "float32"}),
    "with values beyond": ("mesh", {"domain": {"kind": "uniform", "low": -1e30, "high": 1e30}}),
    "a mesh that is written": ("mesh", {"role": "output"}),
    "over 'out'": ("hash grid", {"build": {"points": "out", "width": 0.5}}),
    "a hash_grid of width 0": ("hash grid", {"build": {"points": "x"}}),
    "objects of 131232 elements": (
        "textures",
        {"kind": "volume", "dtype": "uint64", "shape": [1, 3, 8 << 8], "build": {"width": 1.0}},
    ),
    "a volume of index of shape [3], stored or not": (
        "textures",
        {"kind": "volume", "dtype": "uint64", "shape": [3], "build": {"voxels": "index"}},
    ),
    "or none": ("mesh", {"domain": {"kind": "near_identity", "low": 0.0, "high": 0.0}}),
    "more than 65536 ": ("hash grid", {"shape": [1000, 1000, 1000]}),
    "takes as Texture1D": ("textures", {"shape": [5, 5]}),
    "is no object and says how to build it": ("bvh", {"kind": "value", "shape": [], "build": {}}),
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("reason", WRONG)
def test_objects_that_cannot_be_built_fail(lines: dict[str, Line], change_line: Any, run_levels: Any, reason: str) -> None:
    name, change = WRONG[reason]
    line = change_line(lines[name], lambda record: record["metadata"]["launch"]["args"][0].update(change))
    by_level = run_levels([line], "schema", "execute")
    assert by_level["schema"][0].status == "fail"
    assert reason.strip() in by_level["schema"][0].reason
    assert by_level["execute"][0].status in ("skipped", "fail")


def test_points_too_far_away_for_a_grid_fail(lines: dict[str, Line], change_line: Any, run_levels: Any) -> None:
    far = {"kind": "uniform", "low": -1e20, "high": 1e20}
    line = change_line(lines["hash grid"], lambda record: record["metadata"]["launch"]["args"][1].update(domain=far))
    by_level = run_levels([line], "schema", "execute")
    assert [by_level["schema"][0].status, by_level["execute"][0].status] == ["fail", "skipped"]
    assert "too far away" in by_level["schema"][0].reason


def test_arguments_without_members_are_their_own_leaves(argument: Callable[..., Argument]) -> None:
    launch = Launch(dim=(1,), args=(argument("x", "float32", (3,)), argument("s", "vec3f")))
    assert leaves(launch) is launch.args
    assert objects(launch) == ()
    assert objects(replace(launch, args=(*launch.args, object_parameter("m", "mesh", (2, 2))))) != ()
