"""The check of a program, which runs in a sandboxed worker."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import msgspec

from warpsmith.core.errors import WarpsmithError, describe
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.core.records.program_record import ProgramRecord, ProgramResult, decode_program_record
from warpsmith.core.records.tape_lines import decode_program, encode_recording
from warpsmith.extraction.targets.importing import package_version
from warpsmith.extraction.warp.runtime import share_precompiled_headers
from warpsmith.validation.programs.host_allowlist import host_violation
from warpsmith.validation.programs.launch_comparison import compare_launch
from warpsmith.validation.programs.observed_program import ObservedProgram
from warpsmith.validation.programs.program_answer import ProgramAnswer
from warpsmith.validation.programs.program_observation import KERNEL_CACHE, observe
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.tapes.tape_answer import TapeAnswer
from warpsmith.validation.tapes.tape_check import check_tape

RUN_SECONDS = 120.0
"""The time limit for the run of a program, with its compilation."""

RESULT_TOLERANCE = 2.0e-3
"""How far a result may be from that of the record, relative to the largest number of its array."""

_FILE = Path("<program>")


def check_program(lines: Sequence[Line], refused: Mapping[str, str]) -> dict[str, object]:
    """Check a program.

    Args:
        lines: the program.
        refused: why a kernel must not be compiled or run, by the name of the kernel.

    Returns:
        The fields of a `ProgramAnswer`.
    """
    try:
        program = decode_program_record(lines[0].raw, _FILE, 1)
        return dict(msgspec.to_builtins(_checked(program, refused)))
    except WarpsmithError as error:
        return asdict(ProgramAnswer(unchecked=str(error)))
    except Exception as error:  # noqa: BLE001 - an error of the check is no fault of the program
        return asdict(ProgramAnswer(unchecked=f"the check stopped: {describe(error)}"))


def _checked(program: ProgramRecord, refused: Mapping[str, str]) -> ProgramAnswer:
    if violation := host_violation(program.python_source):
        return ProgramAnswer(failed=f"the Python is not allowed: {violation}")
    if refused:
        name, reason = next(iter(refused.items()))
        return ProgramAnswer(failed=f"kernel {name}: {reason}")
    observed = _run(program)
    if isinstance(observed, str):
        return ProgramAnswer(failed=observed)
    if observed.error:
        return ProgramAnswer(failed=f"the program fails: {observed.error}")
    if difference := _difference(program, observed):
        return ProgramAnswer(failed=difference, launches=len(observed.order))
    return _compared(program, observed)


def _run(program: ProgramRecord) -> ObservedProgram | str:
    """Return what a run of the program leaves, or why there is nothing."""
    path = Path.cwd() / "observed.msgpack"
    path.unlink(missing_ok=True)
    share_precompiled_headers()
    package_version("warp")  # reads what the forks would read again
    (problem,) = run_forked([[partial(observe, program, path)]], RUN_SECONDS, compiles=True)
    if problem is not None:
        return f"the run ended: {problem}"
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=ObservedProgram)
    except (OSError, msgspec.MsgspecError) as error:
        return f"the run left nothing that can be read: {error}"
    finally:
        path.unlink(missing_ok=True)
        shutil.rmtree(Path.cwd() / KERNEL_CACHE, ignore_errors=True)  # a worker checks many programs and may keep little


def _difference(program: ProgramRecord, observed: ObservedProgram) -> str:
    """Return how a run differs from what the record says of it; empty if it does not."""
    names = {pair.id.rpartition("/")[2]: pair for pair in program.kernels}
    if names.keys() != observed.sources.keys():
        return f"it launches {sorted(observed.sources)}, and the record has {sorted(names)}"
    for name, source in observed.sources.items():
        if names[name].python_source != source:
            return f"the Python of kernel {name} is not that of the program"
    if program.launches != observed.launches or program.order != observed.order:
        return "its launches are not those of the record"
    if program.metadata.launches != len(observed.order) or program.metadata.backward_passes != observed.backward_passes:
        return "the metadata has other numbers of launches or backward passes"
    if len(program.results) != len(observed.results):
        return "it leaves other arrays than the record says"
    pairs = zip(program.results, observed.results, strict=True)
    return next(filter(None, (_result_difference(recorded, found) for recorded, found in pairs)), "")


def _result_difference(recorded: ProgramResult, found: ProgramResult) -> str:
    what = f"{recorded.kernel}, {recorded.argument}"
    if (recorded.kernel, recorded.argument, recorded.dtype, recorded.shape) != (
        found.kernel,
        found.argument,
        found.dtype,
        found.shape,
    ):
        return f"{what}: another array"
    scale = max(abs(value) for value in (recorded.low, recorded.high, found.low, found.high))
    for name in ("low", "high", "mean"):
        before, now = getattr(recorded, name), getattr(found, name)
        if not abs(before - now) <= RESULT_TOLERANCE * scale:
            return f"{what}: the {name} is {now}, and the record says {before}"
    return ""


def _compared(program: ProgramRecord, observed: ObservedProgram) -> ProgramAnswer:
    pairs = {pair.id.rpartition("/")[2]: pair for pair in program.kernels}
    compared, unknown, wrong = 0, dict[str, None](), []
    for event in observed.events:
        opinion = compare_launch(event, pairs[event.kernel])
        if opinion.unknown:
            unknown[f"{event.kernel}: {opinion.unknown}"] = None
        elif opinion.problem:
            wrong.append(f"launch {event.number}, {event.kernel}: {opinion.problem}")
        else:
            compared += 1
    return ProgramAnswer(
        launches=len(observed.order),
        compared=compared,
        unknown=tuple(unknown),
        wrong=tuple(wrong),
        tapes=tuple(_tape(line) for line in observed.recordings),
    )


def _tape(line: bytes) -> TapeAnswer:
    """Return what level `program` says of a backward pass."""
    recorded = decode_program(line, _FILE, 1)
    lines = [decode(encode(pair), _FILE, number) for number, pair in enumerate(recorded.pairs, start=1)]
    if recorded.recording.reason:
        return TapeAnswer(unchecked=recorded.recording.reason)
    first = Line(_FILE, 0, encode_recording(recorded.recording), None, "")
    return msgspec.convert(check_tape([first, *lines], {}), TapeAnswer)
