"""Level gradient checks what a direction in all inputs does not show: small inputs, arrays in place, plain arguments in C++."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from selected import selected
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.levels.derivatives.disagreement import parse_disagreement
from warpsmith.validation.levels.finding import Finding

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

SOURCE = """import warp as wp


@wp.struct
class Body:
    mass: float


@wp.kernel
def k(
    x: wp.array(dtype=float), y: wp.array(dtype=float), a: float, v: wp.vec3, body: Body,
    u: wp.array(dtype=float), out: wp.array(dtype=float)
):
    i = wp.tid()
"""

KERNELS = {
    "a small input": "out[i] = 1.0e4 * x[i] + 1.0e-4 * wp.sin(y[i])\n    wp.atomic_add(u, i, x[i])",
    "a small plain argument": "out[i] = 1.0e4 * x[i] + 1.0e-4 * wp.sin(a)\n    wp.atomic_add(u, i, x[i])",
    "plain arguments": "out[i] = x[i] * wp.sin(a) + wp.dot(v, wp.vec3(x[i], 1.0, a)) * body.mass\n    u[i] += y[i]",
    "a small output": "out[i] = 1.0e4 * x[i]\n    wp.atomic_add(u, i, 1.0e-4 * x[i] * y[i])",
    "contents are read and kept": "out[i] = 3.0 * u[i] + x[i]\n    wp.atomic_add(u, i, x[i])",
    "contents are replaced": "out[i] = x[i]\n    wp.atomic_min(u, i, x[i])",
    "an input without effect": "out[i] = x[i] + 0.0 * y[i]\n    wp.atomic_add(u, i, x[i])",
}
IN_CPP = ("a small input", "a small output", "a small plain argument", "plain arguments", "contents are read and kept")

DAMAGES = {
    # error: (kernel, line of the adjoint that is missing, the argument whose gradient is wrong)
    "the adjoint of a small input": ("a small input", r"wp::adj_sin\(", "y"),
    "the adjoint of a small plain argument": ("a small plain argument", r"wp::adj_sin\(", "a"),
    "the adjoint of a plain argument": ("plain arguments", r"wp::adj_sin\(", "a"),
    "the adjoint of a member": ("plain arguments", r"adj_body\.mass \+=", "body.mass"),
    "the adjoint of a small output": ("a small output", r"wp::adj_atomic_add\(", "y"),
    "the adjoint of contents": ("contents are read and kept", r"wp::adj_address\(var_u", "u"),
}
SEEN_BY_PROGRAMS = ("the adjoint of a small input", "the adjoint of a small output")
"""The errors that fail a kernel of a project: it receives no gradients of plain arguments, and changes arrays on purpose."""

OWN_ERROR = "contents are overwritten"
"""Warp's own adjoint is wrong: the backward pass reads the new contents."""


def cpp_only(record: dict[str, Any]) -> None:
    record.update(cuda_ir_forward=None, cuda_ir_backward=None)
    record["metadata"].update(device="cpu", ir_type="cpp")


def without_line(pattern: str) -> Callable[[dict[str, Any]], None]:
    """Return a change that removes the one line of the adjoint that matches a pattern, in both texts."""

    def change(record: dict[str, Any]) -> None:
        for key in ("cpp_backward", "cuda_ir_backward"):
            text = record[key]
            kept = [line for line in text.splitlines(keepends=True) if not re.search(pattern, line)]
            assert len(kept) == text.count("\n") - 1, (pattern, text)
            record[key] = "".join(kept)

    return change


@pytest.fixture(scope="module")
def lines(argument: Callable[..., Argument], pair_line: Callable[..., Line], change_line: Any) -> dict[str, Line]:
    """Return the pairs of all kernels and of damaged ones, for both targets and in C++ alone."""
    mass = argument("mass", "float32", low=0.5, high=2.0)
    args = (
        argument("x", "float32", (64,)),
        argument("y", "float32", (64,)),
        argument("a", "float32"),
        argument("v", "vec3f"),
        Argument(name="body", kind="struct", dtype="Body", role="input", shape=(), domain=None, fields=(mass,)),
        argument("u", "float32", (64,), role="inout"),
        argument("out", "float32", (64,), role="output"),
    )
    bodies = {**KERNELS, OWN_ERROR: "u[i] = u[i] * u[i] + x[i]\n    out[i] = x[i]"}
    launch = Launch(dim=(64,), args=args)
    found = {name: pair_line(f"{SOURCE}    {body}\n", launch, identity=name) for name, body in bodies.items()}
    found |= {name: change_line(found[kernel], without_line(pattern)) for name, (kernel, pattern, _) in DAMAGES.items()}
    found |= {f"{name} in C++": change_line(found[name], cpp_only) for name in [*IN_CPP, *DAMAGES]}
    return {name: replace(line, number=number) for number, (name, line) in enumerate(found.items(), start=1)}


