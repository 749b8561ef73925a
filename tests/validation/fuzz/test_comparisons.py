"""Faults: of a form alone, of two forms that mean the same, and of two releases of Warp."""

from __future__ import annotations

import pytest

from warpsmith.validation.fuzz.case_runs import Result, Wrong
from warpsmith.validation.fuzz.comparisons import different, fault_alone, fault_of_pair, fault_of_releases
from warpsmith.validation.fuzz.grammar.forms import parse_form

PLAIN = parse_form("assign")
OK = Result("ok", values={"out": [1.0, 2.0]}, gradient={"x": [3.0, 4.0]})
WRONG = Result("ok", values={"out": [1.0, 2.0]}, gradient={"x": [3.0, 4.0]}, wrong=[Wrong("x", (1,), 4.0, 5.0)])


@pytest.mark.parametrize("status", ["compile", "crash", "hang"])
def test_a_status_is_a_fault(status: str) -> None:
    fault = fault_alone(PLAIN, Result(status, "why", "backward"))
    assert fault is not None
    assert (fault.kind, fault.detail) == (status, "why in the backward pass")


def test_a_kernel_that_warp_rejects_is_no_fault() -> None:
    assert fault_alone(PLAIN, Result("rejected", "no overload")) is None


def test_a_wrong_gradient_is_a_fault_with_its_numbers() -> None:
    assert fault_alone(PLAIN, OK) is None
    fault = fault_alone(PLAIN, WRONG)
    assert fault is not None
    assert fault.kind == "gradient"
    assert fault.detail == "x[1]: Warp 4, differences 5"


def test_results_are_compared_with_pythons() -> None:
    form = parse_form("expression literal=large")
    fault = fault_alone(form, Result("ok", values={"out2": [-1294967296.0]}))
    assert fault is not None
    assert fault.kind == "forward"
    assert "3000000000" in fault.detail
    assert fault_alone(form, Result("ok", values={"out2": [3.0e9]})) is None
    infinite = Result("ok", values={"out2": [None]})
    assert fault_alone(form, infinite) is not None
    assert fault_alone(form.replaced("dtype", "half"), infinite) is None


def test_two_forms_that_mean_the_same_have_the_same_results() -> None:
    assert fault_of_pair(PLAIN, PLAIN, OK, OK) is None
    values = fault_of_pair(PLAIN, PLAIN, OK, Result("ok", values={"out": [1.0, 2.5]}))
    assert values is not None
    assert (values.kind, values.detail) == ("pair-values", "out[1]: 2 and 2.5")
    gradient = fault_of_pair(PLAIN, PLAIN, OK, Result("ok", values=OK.values, gradient={"x": [3.0, 9.0]}))
    assert gradient is not None
    assert gradient.kind == "pair-gradient"
    assert fault_of_pair(PLAIN, PLAIN, Result("rejected"), Result("rejected")) is None
    rejected = fault_of_pair(PLAIN, PLAIN, OK, Result("rejected", "no overload"))
    assert rejected is not None
    assert (rejected.kind, rejected.detail) == ("pair-rejected", "no overload")


def test_of_two_precisions_only_the_acceptance_is_compared() -> None:
    double = PLAIN.replaced("dtype", "double")
    assert fault_of_pair(double, PLAIN, OK, Result("ok", values={"out": [1.0, 2.5]})) is None
    rejected = fault_of_pair(double, PLAIN, Result("rejected", "no overload"), OK)
    assert rejected is not None
    assert rejected.kind == "pair-rejected"


def test_a_gradient_that_is_wrong_alone_is_no_fault_of_a_pair() -> None:
    assert fault_of_pair(PLAIN, PLAIN, WRONG, Result("ok", values=OK.values, gradient={"x": [3.0, 9.0]})) is None


def test_releases_differ_in_status_gradient_or_values() -> None:
    assert fault_of_releases(PLAIN, OK, OK) is None
    for other in (Result("compile", "error"), WRONG, Result("ok", values={"out": [1.0, 2.5]})):
        fault = fault_of_releases(PLAIN, OK, other)
        assert fault is not None
        assert fault.kind == "release"
    rejected = Result("rejected", "WarpDeterminismError")
    assert fault_of_releases(PLAIN, rejected, OK) is not None
    assert fault_of_releases(PLAIN.replaced("options", "deterministic"), rejected, OK) is None


def test_numbers_that_are_not_finite_agree_with_each_other_only() -> None:
    assert not different({"a": [None]}, {"a": [None]}, 0.1)
    assert different({"a": [None]}, {"a": [1.0]}, 0.1)
    assert not different({"a": [1.0]}, {"b": [2.0]}, 0.1)
