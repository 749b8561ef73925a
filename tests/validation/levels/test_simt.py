"""Level simt runs the PTX of CUDA texts: right pairs pass, and faults that only a GPU has fail."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from object_kernels import HEAD, KERNELS, SIZE, create_launches, object_parameter
from selected import selected
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.dataset_run import validate_dataset
from warpsmith.validation.levels import registry
from warpsmith.validation.levels.finding import PASS, Finding
from warpsmith.validation.levels.registry import levels_to, with_sample
from warpsmith.validation.levels.sampling import selects
from warpsmith.validation.running.outputs import LaunchOutputs
from warpsmith.validation.simt_launches.machine_results import are_close, dependence_on_order, disagreement
from warpsmith.validation.stored_outcome import stored_outcome

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning"),
    pytest.mark.usefixtures("tile_headers"),
]

BLOCK = 32
"""Threads a block of the kernel with tiles, as in `test_emulate`."""

KERNEL = "import warp as wp\n\n\n@wp.kernel\ndef k(x: wp.array(dtype=float), out: wp.array(dtype=float)):\n    i = wp.tid()\n"
SOURCES = {
    "smooth": "    out[i] = x[i] * 3.0 + wp.sin(x[i])\n",
    "sum": "    wp.atomic_add(out, i % 8, x[i] * x[i])\n",
    "tiles": (
        '    tile = wp.tile_load(x, shape=32, offset=i * 32, storage="shared")\n'
        "    wp.tile_store(out, tile * 2.0 + wp.tile_map(wp.sin, tile), offset=i * 32)\n"
    ),
    "sort": (  # a variant has equal keys, whose order is unspecified
        "    tile = wp.tile_load(x, shape=32, offset=i * 32)\n    order = wp.tile_arange(32, dtype=int)\n"
        "    wp.tile_sort(tile, order)\n    wp.tile_store(out, wp.tile_astype(order, dtype=float), offset=i * 32)\n"
    ),
}


@pytest.fixture(scope="module")
def kernels(argument: Callable[..., Argument], pair_line: Callable[..., Line]) -> dict[str, Line]:
    """Return a pair of every entry of `SOURCES`, forward and backward."""
    found = {}
    for number, (name, body) in enumerate(SOURCES.items()):
        dim, options = ((8, BLOCK), {"block_dim": BLOCK}) if "tile" in body else ((256,), {})
        role, size = ("inout", 8) if name == "sum" else ("output", 256)
        arrays = argument("x", "float32", (256,)), argument("out", "float32", (size,), role=role)
        launch = Launch(dim=dim, args=arrays)
        found[name] = pair_line(KERNEL + body, launch, identity=name, options=options, number=number)
    return found


def on_device(statement: str, after: str = r"// forward\n") -> Callable[[dict[str, Any]], None]:
    """Return a change of the CUDA text that adds a statement which a GPU compiles and a CPU does not."""

    def change(record: dict[str, Any]) -> None:
        text = record["cuda_ir_forward"]
        changed = re.sub(after, lambda match: f"{match[0]}#ifdef __CUDA_ARCH__\n{statement}\n#endif\n", text, count=1)
        assert changed != text
        record["cuda_ir_forward"] = changed

    return change


ABSENT_LANE = (
    "if (threadIdx.x % 32 < 16) {{\nint value = __shfl_down_sync(0xffffu, (int)threadIdx.x, 8);\n"
    "if ({}value != (int)threadIdx.x + 8) return;\n}}"
)
"""Lanes 8 to 15 read values of lanes that do not take part."""

WRONG = {
    # fault: (kernel, damage, status, text in the reason)
    "sign": ("smooth", on_device("var_8 = -var_8;", r"var_8 = wp::add\(.*\);\n"), "fail", "out is not what the kernel leaves"),
    "store beyond the end": (
        "smooth",
        on_device("if (_idx == 7) var_out.data[var_out.shape[0]] = 0.0f;"),
        "fail",
        "writes 4 bytes outside of its memory, at element 256 of out (line ",
    ),
    "shuffle": (
        "smooth",
        on_device("if (threadIdx.x % 32 < 16) var_0 = __shfl_xor_sync(0xffffffffu, var_0, 16);"),
        "fail",
        "an exchange within a warp needs lane 16",
    ),
    "value of an absent lane": (
        "smooth",
        on_device(ABSENT_LANE.format("(int)threadIdx.x % 32 < 8 && ")),
        "pass",
        "",
    ),
    "value of an absent lane with an effect": (
        "smooth",
        on_device(ABSENT_LANE.format("")),
        "fail",
        "a shuffle reads an undefined value from lane 16",
    ),
    "race in shared memory": (
        "smooth",
        on_device(
            "__shared__ int place[256];\nplace[threadIdx.x] = (int)_idx;\n__syncthreads();\n"
            "place[threadIdx.x] = 2 + place[threadIdx.x ^ 32];\n__syncthreads();\nif (place[threadIdx.x] < 0) return;"
        ),
        "fail",
        "of shared memory, which thread",
    ),
    "race with an effect": (
        "sum",
        on_device("if (_idx < 64) var_out.data[0] = 1.0f + 0.5f * (threadIdx.x & 31);"),
        "fail",
        "out",
    ),
    "race without an effect": (
        "smooth",
        on_device("if (_idx % 64 == 40) var_out.data[_idx - 8] = 5.0f;"),
        "inconclusive",
        "of out, which thread",
    ),
    "instruction": (
        "smooth",
        on_device('asm volatile("frobnicate.sync.b32 %0;" : "+r"(var_0));'),
        "not_applicable",
        "the SIMT machine does not support this: frobnicate.sync.b32",
    ),
    "endless loop": (
        "smooth",
        on_device("volatile size_t ever = dim.size;\nwhile (ever) {}"),
        "fail",
        "more instructions than its limit",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def findings(
    request: pytest.FixtureRequest, kernels: dict[str, Line], lines: list[Line], change_line: Any, run_levels: Any
) -> dict[str, dict[str, Finding]]:
    """Return the findings on `kernels`, on pairs of a dataset and on `WRONG`, by name and level: one batch for all."""
    chosen = selected(request, WRONG, [])
    named = {**kernels, **{f"pair {number}": line for number, line in enumerate(lines[:2])}}
    named |= {what: change_line(kernels[name], damage) for what, (name, damage, _, _) in chosen.items()}
    numbered = [replace(line, number=number) for number, line in enumerate(named.values(), start=1)]
    by_level = run_levels(numbered, "execute", "emulate", "simt")
    return {name: {level: of_level[place] for level, of_level in by_level.items()} for place, name in enumerate(named)}


@pytest.mark.parametrize("name", [*SOURCES, "pair 0", "pair 1"])
def test_right_pairs_pass(findings: dict[str, dict[str, Finding]], name: str) -> None:
    assert findings[name]["simt"] == PASS


@pytest.mark.sampled(3)
@pytest.mark.parametrize("what", WRONG)
def test_faults_that_only_a_gpu_has_are_found(findings: dict[str, dict[str, Finding]], what: str) -> None:
    _, _, status, words = WRONG[what]
    assert findings[what]["emulate"] == PASS
    assert findings[what]["simt"].status == status, findings[what]["simt"].reason
    assert words in findings[what]["simt"].reason


TWO_QUERIES = """@wp.kernel
def k(tree: wp.uint64, x: wp.array(dtype=wp.vec3), out: wp.array(dtype=int)):
    i = wp.tid()
    found = int(0)
    box = int(0)
    first = wp.bvh_query_aabb(tree, x[i] - wp.vec3(0.5), x[i] + wp.vec3(0.5))
    while wp.bvh_query_next(first, box):
        found += 1
    second = wp.bvh_query_aabb(tree, x[i] - wp.vec3(0.5), x[i] + wp.vec3(0.5))
    while wp.bvh_query_next(second, box):
        found += 1
    out[i] = found
