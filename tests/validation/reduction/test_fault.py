"""A reduction ends at the fault that it began with: the same argument, wrong for the same cause."""

from __future__ import annotations

import ast
import itertools
from dataclasses import replace

import pytest

import known_adjoints as known
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.reduction.causes import causes
from warpsmith.validation.reduction.fault import UNSET, Causes, Fault, fault_of, read_causes
from warpsmith.validation.reduction.search import reduce

FAULTS = {
    "loop": """
        s = float(1.0)
        for k in range(n):
            s = s * xx[i, k] + 0.5
        out[i] = s
    """,
    "component": """
        p = v[i]
        p[1] = p[1] * 2.0
        vout[i] = p + wp.vec3(0.5, 0.0, 0.0)
    """,
    "overwritten": """
        u[i] *= x[i]
    """,
    "wp.frac": """
        w[i] = wp.frac(y[i] * 5.0) + 1.0
    """,
    "loop with a jump": """
        t = float(0.1)
        for j1 in range(4):
            t = t + m[i][0, j1 % 3]
            if t > 2.0:
                break
        total[i % 2] = t
    """,
}
"""Bodies of kernels with a fault each, by cause; each fault has arguments of its own."""

ARGUMENTS = {"loop": "xx", "component": "v", "overwritten": "x", "wp.frac": "y", "loop with a jump": "m"}

PAIRS = list(itertools.permutations(FAULTS, 2))


def body_of(first: str, second: str) -> str:
    return "\n".join(line.strip("\n") for name in (first, second) for line in [FAULTS[name].rstrip()])


def causes_of(body: str) -> Causes:
    return {name: frozenset(found) for name, found in causes(known.source_of(body)[0]).items()}


def verdict(argument: str, reason: str = "the adjoint gives 7, central differences 5 along a random direction") -> Verdict:
    return Verdict(id="a", level="gradient", status="fail", reason=f"{reason}; of {argument}[3]: 48 instead of 8", ms=1.0)


@pytest.mark.parametrize("pair", PAIRS, ids=", ".join)
def test_each_argument_has_the_cause_of_its_fault(pair: tuple[str, str]) -> None:
    found = causes_of(body_of(*pair))
    assert [found[ARGUMENTS[name]] for name in pair] == [{name} for name in pair]


@pytest.mark.parametrize("name", known.WRONG)
def test_every_known_fault_has_a_cause(name: str) -> None:
    assert any(causes_of(known.WRONG[name]).values())


@pytest.mark.parametrize(("kept", "lost"), PAIRS, ids=lambda name: name)
def test_only_the_fault_that_a_reduction_began_with_is_kept(kept: str, lost: str) -> None:
    whole = causes_of(body_of(kept, lost))
    began = fault_of(verdict(ARGUMENTS[kept]), whole)
    assert began.is_kept(fault_of(verdict(ARGUMENTS[kept]), causes_of(FAULTS[kept])))
    assert not began.is_kept(fault_of(verdict(ARGUMENTS[lost]), causes_of(FAULTS[lost])))
    moved = FAULTS[lost].replace(f"{ARGUMENTS[lost]}[", f"{ARGUMENTS[kept]}[")
    assert not began.is_kept(fault_of(verdict(ARGUMENTS[kept]), causes_of(moved)))


def test_another_argument_with_the_same_cause_is_the_same_fault() -> None:
    body = known.WRONG["polynomial by Horner"]
    assert fault_of(verdict("x"), causes_of(body)).is_kept(fault_of(verdict("xx"), causes_of(body)))


ASSIGNED_BEFORE = """
        e = float(0.5)
        for k in range(n):
            e = e + xx[i, k] * e
        out[i] = e
"""


@pytest.mark.parametrize(
    "body",
    [
        "for k in range(n):\n    e = xx[i, k]\nout[i] = e",
        "if n > 1:\n    e = xx[i, 0]\nout[i] = e",
        "if n > 1:\n    e = xx[i, 0]\nelif n > 0:\n    e = xx[i, 1] * 2.0\nout[i] = e",
    ],
)
def test_a_variable_without_a_value_is_another_fault(body: str) -> None:
    indented = "\n".join(f"        {line}" for line in body.splitlines())
    began = fault_of(verdict("xx"), causes_of(ASSIGNED_BEFORE))
    assert began.is_kept(fault_of(verdict("xx"), causes_of(ASSIGNED_BEFORE.replace("e + xx[i, k] * e", "e * xx[i, k]"))))
    assert "first assigned in a block" in causes_of(indented)["xx"]
    assert not began.is_kept(fault_of(verdict("xx"), causes_of(indented)))


