"""One program by its key, made in a worker process that has loaded Warp."""

from __future__ import annotations

from pathlib import Path

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.ir import Device
from warpsmith.core.records.program_record import ProgramRecord, decode_program_record, encode_program_record
from warpsmith.synthesis.production.synthesis_workers import run_in_worker


def generate_in_worker(seed: int, index: int, device: Device, backward: bool) -> ProgramRecord:
    """Return a program, see `warpsmith.synthesis.api.generate_program`.

    Raises:
        WarpsmithError: if the program is rejected.
    """
    return decode_program_record(run_in_worker(_encoded, seed, index, device, backward), Path("<program>"), 1)


def _encoded(seed: int, index: int, device: Device, backward: bool) -> bytes:
    """Return the line of a program in a dataset."""
    from warpsmith.synthesis.production.program_records import ProgramOptions, program_record  # loads Warp
    from warpsmith.synthesis.programs.program_key import ProgramKey

    result = program_record(ProgramKey(seed, index), ProgramOptions(device, backward))
    if isinstance(result, ProgramRecord):
        return encode_program_record(result)
    raise WarpsmithError(f"{result.id} was rejected: {result.stage}: {result.error}")