"""


def test_queries_at_the_same_time_share_a_stack(
    pair_line: Callable[..., Line], argument: Callable[..., Argument], run_levels: Any
) -> None:
    """Objects of Warp are accessible to the machine, which shows a fault that an H200 has."""
    arrays = argument("x", "vec3f", (SIZE,)), argument("out", "int32", (SIZE,), role="output")
    launch = Launch(dim=(SIZE,), args=(object_parameter("tree", "bvh", (20,)), *arrays))
    loop = "    while wp.bvh_query_next(first, box):\n        found += 1\n"
    at_once = TWO_QUERIES.replace(loop, "").replace("    out[i]", loop + "    out[i]")
    sources = {"one by one": TWO_QUERIES, "at once": at_once}
    lines = [
        pair_line(HEAD + source, launch, identity=name, number=number, backward=False)
        for number, (name, source) in enumerate(sources.items(), start=1)
    ]
    one_by_one, both = run_levels(lines, "execute", "simt")["simt"]
    assert one_by_one == PASS
    assert both.status == "fail"
    assert "out is not what the kernel leaves" in both.reason


def test_reasons_contain_no_addresses(findings: dict[str, dict[str, Finding]]) -> None:
    assert not [found["simt"].reason for found in findings.values() if "0x" in found["simt"].reason]


def test_pairs_that_are_not_run_have_a_reason(kernels: dict[str, Line], change_line: Any, run_levels: Any) -> None:
    def without_cuda(record: dict[str, Any]) -> None:
        record.update(cuda_ir_forward=None, cuda_ir_backward=None)
        record["metadata"].update(device="cpu", ir_type="cpp")

    without_launch = change_line(kernels["smooth"], lambda record: record["metadata"].update(launch=None))
    lines = [change_line(kernels["smooth"], without_cuda), replace(without_launch, number=9)]
    assert run_levels(lines, "execute", "simt")["simt"] == [
        Finding("not_applicable", "the pair has no CUDA text"),
        Finding("skipped", "the kernel was not run"),
    ]


@pytest.mark.exhaustive
def test_a_sandboxed_worker_runs_the_machine(
    lines: list[Line], pair_line: Callable[..., Line], argument: Callable[..., Argument], check_in_worker: Any
) -> None:
    mesh = pair_line(HEAD + KERNELS["mesh"], create_launches(argument)["mesh"], identity="mesh", number=3)
    verdicts = check_in_worker([*lines[:2], mesh], "schema", "parse", "regenerate", "compile", "execute", "simt")
    assert [(verdict.status, verdict.reason) for verdict in verdicts] == 18 * [("pass", "")]


# ------------------------------------------------------------------------------------------------------------- tolerance


def outputs(**arrays: list[float]) -> LaunchOutputs:
    return LaunchOutputs({name: np.array(values, np.float32) for name, values in arrays.items()}, {})


def test_rounding_passes_and_more_does_not() -> None:
    not_needed, nothing = lambda: pytest.fail("not needed"), lambda: None
    expected, near, far = outputs(x=[1.0, 2.0]), outputs(x=[1.0, 2.00001]), outputs(x=[1.0, 2.01])
    assert disagreement(near, expected, not_needed, not_needed) is None
    assert disagreement(far, expected, lambda: outputs(x=[1.0, 2.0]), nothing) == (
        "x is not what the kernel leaves: 50.0% of the elements differ, at most by 0.01 where 3.05e-05 is allowed",
        True,
        True,
    )
    assert (
        disagreement(far, expected, lambda: outputs(x=[1.0, 2.0015]), not_needed) is None
    )  # in double precision it is elsewhere, too
    assert disagreement(far, expected, nothing, lambda: outputs(x=[0.0, 0.01])) is None  # it moves that far with the inputs
    assert disagreement(outputs(x=[np.inf, 2.0]), expected, nothing, nothing) is not None


def test_values_near_zero_may_be_rounding_of_larger_ones() -> None:
    exact = outputs(x=[0.0], y=[1.0])
    assert disagreement(outputs(x=[3.0e-6], y=[1.0]), exact, lambda: exact, lambda: None) is None
    small = outputs(x=[0.0], y=[1.0e-6])
    assert disagreement(outputs(x=[3.0e-6], y=[1.0e-6]), small, lambda: small, lambda: None) is not None


def test_contributions_to_a_gradient_may_cancel_exactly_in_one_order_only() -> None:
    zero, rounding, wrong = (LaunchOutputs({}, {"x": np.array([value, 0.0], np.float32)}) for value in (0.0, 1.0e-4, 0.1))
    expected = replace(zero, arrays={"y": np.ones(1, np.float32)})
    assert disagreement(rounding, expected, lambda: zero, lambda: None) is None
    assert disagreement(wrong, expected, lambda: zero, lambda: None) is not None


def test_integers_are_equal() -> None:
    assert not are_close(np.array([1]), np.array([2]), {8: 1.0}, 1.0)
    assert are_close(np.array([2]), np.array([2]), {8: 0.0}, 0.0)


def test_sums_in_another_order_do_not_depend_on_it() -> None:
    assert dependence_on_order(outputs(x=[1.0]), outputs(x=[1.0005])) is None
    assert dependence_on_order(outputs(x=[1.0]), outputs(x=[1.5])) == "x depends on the order of threads"


# ---------------------------------------------------------------------------------------------------------- sample, extra


def test_a_sample_has_verdicts_and_other_pairs_have_none(small: Path, tmp_path: Path) -> None:
    for path in small.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    dataset = Dataset.open(tmp_path)
    levels = with_sample(levels_to("schema"), "parse", 3)
    identities = [line.identity for line in dataset.lines()]
    chosen = [identity for identity in identities if selects(levels[-1], identity)]
    assert 0 < len(chosen) < len(identities)
    outcome = validate_dataset(dataset, levels)
    assert outcome.statuses["parse"] == {"pass": len(chosen)}
    assert outcome.statuses["schema"] == {"pass": len(identities)}
    stored = [
        verdict.id for shard in dataset.shards for verdict in dataset.read_verdicts(shard).values() if verdict.level == "parse"
    ]
    assert sorted(stored) == sorted(chosen)
    again = validate_dataset(dataset, levels)
    assert (again.reused, again.statuses) == (len(identities), outcome.statuses)
    assert f"parse checks one pair in 3, chosen by its id: {len(chosen)} of {len(identities)}" in again.remarks
    assert (known := stored_outcome(dataset, levels)) is not None
    assert known.statuses == outcome.statuses
    assert stored_outcome(dataset, levels_to("parse")) is None
    assert validate_dataset(dataset, levels_to("parse")).statuses["parse"] == {"pass": len(identities)}


def test_the_level_needs_the_levels_before_it() -> None:
    assert [level.name for level in with_sample(levels_to("gradient"), "simt", 100)][-2:] == ["gradient", "simt"]
    assert [level.share for level in with_sample(levels_to("simt"), "simt", 7)][-2:] == [1, 7]
    with pytest.raises(WarpsmithError, match="--simt needs level execute: use --level execute or a later level"):
        with_sample(levels_to("compile"), "simt", 100)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "find_spec", lambda _: None)
    assert levels_to("gradient")
    for load in (lambda: levels_to("simt"), lambda: with_sample(levels_to("gradient"), "simt", 100)):
        with pytest.raises(WarpsmithError, match=r"the level simt needs the extra warpsmith-validation\[simt\]"):
            load()