def test_a_counter_that_is_read_behind_its_loop() -> None:
    loops = (
        "        for k in range(n):\n            w[i] += xx[i, k]\n        for k in range(n):\n            out[i] += xx[i, k]\n"
    )
    began = fault_of(verdict("xx"), causes_of(loops))
    assert began.causes[UNSET] == frozenset()
    for body in ("        for k in range(n):\n            w[i] += xx[i, k]\n        out[i] += xx[i, k]\n", ASSIGNED_BEFORE):
        unset = causes_of(body)[UNSET]
        assert began.is_kept(replace(began, causes={**began.causes, UNSET: unset})) == (not unset)


def test_an_element_that_is_overwritten_by_way_of_a_variable() -> None:
    found = causes_of("        old = u[i] * x[i]\n        u[i] = old\n        out[i] = y[i]\n")
    assert (found["x"], found["u"], found["y"]) == ({"overwritten"}, {"overwritten"}, set())


def test_a_variable_that_both_branches_assign_has_a_value() -> None:
    body = "        if n > 1:\n            e = xx[i, 0]\n        else:\n            e = xx[i, 1]\n        out[i] = e\n"
    assert "first assigned in a block" not in causes_of(body)["xx"]


def test_a_gradient_that_is_not_finite_is_another_fault() -> None:
    body = causes_of(FAULTS["loop"])
    infinite = fault_of(verdict("xx", "the adjoint is not finite where the differences are"), body)
    assert not infinite.is_kept(fault_of(verdict("xx"), body))


def test_a_gradient_that_is_nan_needs_no_loop() -> None:
    body = FAULTS["loop"].rstrip() + "\n        w[i] = wp.sqrt(xx[i, 0] - xx[i, 0])\n"
    not_a_number = "the adjoint gives nan, central differences 5 along a random direction; of xx[0, 0]: nan instead of 5"
    began = fault_of(Verdict(id="a", level="gradient", status="fail", reason=not_a_number, ms=1.0), causes_of(body))
    assert not began.is_kept(fault_of(verdict("xx"), causes_of(FAULTS["loop"])))
    assert began.is_kept(replace(began, causes=causes_of("        w[i] = wp.sqrt(xx[i, 0] - xx[i, 0])\n")))


def test_an_error_stays_clear() -> None:
    def found(got: float) -> Fault:
        reason = f"the adjoint gives 7, central differences 5 along a random direction; of xx[0, 0]: {got} instead of 5"
        return fault_of(Verdict(id="a", level="gradient", status="fail", reason=reason, ms=1.0), causes_of(FAULTS["loop"]))

    assert found(8.0).is_kept(found(0.0))
    assert not found(8.0).is_kept(found(5.01))
    assert found(5.01).is_kept(found(5.02)), "an error that is small from the beginning"


def test_another_fault_that_a_reason_adds_is_not_kept() -> None:
    def stops(more: str) -> Fault:
        reason = f"the kernel stops at this launch: Warp's check of an index or a value failed: 'i < arr.shape[0]'{more}"
        return fault_of(Verdict(id="a", level="execute", status="fail", reason=reason, ms=1.0), {})

    assert stops(" ('found' read before it has a value)").is_kept(stops(" (index 8 of 'x', which has 8 elements)"))


def test_checks_of_tiles_and_of_arrays_are_different_faults() -> None:
    def stops(assertion: str) -> Fault:
        reason = f"the kernel stops at this launch: Warp's check of an index or a value failed: '{assertion}'"
        return fault_of(Verdict(id="a", level="execute", status="fail", reason=reason, ms=1.0), {})

    array = stops("i >= -arr.shape[0] && i < arr.shape[0]")
    assert array.is_kept(stops("j >= -arr.shape[1] && j < arr.shape[1]"))
    assert not array.is_kept(stops('0 && "Warp tile index out of bounds"'))


@pytest.mark.parametrize("answer", [None, 7, [], ["x"], [{"x": 3}], [[]]])
def test_an_invalid_answer_of_a_worker_tells_nothing(answer: object) -> None:
    assert read_causes(answer, 1) == [{}]


@pytest.mark.exhaustive
@pytest.mark.parametrize("pair", [("loop", "component"), ("component", "loop"), ("wp.frac", "overwritten")], ids=", ".join)
def test_a_reduction_ends_at_its_own_fault(pair: tuple[str, str]) -> None:
    reduction = reduce(known.line_of(known.pair_of(" and ".join(pair), body_of(*pair))), "gradient", seconds=120.0)
    began = next(name for name in pair if f"; of {ARGUMENTS[name]}[" in reduction.reason)
    found = {name: several for name, several in causes(reduction.pair.python_source).items() if name != UNSET}
    assert {cause for several in found.values() for cause in several} - {"range"} == {began}
    assert len(list(ast.walk(ast.parse(reduction.pair.python_source)))) < 120
