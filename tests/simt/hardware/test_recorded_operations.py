"""The machine computes what an H200 computed: every bit, except where instructions are approximate."""

from __future__ import annotations

import pytest

from simt.hardware.operation_results import by_machine, digest, record, unexpected, unpacked
from warpsmith.simt.operations import table

BASES = sorted({opcode.partition(".")[0] for opcode in table.opcodes()})
APPROXIMATE = {"div", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh"}


@pytest.mark.sampled(16)
@pytest.mark.parametrize("base", BASES)
def test_results_are_those_of_an_h200(base: str) -> None:
    for opcode, recorded in record()["digests"].items():
        if opcode.partition(".")[0] == base:
            assert digest(opcode, by_machine(opcode)) == recorded, opcode


@pytest.mark.parametrize("opcode", record()["approximate"])
def test_an_h200_is_as_exact_as_its_instructions_promise(opcode: str) -> None:
    assert not [*unexpected(opcode, unpacked(record()["approximate"][opcode]))]


def test_each_operation_is_recorded_and_only_approximate_ones_differ() -> None:
    assert {*record()["digests"], *record()["approximate"]} == {*table.opcodes()}
    assert {opcode.partition(".")[0] for opcode in record()["approximate"]} == APPROXIMATE
    assert all("approx" in opcode or "full" in opcode for opcode in record()["approximate"])
