"""Structs have Warp's memory layout, and levels check their members by role."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import warp as wp

from selected import selected
from struct_kernels import KERNELS, STRUCTS, create_launches
from warpsmith.core.inputs.values import leaves, make_inputs
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.gpu_checks.device_launches import launch_kernel
from warpsmith.validation.levels import execute
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.level_results import LAUNCHES, line_key
from warpsmith.validation.running.shared_arguments import lay_out, promoted
from warpsmith.validation.running.shared_memory import Arena

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

LEVELS = ("schema", "parse", "execute", "emulate", "gradient", "oracle")

NOT_OPTIMIZED = {"optimization_level": 0, "cpu_compiler_flags": ""}


@pytest.fixture(scope="module")
def launches(argument: Callable[..., Argument]) -> dict[str, Launch]:
    return create_launches(argument)


@pytest.fixture(scope="module")
def lines(launches: dict[str, Launch], pair_line: Callable[..., Line]) -> dict[str, Line]:
    return {
        name: pair_line(STRUCTS + KERNELS[name], launch, identity=name, number=number)
        for number, (name, launch) in enumerate(launches.items())
    }


def test_structs_have_warps_layout(launches: dict[str, Launch]) -> None:
    launch = launches["an array of structs"]
    values = make_inputs(launch, "layout")
    arguments = lay_out(launch, values, Arena())
    with loaded_kernel(STRUCTS + KERNELS["an array of structs"]) as kernel:
        particle, body = kernel.adj.args[0].type.dtype, kernel.adj.args[1].type
        for actual, expected in (
            (arguments.values.dtype["body"], body.ctype),
            (arguments.values.dtype["body"]["inner"], body.vars["inner"].type.ctype),
            (arguments.arrays["particles.weight"].base.dtype, particle.ctype),
        ):
            assert {name: field[1] for name, field in actual.fields.items()} == {
                name: getattr(expected, name).offset for name, _ in expected._fields_
            }
            assert actual.itemsize == np.dtype(expected).itemsize
        instance = body()
        instance.flag, instance.mass, instance.spin = (values[f"body.{name}"] for name in ("flag", "mass", "spin"))
        instance.inner.b, instance.inner.on = wp.vec3(*values["body.inner.b"]), values["body.inner.on"]
        actual, expected = arguments.values["body"], np.frombuffer(instance.__ctype__(), arguments.values.dtype["body"])[0]
        for name in ("flag", "mass", "spin"):
            assert np.array_equal(actual[name], expected[name]), name
        assert np.array_equal(actual["inner"]["b"], expected["inner"]["b"])
        assert actual["inner"]["on"] == expected["inner"]["on"]


def test_double_precision_moves_members(launches: dict[str, Launch]) -> None:
    launch = launches["members"]
    values = {name: promoted(value) for name, value in make_inputs(launch, "layout").items()}
    body = lay_out(launch, values, Arena()).values.dtype["body"]
    assert {name: field[1] for name, field in body.fields.items()} == {
        "flag": 0, "mass": 8, "inner": 16, "points": 56, "spin": 112, "sums": 184,
    }  # fmt: skip
    assert {name: field[1] for name, field in body["inner"].fields.items()} == {"a": 0, "b": 8, "on": 32}
    assert (body["inner"].itemsize, body.itemsize) == (40, 240)


def test_leaves(launches: dict[str, Launch]) -> None:
    found = {leaf.name: leaf for leaf in leaves(launches["written in place"])}
    assert list(found)[:4] == ["particles.tag", "particles.position", "particles.inner.a", "particles.inner.b"]
    assert found["particles.position"].shape == (4, 3)
    assert (found["particles.weight"].kind, found["particles.weight"].role) == ("array", "output")
    assert found["scale"].kind == "value"
    assert make_inputs(launches["written in place"], "x")["particles.position"].shape == (4, 3, 3)


@pytest.mark.exhaustive  # Warp compiles every kernel, too
def test_results_equal_the_results_of_warp_launches(launches: dict[str, Launch], lines: dict[str, Line], scratch: Path) -> None:
    context = BatchContext(scratch)
    findings = execute.check(list(lines.values()), context)
    assert {name: finding.reason for name, finding in zip(lines, findings, strict=True)} == dict.fromkeys(lines, "")
    for name, line in lines.items():
        result = context.results(LAUNCHES)[line_key(line)][0]
        with loaded_kernel(STRUCTS + KERNELS[name], None, NOT_OPTIMIZED, f"structs_{line.number}") as kernel:
            kernel.module.options["block_dim"] = 1
            expected = launch_kernel(kernel, launches[name], result.values, "cpu", backward=True)
        assert expected.outputs.keys() == {leaf.name for leaf in leaves(launches[name]) if leaf.role != "input"}
        for key, value in expected.outputs.items():
            assert result.outputs.arrays[key].tobytes() == value.tobytes(), (name, key)
        assert expected.gradients
        for key, value in expected.gradients.items():
            assert result.outputs.gradients[key].tobytes() == value.tobytes(), (name, key)
            if name != "written in place" and (
                key == "particles.frame" or (key == "body.points" and name != "an array of structs")
            ):
                assert np.any(value), f"a gradient of {key} that is zero cannot show an error"
    context.clear()


@pytest.fixture(scope="module")
def reasons(request: pytest.FixtureRequest, lines: dict[str, Line], run_levels: Any) -> dict[str, dict[str, str]]:
    """Return the reason of each level by kernel."""
    chosen = selected(request, lines)
    by_level = run_levels(list(chosen.values()), *LEVELS)
    return {name: {level: by_level[level][number].reason for level in LEVELS} for number, name in enumerate(chosen)}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", KERNELS)
def test_all_levels_pass(reasons: dict[str, dict[str, str]], name: str) -> None:
    expected = dict.fromkeys(LEVELS, "")
    if name == "arrays in an array of structs":
        expected["oracle"] = "the interpreter does not know this: an array of structs that hold 'cells', an array"
    assert reasons[name] == expected


@pytest.mark.exhaustive
def test_structs_of_pairs_without_cuda_text(lines: dict[str, Line], change_line: Any, run_levels: Any) -> None:
    def cpp_only(record: dict[str, Any]) -> None:
        record.update(cuda_ir_forward=None, cuda_ir_backward=None)
        record["metadata"].update(device="cpu", ir_type="cpp")

    by_level = run_levels([change_line(line, cpp_only) for line in lines.values()], "execute", "gradient")
    assert {finding.reason for level in by_level.values() for finding in level} == {""}


DAMAGES = {
    # missing from the adjoint: (kernel, text in the removed lines)
    "a plain member": ("members", "adj_body.mass += "),
    "a plain member of an inner struct": ("members", "adj_body.inner += "),
    "an array in a struct": ("members", "wp::adj_address("),
    "a member of an array of structs": ("written in place", ".position += "),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("damage", DAMAGES)
def test_an_incorrect_adjoint_of_a_member_fails(lines: dict[str, Line], change_line: Any, run_levels: Any, damage: str) -> None:
    name, missing = DAMAGES[damage]

    def leave_out(record: dict[str, Any]) -> None:
        for key in ("cpp_backward", "cuda_ir_backward"):
            kept = [line for line in record[key].splitlines(keepends=True) if missing not in line]
            assert len(kept) < record[key].count("\n"), missing
            record[key] = "".join(kept)

    finding = run_levels([change_line(lines[name], leave_out)], "execute", "gradient")["gradient"][0]
    assert (finding.status, finding.reason[:18]) == ("fail", "the adjoint gives "), finding


def member_of_body(record: dict[str, Any], member: str) -> dict[str, Any]:
    (found,) = [field for field in record["metadata"]["launch"]["args"][0]["fields"] if field["name"] == member]
    return found


EXECUTE = {
    # incorrect role: (member, change of the record, reason of level execute)
    "it is read": ("sums", {"role": "input"}, "body.sums is an input and was changed"),
    "it is written": ("points", {"role": "output"}, "body.points is never written"),
    "it is changed": ("points", {"role": "inout"}, "body.points is left as it was"),
}


@pytest.mark.parametrize("damage", EXECUTE)
def test_members_are_checked_by_their_roles(lines: dict[str, Line], change_line: Any, run_levels: Any, damage: str) -> None:
    member, change, reason = EXECUTE[damage]
    by_level = run_levels(
        [change_line(lines["members"], lambda record: member_of_body(record, member).update(change))], "execute"
    )
    assert (by_level["execute"][0].status, by_level["execute"][0].reason) == ("fail", reason)


SCHEMA = {
    "has a name that Python does not allow": lambda body: body["fields"][0].update(name="a.b"),
    "arguments with one name": lambda body: body["fields"][0].update(name="mass"),
    "argument 'body' has either fields or a domain": lambda body: body.update(
        fields=[], domain={"kind": "fill", "low": 0, "high": 0}
    ),
    "has either fields or a domain": lambda body: body.update(domain={"kind": "fill", "low": 0, "high": 0}),
    "with all copies that checks make": lambda body: body["fields"][3].update(shape=[1 << 12, 1 << 13]),
    "with shape [-3]": lambda body: body["fields"][3].update(shape=[-3]),
    "is a value with members": lambda body: body.update(kind="value"),
}


@pytest.mark.parametrize("reason", SCHEMA)
def test_invalid_structs_fail(lines: dict[str, Line], change_line: Any, run_levels: Any, reason: str) -> None:
    damaged = change_line(lines["members"], lambda record: SCHEMA[reason](record["metadata"]["launch"]["args"][0]))
    finding = run_levels([damaged], "schema")["schema"][0]
    assert finding.status == "fail"
    assert reason in finding.reason
