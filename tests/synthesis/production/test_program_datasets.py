"""Datasets of programs: made, extended, and verified; records that can be read again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from warpsmith.core.errors import RecordError
from warpsmith.core.records.pair import Reject
from warpsmith.core.records.program_record import decode_program_record, encode_program_record
from warpsmith.synthesis.production.program_records import ProgramOptions, program_record
from warpsmith.synthesis.programs.program_catalogue import program_schemes
from warpsmith.synthesis.programs.program_key import ProgramKey
from warpsmith.synthesis.programs.program_writer import write_program


@pytest.fixture(scope="module")
def heat_key() -> ProgramKey:
    """The first program of one scheme, whose result NumPy gives, too."""
    numbers = range(len(program_schemes()))
    return next(key for key in (ProgramKey(7, index) for index in numbers) if write_program(key).text.scheme == "heat_plate")


def test_a_record_has_the_launches_and_the_code_of_every_kernel(heat_key: ProgramKey) -> None:
    record = program_record(heat_key, ProgramOptions("both", backward=True))
    assert not isinstance(record, Reject), record
    names = [pair.id.rpartition("/")[2] for pair in record.kernels]
    assert [launch.kernel for launch in record.launches if launch.kernel in names]
    assert {record.launches[position].kernel for position in record.order} == set(names)
    assert record.metadata.launches == len(record.order)
    for pair in record.kernels:
        assert pair.cpp_backward
        assert pair.cuda_ir_forward
        assert pair.metadata.launch is not None
    field = next(result for result in record.results if len(result.shape) == 2)
    assert field.low <= field.mean <= field.high
    line = encode_program_record(record)
    assert decode_program_record(line, Path("x"), 1) == record
    with pytest.raises(RecordError, match="order"):
        decode_program_record(line.replace(b'"order":[', b'"order":[99,'), Path("x"), 1)
    assert encode_program_record(program_record(heat_key, ProgramOptions("both", backward=True))) == line  # type: ignore[arg-type]


def test_the_result_of_a_program_is_that_of_numpy(heat_key: ProgramKey) -> None:
    """The reference of the program itself, run without Warp's kernels."""
    source = write_program(heat_key).source
    start = source.index("def reference_step")
    end = source.index("\n\n\n", start)
    scope: dict[str, object] = {"np": np}
    exec(source[start:end], scope)  # noqa: S102 - a function of the catalogue
    step = scope["reference_step"]
    warm = np.zeros((5, 5))
    warm[2, 2] = 1.0
    assert step(warm, 0.1)[2, 2] == pytest.approx(0.6)  # type: ignore[operator]
