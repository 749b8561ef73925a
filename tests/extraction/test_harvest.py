"""Every Warp kernel becomes a pair, or a reject with the reason; `kernels.py` has a kernel for every feature."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

KERNELS = Path(__file__).with_name("kernels.py")
PROJECT = "project"  # the package beside this file

REJECTED = {
    "generic_alone": ("codegen", "without overloads"),
    "numpy_constant": ("codegen", "Invalid external reference type"),
    "broken": ("codegen", "Couldn't find function overload for 'add'"),
}

EXPECTED = {
    # kernel: (text in its Python, text in its CUDA forward code, text in its CUDA backward code)
    "nested_functions": ("def tripled_part", "inner_", "adj_inner_"),
    "overloaded_functions": ("def twice", "twice_1", "adj_twice_1"),
    "structs": ("class Material", "struct Body_", "adj_one.color"),
    "custom_gradient": ("def adj_cube", "cube_0(", "adj_cube_0("),
    "custom_replay": ("def replay_count_up", "count_up_0(", "adj_count_up_0("),
    "native_snippet": ("func_native", "out[tid] = 2.0f * x[tid];", "adj_x[tid] += 2.0f * adj_out[tid];"),
    "gradient_call": ("wp.grad(inner)", "adj_inner_0(", "gradient_call_cuda_kernel_backward("),
    "static_expressions": ("wp.static(len(WIDTHS))", "14.0", "static_expressions_cuda_kernel_backward("),
    "warp_constants": ("SMALL = wp.vec2d(0.001953125, 0.001953125)", "0.001953125", "adj_"),
    "tiles": ("wp.tile_sum", "tile_sum", "adj_tile_sum"),
    "halves": ("wp.types.vector(length=5", "vec_t<5, wp::float32>", "adj_"),
    "power": ("exponent = 1", "for", "adj_step_"),
    "in_own_module": ('module="unique"', "inner_0(", "adj_inner_0("),
    "lean": ("quat_to_rpy", "// warp/", "adj_quat_to_rpy"),
}


@pytest.fixture(scope="module")
def harvested(run: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    out = tmp_path_factory.mktemp("harvest") / "pairs.jsonl"
    done = run("extraction", KERNELS, "-d", "both", "-b", "-o", out, expect=1)
    assert "19 pairs, 3 rejects, 1 without backward code" in done.stderr
    lines = [*out.read_text().splitlines(), *out.with_suffix(".rejects.jsonl").read_text().splitlines()]
    return {record["id"].removeprefix("kernels-0-kernels."): record for record in map(json.loads, lines)}


def pair_named(harvested: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    return next(record for record in harvested.values() if "metadata" in record and record["metadata"]["kernel_name"] == name)


@pytest.mark.parametrize("name", EXPECTED)
def test_kernels_with_every_feature_become_pairs(harvested: dict[str, dict[str, Any]], name: str) -> None:
    pair = pair_named(harvested, name)
    python, forward, backward = EXPECTED[name]
    assert python in pair["python_source"]
    assert forward in pair["cuda_ir_forward"]
    assert backward in pair["cuda_ir_backward"]
    assert f"{name}_cuda_kernel_forward(" in pair["cuda_ir_forward"]
    assert f"{name}_cpu_kernel_backward(" in pair["cpp_backward"]


@pytest.mark.parametrize("name", REJECTED)
def test_other_kernels_are_rejects_with_the_reason(harvested: dict[str, dict[str, Any]], name: str) -> None:
    stage, reason = REJECTED[name]
    assert harvested[name]["stage"] == stage
    assert reason in harvested[name]["error"]


def test_each_overload_of_a_generic_kernel_is_a_pair(harvested: dict[str, dict[str, Any]]) -> None:
    names = [name for name in harvested if name.startswith("generic[")]
    assert sorted(names) == [
        "generic[wp.array(dtype=wp.float32, ndim=1),wp.float32]",
        "generic[wp.array(dtype=wp.vec3, ndim=1),wp.float32]",
    ]
    assert len({harvested[name]["cuda_ir_forward"] for name in names}) == 2


def test_kernels_of_a_closure_are_distinguished_by_captured_values(harvested: dict[str, dict[str, Any]]) -> None:
    first, second = (harvested[f"make_power.<locals>.power{suffix}"] for suffix in ("", "#2"))
    assert "wp::float32" in first["cuda_ir_forward"]
    assert "wp::float64" in second["cuda_ir_forward"]


def test_a_kernel_without_a_backward_pass_has_no_backward_code(harvested: dict[str, dict[str, Any]]) -> None:
    pair = harvested["forward_only"]
    assert pair["cpp_backward"] is None
    assert pair["cuda_ir_backward"] is None
    assert pair["metadata"]["has_backward"] is False


def test_pairs_contain_no_path_of_this_machine(harvested: dict[str, dict[str, Any]]) -> None:
    for record in harvested.values():
        if "metadata" in record:
            assert not re.search(r"// /|site-packages|" + re.escape(str(KERNELS.parent)), json.dumps(record)), record["id"]


IN_PROJECT = {
    # kernel: (texts in its Python, texts that are not in it)
    "constants_of_modules": (
        ["class kinds:", "    TINY = 0.5", "class lengths:", "Settings.RADIUS + lengths.TINY"],
        ["import project"],
    ),
    "functions_of_one_name": (["def scaled(", "def lengths_scaled(", "= scaled(x[i]) + lengths_scaled(x[i])"], ["kinds."]),
    "structs_of_one_name": (["class State:", "class kinds_State:", "second: kinds_State"], ["def doubled"]),
    "name_of_a_builtin": (["return 2.0 * wp.velocity_at_point(", "= velocity_at_point("], []),
    "enumerations": (["class Kind(enum.IntEnum)", "def next_of(", "= next_of(kind[i])"], ["describe", "@property"]),
    "functions_in_types": (["def low(", "= low(limits)"], ["class Limits"]),
    "generic_functions": (["a: wp.Scalar", "from typing import Any"], []),
    "defaults_and_tuples": (["factor: float = TINY", "-> tuple[float, float]"], []),
    "numpy_scalars": (["EPSILON = wp.float32(np.float32(1.1920929e-07))"], []),
    "captured_settings": (["range(wp.static(5))", "wp.static(count) + j", "count = 4"], ["settings."]),
    "textures": (["image: wp.Texture2D"], []),
    "deterministic": (["wp.set_module_options({'deterministic': DeterministicMode.RUN_TO_RUN})"], ["module_options="]),
    "in_an_unregistered_module": (["@wp.kernel(enable_backward=False)"], ["_UNREGISTERED"]),
    "forward_only": (["@wp.kernel(enable_backward=False)"], ["announced"]),
    "make_kernel.<locals>.work": (
        [
            "@wp.func_grad(step)",
            "first: wp.float32",
            "-> float:",
            "first: wp.float64",
            "class made_Pair",
            "other_type = made_Pair",
            "wp.float32(2.0)",
        ],
        ["dtype = wp.vec4"],
    ),
    "make_kernel.<locals>.work#2": (["first: wp.float64", "return 2.0f * x;"], ["func_grad"]),
    "replayed": (["@wp.func_replay(counted)"], []),
    "functions_by_decorators": (["@wp.func", "def power(", "= wp.static(power)(x[i])"], ["make_power", "kept"]),
    "functions_with_attributes": (["@wp.func", "def shifted(", "= wp.static(shifted)(x[i])"], ["make_shifted", "unit"]),
}


@pytest.fixture(scope="module")
def harvested_project(run: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    out = tmp_path_factory.mktemp("project") / "pairs.jsonl"
    path = os.pathsep.join([str(KERNELS.parent), os.environ.get("PYTHONPATH", "")])
    run("extraction", PROJECT, "-d", "cuda", "-b", "-o", out, env={"PYTHONPATH": path})
    records = map(json.loads, out.read_text().splitlines())
    return {re.sub(r"^project-0-project\.(kernels|made)\.", "", record["id"]): record for record in records}


def test_every_kernel_of_a_package_becomes_a_pair(harvested_project: dict[str, dict[str, Any]]) -> None:
    assert list(harvested_project) == list(IN_PROJECT)


@pytest.mark.parametrize("name", IN_PROJECT)
def test_what_other_modules_define_is_copied(harvested_project: dict[str, dict[str, Any]], name: str) -> None:
    source = harvested_project[name]["python_source"]
    present, absent = IN_PROJECT[name]
    assert [text for text in present if text not in source] == []
    assert [text for text in absent if text in source] == []


def test_a_pair_names_the_file_and_the_line_of_its_kernel(harvested_project: dict[str, dict[str, Any]]) -> None:
    for name, record in harvested_project.items():
        origin = record["metadata"]["origin"]
        line = (KERNELS.parents[2] / origin["file"]).read_text().splitlines()[origin["line"] - 1]
        assert line.strip().startswith(f"def {name.split('.')[-1].partition('#')[0]}("), name
