"""Every operation of the table against truths in Python integers, fractions and mpmath."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expected_bits import accepts
from operand_bits import array, bits_strategy, corners, draw, edges, to_bits
from operation_truths import truth
from warpsmith.simt.machine.evaluation import NUMPY_TYPES, evaluate
from warpsmith.simt.operations import table

BASES = sorted({opcode.partition(".")[0] for opcode in table.opcodes()})
LANES = 16


def opcodes_of(base: str) -> list[str]:
    return [opcode for opcode in table.opcodes() if opcode.partition(".")[0] == base]


def check(opcode: str, lanes: list[list[int]], carries: list[int]) -> None:
    """Compare an operation on lanes, each the bits of its sources, with its truth."""
    operation = table.operation(opcode)
    columns = zip(*lanes, strict=True)
    sources = [array(list(column), NUMPY_TYPES[kind]) for column, kind in zip(columns, operation.source_types, strict=True)]
    evaluation = evaluate(opcode, *sources, carry=carries)
    results = list(zip(*map(to_bits, evaluation.results), strict=True))
    expected = truth(opcode)
    for lane, carry, found, carried in zip(lanes, carries, results, evaluation.carries.tolist(), strict=True):
        values, carry_out = expected(lane, carry)
        assert len(values) == len(found), opcode
        right = all(accepts(value, bits) for value, bits in zip(values, found, strict=True))
        assert right, message(opcode, lane, carry, found, values)
        assert carried == carry_out, message(opcode, lane, carry, found, values)


def message(opcode: str, lane: list[int], carry: int, found: tuple[int, ...], values: tuple[object, ...]) -> str:
    sources = ", ".join(map(hex, lane))
    wanted = [hex(value) if isinstance(value, int) else "another" for value in values]
    return f"{opcode} of {sources} with carry {carry} is {[*map(hex, found)]}, not {wanted}"


def random_lanes(opcode: str, count: int, seed: str = "") -> tuple[list[list[int]], list[int]]:
    stream = random.Random(opcode + seed)  # noqa: S311 - not for secrets
    kinds = table.operation(opcode).source_types
    return [[draw(stream, kind) for kind in kinds] for _ in range(count)], [stream.getrandbits(1) for _ in range(count)]


def corner_lanes(opcode: str) -> list[list[int]]:
    """Return all edge values of the only source, or the combinations of corners of the first two sources with any others."""
    kinds = table.operation(opcode).source_types
    if len(kinds) == 1:
        return [[value] for value in edges(kinds[0])]
    lanes, _ = random_lanes(opcode, len(corners(kinds[0])) * len(corners(kinds[1])), "corners")
    pairs = itertools.product(corners(kinds[0]), corners(kinds[1]))
    return [[*pair, *lane[2:]] for pair, lane in zip(pairs, lanes, strict=True)]


@pytest.mark.parametrize("base", BASES)
def test_results(base: str) -> None:
    for opcode in opcodes_of(base):
        check(opcode, *random_lanes(opcode, LANES))


@pytest.mark.sampled(12)
@pytest.mark.parametrize("base", BASES)
def test_results_of_corners(base: str) -> None:
    for opcode in opcodes_of(base):
        lanes = corner_lanes(opcode)
        check(opcode, lanes, [place % 2 for place in range(len(lanes))])


@pytest.mark.exhaustive
@pytest.mark.parametrize("base", BASES)
def test_results_of_many_values(base: str) -> None:
    for opcode in opcodes_of(base):
        check(opcode, *random_lanes(opcode, 1000, "many"))


@st.composite
def instructions(draw_value: st.DrawFn) -> tuple[str, list[int], int]:
    """Draw an opcode with the bits of its sources and a carry."""
    opcode = draw_value(st.sampled_from(table.opcodes()))
    sources = [draw_value(bits_strategy(kind)) for kind in table.operation(opcode).source_types]
    return opcode, sources, draw_value(st.integers(0, 1))


@given(instructions())
@settings(max_examples=300)
def test_results_of_drawn_operands(instruction: tuple[str, list[int], int]) -> None:
    opcode, sources, carry = instruction
    check(opcode, [sources], [carry])


@pytest.mark.parametrize("base", BASES)
def test_masks_and_results_in_place(base: str) -> None:
    """Lanes outside of the mask keep their results, and a result may replace a source."""
    for opcode in opcodes_of(base):
        lanes, carries = random_lanes(opcode, 32, "mask")
        kinds = table.operation(opcode).source_types
        sources = [array(list(column), NUMPY_TYPES[kind]) for column, kind in zip(zip(*lanes, strict=True), kinds, strict=True)]
        whole = evaluate(opcode, *sources, carry=carries)
        some = evaluate(opcode, *sources, carry=carries, mask=0x5A5A5A5A)
        running = np.unpackbits(np.frombuffer(b"\x5a\x5a\x5a\x5a", np.uint8), bitorder="little").astype(bool)
        for all_lanes, masked in zip(whole.results, some.results, strict=True):
            assert to_bits(all_lanes[running]) == to_bits(masked[running]), opcode
            assert not np.any(to_bits(masked[~running])), opcode
        assert (some.carries == np.where(running, whole.carries, carries)).all(), opcode
        for place in range(len(sources)):
            replaced = evaluate(opcode, *sources, carry=carries, in_place=place)
            assert [*map(to_bits, replaced.results)] == [*map(to_bits, whole.results)], (opcode, place)
