"""Extracted kernels at level gpu: a result that depends on the order of threads is no failure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from real_patterns import CORRECT
from warpsmith.core.inputs.values import make_inputs
from warpsmith.gpu_checks.device_results import Results
from warpsmith.gpu_checks.kernel_stub import stand_in
from warpsmith.gpu_checks.level import compare
from warpsmith.gpu_checks.reference import Reference, in_double, in_reverse, run_on_cpu
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import Finding

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


@pytest.fixture
def context(scratch: Path) -> Iterator[BatchContext]:
    context = BatchContext(scratch)
    yield context
    context.clear()


def status_in_reverse(name: str, number: int, context: BatchContext) -> str:
    line = CORRECT[name].line(name, number)
    values = make_inputs(CORRECT[name].launch, line.identity)
    expected = run_on_cpu(line, context, values)
    assert isinstance(expected, Results)
    other = in_reverse(line, context, values)
    assert other is not None
    return compare(other, Reference(expected, in_double(line, context, values))).status


def test_the_order_of_threads_shows(context: BatchContext) -> None:
    assert status_in_reverse("Gauss-Seidel without colours", 1, context) == "fail"
    assert status_in_reverse("springs by index pairs", 2, context) == "pass"


def test_a_launch_that_stops_is_inconclusive(context: BatchContext) -> None:
    line = CORRECT["indices beyond the array"].line("beyond")
    finding = run_on_cpu(line, context, make_inputs(CORRECT["indices beyond the array"].launch, line.identity))
    assert isinstance(finding, Finding)
    assert (finding.status, "index" in finding.reason) == ("inconclusive", True)


def test_null_arrays_have_a_parameter() -> None:
    source = stand_in("k", CORRECT["arrays in nested structs"].launch, 1)
    assert "scale: wp.array(dtype=wp.float32)" in source
    assert source.count("class ") == 2
