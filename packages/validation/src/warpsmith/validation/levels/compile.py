"""Level `compile`: the text compiles, CUDA with a real CUDA compiler and C++ with the clang that Warp contains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.compiling import nvrtc
from warpsmith.validation.compiling.batch import first_error
from warpsmith.validation.confinement.machine_problems import MachineProblem
from warpsmith.validation.levels.common import lines_with_code, unsupported
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import PASS, Finding, fail
from warpsmith.validation.levels.level_results import line_key
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.levels.sampling import is_sampled

if TYPE_CHECKING:
    from warpsmith.validation.compiling.clang import Library
    from warpsmith.validation.compiling.part import UnitPart

LEVEL = Level(
    name="compile",
    seconds=60.0,
    order=40,
    needs=("regenerate",),
    takes_batches=True,
    compiles=True,
    summary="a CUDA compiler and Clang accept the generated code, forward and backward",
)

SHARE = 64
"""One of so many CUDA texts is also compiled if NVRTC accepts each of its statements."""

BINARY_SHARE = 1024
"""For each architecture, one of this many pairs is also compiled to a binary."""


def check(lines: Sequence[Line], context: BatchContext) -> list[Finding]:
    """Compile preamble, forward and backward of all pairs in few units."""
    parts = lines_with_code(lines, context, "cpu")
    built = context.library("cpp", [part for _, part in parts])
    accepted = _with_accepted_statements([part for _, part in parts], built, context)
    problems = {line_key(line): f"cuda: {error}" for line, error in _cuda_errors(lines, accepted, context)}
    for line, part in lines_with_code(lines, context, "cuda"):
        for arch in nvrtc.BINARY_ARCHS:
            if line_key(line) in problems or not is_sampled(line.identity, BINARY_SHARE, f"sm_{arch}"):
                continue
            if (log := nvrtc.check_binary(part, arch, context.scratch)) is not None:
                problems[line_key(line)] = f"cuda, binary for sm_{arch}: {first_error(log)}"
    for line, part in parts:
        if part.key in built[part.key].errors:
            problems.setdefault(line_key(line), f"cpu: {built[part.key].errors[part.key]}")
    return [unsupported(line) or (fail(problems[line_key(line)]) if line_key(line) in problems else PASS) for line in lines]


def _cuda_errors(lines: Sequence[Line], accepted: Set[str], context: BatchContext) -> list[tuple[Line, str]]:
    """Return the errors of CUDA texts. Of those whose statements NVRTC accepts one by one, only a sample is compiled.

    Raises:
        MachineProblem: if NVRTC rejects a text but accepts all of its statements.
    """
    parts = lines_with_code(lines, context, "cuda")
    compiled = [part for line, part in parts if part.key not in accepted or is_sampled(line.identity, SHARE, "statements")]
    errors = nvrtc.check_parts(compiled, context.scratch)
    for line, part in parts:
        if part.key in errors and part.key in accepted:
            raise MachineProblem(f"NVRTC accepts the statements of {line.identity} but not its text: please report it")
    return [(line, errors[part.key]) for line, part in parts if part.key in errors]


def _with_accepted_statements(parts: Sequence[UnitPart], built: Mapping[str, Library], context: BatchContext) -> set[str]:
    """Return the keys of the pairs whose CUDA text has the statements of the C++ text, all of which NVRTC accepts."""
    subjects = {part.key: found for part in parts if part.has_grid_entry and (found := built[part.key].subjects(part))}
    return context.cuda_statements.accepted(subjects) if subjects else set()