@pytest.fixture(scope="module")
def findings(request: pytest.FixtureRequest, lines: dict[str, Line], run_levels: Any) -> dict[str, Finding]:
    chosen = selected(request, lines, [OWN_ERROR])
    by_level = run_levels(list(chosen.values()), "execute", "gradient")
    assert {finding.status for finding in by_level["execute"]} == {"pass"}
    return dict(zip(chosen, by_level["gradient"], strict=True))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", [*KERNELS, *(f"{name} in C++" for name in IN_CPP)])
def test_a_correct_adjoint_passes(findings: dict[str, Finding], name: str) -> None:
    assert findings[name] == Finding("pass")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [*DAMAGES, *(f"{name} in C++" for name in DAMAGES)])
def test_a_missing_adjoint_fails_and_is_located(findings: dict[str, Finding], name: str) -> None:
    finding = findings[name]
    assert finding.status == "fail", finding
    found = parse_disagreement(finding.reason)
    assert found is not None
    assert found.argument == DAMAGES[name.removesuffix(" in C++")][2]


def test_a_wrong_adjoint_of_contents_that_are_overwritten_fails(findings: dict[str, Finding]) -> None:
    found = parse_disagreement(findings[OWN_ERROR].reason)
    assert findings[OWN_ERROR].status == "fail"
    assert found is not None
    assert found.argument == "u"


@pytest.fixture(scope="module")
def of_project(request: pytest.FixtureRequest, lines: dict[str, Line], change_line: Any, run_levels: Any) -> dict[str, Finding]:
    """Return the findings on the same pairs as kernels of a project."""

    def extracted(record: dict[str, Any]) -> None:
        record["metadata"]["origin"] = {"file": "k.py", "line": 1, "launch": "captured", "reason": ""}

    chosen = selected(request, {name: lines[name] for name in (*KERNELS, *DAMAGES, OWN_ERROR)})
    found = run_levels([change_line(line, extracted) for line in chosen.values()], "execute", "gradient")
    return dict(zip(chosen, found["gradient"], strict=True))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", KERNELS)
def test_a_correct_adjoint_of_a_project_passes(of_project: dict[str, Finding], name: str) -> None:
    assert of_project[name] == Finding("pass")


@pytest.mark.parametrize("name", SEEN_BY_PROGRAMS)
def test_a_missing_adjoint_of_a_project_fails_and_is_located(of_project: dict[str, Finding], name: str) -> None:
    finding = of_project[name]
    assert finding.status == "fail", finding
    found = parse_disagreement(finding.reason)
    assert found is not None
    assert found.argument == DAMAGES[name][2]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", [name for name in DAMAGES if "plain" in name or "member" in name])
def test_a_program_receives_no_gradient_of_plain_arguments(of_project: dict[str, Finding], name: str) -> None:
    assert of_project[name] == Finding("pass")


@pytest.mark.parametrize("name", ["the adjoint of contents", OWN_ERROR])
def test_contents_of_a_project_are_inconclusive(of_project: dict[str, Finding], name: str) -> None:
    """Real programs change arrays in place on purpose, and Warp documents that their gradients may be wrong."""
    assert of_project[name].status == "inconclusive"
    assert "that of u, which the kernel changes, is not" in of_project[name].reason


def test_only_leaves_that_other_draws_do_not_show_are_checked_alone(
    lines: dict[str, Line], run_levels: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = {}

    def note(series: Any, _: Any) -> None:
        seen.update({one.identity: [alone.leaf.name for alone in one.unseen()] for one in series})

    monkeypatch.setattr("warpsmith.validation.levels.gradient.check_single_leaves", note)
    run_levels([lines[name] for name in ("a small input", "plain arguments", "contents are replaced")], "execute", "gradient")
    assert seen == {
        "a small input": ["y", "a", "v", "body.mass", "u"],
        "plain arguments": ["u"],
        "contents are replaced": ["y", "a", "v", "body.mass"],
    }
