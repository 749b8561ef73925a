"""Programs and their verdicts: every kernel by the levels of pairs, then the program as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec

from warpsmith.core.execution.batches import divide
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.core.records.program_record import ProgramRecord, encode_program_record
from warpsmith.core.records.verdict import Status, Verdict
from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.programs.program_answer import ProgramAnswer
from warpsmith.validation.sandbox.pool import BATCH_BYTES, WorkerPool
from warpsmith.validation.sandbox.supervisor import WORKERS, Supervisor
from warpsmith.validation.sandbox.worker_tasks import TaskFailed
from warpsmith.validation.tapes.tape_answer import TapeAnswer

CHECK_PROGRAM = "warpsmith.validation.programs.program_check:check_program"
PROGRAM_SECONDS = 300.0
"""The time limit for one program."""

PROGRAMS_PER_BATCH = 32
"""The programs whose kernels are checked together."""

_FILE = Path("<program>")


@dataclass(frozen=True, slots=True)
class ProgramVerdict:
    """What a check of one program says.

    Attributes:
        id: the id of the program.
        scheme: the row of the catalogue that it is written from.
        status: ``fail`` if the program, a launch, a gradient or a kernel is wrong; ``inconclusive`` if something is in doubt.
        reason: one line; empty if the program passes.
        launches: how many launches the program makes.
        compared: how many of them were compared with the interpreter.
        tapes: how many backward passes were compared with the derivatives of the launches.
        kernels: how many kernels the program has.
        unknown: why launches were not compared.
    """

    id: str
    scheme: str
    status: Status
    reason: str = ""
    launches: int = 0
    compared: int = 0
    tapes: int = 0
    kernels: int = 0
    unknown: tuple[str, ...] = ()


def check_program_records(
    programs: Iterable[ProgramRecord],
    level: str = "gradient",
    workers: int = 1,
    unconfined: bool = False,
    seconds: float = PROGRAM_SECONDS,
) -> Iterator[ProgramVerdict]:
    """Yield the verdict of each program, in order.

    Args:
        programs: the programs.
        level: the last level that kernels are checked at.
        workers: how many sandboxed workers check side by side.
        unconfined: whether the workers run without the sandbox, for datasets that the user trusts.
        seconds: the time limit for one program.

    Raises:
        SandboxError: if the sandbox does not work or is incomplete on this machine.
    """
    sent = ((program, Line(_FILE, 0, encode_program_record(program), None, "")) for program in programs)
    with WorkerPool(workers, levels_to(level), WORKERS[unconfined], compiles=True) as pool:
        for _, verdicts in pool.map(
            partial(_verdicts, seconds=seconds), divide(sent, PROGRAMS_PER_BATCH, (_size, BATCH_BYTES))
        ):
            yield from verdicts


def _size(item: tuple[ProgramRecord, Line]) -> int:
    return len(item[1].raw)


def _verdicts(supervisor: Supervisor, batch: Sequence[tuple[ProgramRecord, Line]], seconds: float) -> list[ProgramVerdict]:
    """Return the verdicts of some programs: their kernels are checked together, each program on its own."""
    pairs = [pair for program, _ in batch for pair in program.kernels]
    found = iter(supervisor.check([decode(encode(pair), _FILE, number) for number, pair in enumerate(pairs, start=1)]))
    return [_verdict(supervisor, program, line, list(islice(found, len(program.kernels))), seconds) for program, line in batch]


def _verdict(
    supervisor: Supervisor,
    program: ProgramRecord,
    line: Line,
    verdicts_of_kernels: Sequence[Sequence[Verdict]],
    seconds: float,
) -> ProgramVerdict:
    failed: dict[str, str] = {}
    doubtful: list[str] = []
    refused: dict[str, str] = {}
    for pair, verdicts in zip(program.kernels, verdicts_of_kernels, strict=True):
        name = pair.id.rpartition("/")[2]
        for verdict in verdicts:
            text = f"level {verdict.level}: {verdict.reason}"
            if verdict.status == "fail":
                failed.setdefault(name, text)
                if verdict.level in ("schema", "parse"):
                    refused[name] = text
            elif verdict.status == "inconclusive":
                doubtful.append(f"kernel {name}: {text}")
    supervisor.require_worker()
    scheme, kernels = program.metadata.scheme, len(program.kernels)
    try:
        answer = msgspec.convert(supervisor.run_task(CHECK_PROGRAM, [line], seconds, refused=refused), ProgramAnswer)
    except TaskFailed as error:
        return ProgramVerdict(program.id, scheme, "skipped", str(error), kernels=kernels)
    except msgspec.ValidationError as error:
        return ProgramVerdict(program.id, scheme, "skipped", f"the worker answered nonsense: {error}", kernels=kernels)
    status, reason = _judged(answer, failed, doubtful)
    tapes = sum(not tape.unchecked for tape in answer.tapes)
    return ProgramVerdict(
        program.id, scheme, status, reason, answer.launches, answer.compared, tapes, kernels, tuple(answer.unknown)
    )


def _judged(answer: ProgramAnswer, failed: dict[str, str], doubtful: list[str]) -> tuple[Status, str]:
    """Return the status of a program and its reason."""
    if answer.failed:
        return "fail", answer.failed
    if failed:
        name, text = next(iter(failed.items()))
        return "fail", f"kernel {name}: {text}"
    if answer.wrong:
        return "fail", f"the interpreter leaves something else: {answer.wrong[0]}"
    faults = [fault for tape in answer.tapes for fault in tape.faults]
    wrong = next((fault for fault in faults if fault.status == "fail"), None)
    if wrong is not None:
        return "fail", f"gradient: {wrong}"
    if answer.unchecked:
        return "skipped", answer.unchecked
    if faults:
        return "inconclusive", f"gradient: {faults[0]}"
    if doubtful:
        return "inconclusive", doubtful[0]
    if unchecked := next((tape.unchecked for tape in answer.tapes if tape.unchecked), ""):
        return "inconclusive", f"gradient: {unchecked}"
    if unknown := next((_unknown(tape) for tape in answer.tapes if tape.unknown), ""):
        return "inconclusive", f"gradient: {unknown}"
    return ("pass", "") if answer.compared else ("inconclusive", "no launch was compared")


def _unknown(tape: TapeAnswer) -> str:
    return f"{len(tape.unknown)} launches were not compared, such as number {tape.unknown[0][0]}: {tape.unknown[0][1]}"
