"""The command's process of `warpsmith-extract --run`: it starts the program's process, and writes pairs and a summary."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from warpsmith.core import terminal
from warpsmith.core.commands.pair_texts import View, show_pair
from warpsmith.core.errors import EXIT_FAILED, TargetError, signal_name
from warpsmith.core.execution.python_process import module_command
from warpsmith.core.files.atomic import replacing
from warpsmith.core.files.leftovers import remove_leftovers
from warpsmith.core.files.temporary_folders import TemporaryFolder
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.extraction.capturing.capture_request import CaptureRequest, CaptureSummary
from warpsmith.extraction.codegen.preamble import pair_preamble
from warpsmith.extraction.results_file import write_rejects

_MAX_REASONS = 12
"""How many different reasons the summary lists."""


@dataclass(frozen=True, slots=True)
class Output:
    """Where the results go.

    Attributes:
        path: the file for the pairs; None for stdout.
        shown: how to print the texts instead; None for JSONL.
        as_json: whether to print the summary as JSON.
        plain: whether the pairs get stand-alone CUDA.
        ptx: the architecture of the PTX that the pairs get; None without.
    """

    path: Path | None
    shown: View | None
    as_json: bool
    plain: bool = False
    ptx: str | None = None


def run_captured(request: CaptureRequest, output: Output) -> int:
    """Run the program of a request in a separate process, and write its pairs.

    Its output goes to stderr if stdout receives pairs.

    Returns:
        The program's exit code; if it is 0, 1 if a kernel did not become a pair.

    Raises:
        TargetError: if the program ended without running Python's exit, so that there are no pairs.
    """
    with TemporaryFolder() as folder:
        files = {name: str(Path(folder, name)) for name in ("pairs", "rejects", "summary")}
        code = _run(replace(request, **files), to_stderr=output.path is None)  # type: ignore[arg-type]
        if not Path(files["summary"]).is_file():
            raise TargetError(f"the program ended by {_ending(code)}: without Python's own exit no pairs are written")
        summary = msgspec.json.decode(Path(files["summary"]).read_bytes(), type=CaptureSummary)
        rejects = [msgspec.json.decode(line, type=Reject) for line in Path(files["rejects"]).read_bytes().splitlines()]
        if output.plain or output.ptx is not None:
            without = _add_texts(Path(files["pairs"]), output)
            summary = replace(
                summary,
                pairs=summary.pairs - len(without),
                pairs_with_launch=summary.pairs_with_launch - sum(pair.metadata.launch is not None for pair, _ in without),
            )
            rejects += [reject for _, reject in without]
        _pass_on(Path(files["pairs"]), rejects, output)
    _summarize(summary, rejects, output.as_json)
    return code or (EXIT_FAILED if rejects else 0)


def _run(request: CaptureRequest, to_stderr: bool) -> int:
    command = module_command("warpsmith.extraction.capturing.program_process", msgspec.json.encode(request).decode())
    stdout = sys.stderr.fileno() if to_stderr else None
    with subprocess.Popen(command, stdout=stdout) as process, _passing_on_signals(process):  # noqa: S603 - the user's program
        code = process.wait()
    return code if code >= 0 else 128 - code


@contextmanager
def _passing_on_signals(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Leave Ctrl-C to the program, whose process receives it as well, and pass on SIGTERM."""

    def pass_on(number: int, _: Any) -> None:
        if number == signal.SIGTERM:
            process.terminate()

    before = {number: signal.signal(number, pass_on) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ending(code: int) -> str:
    return f"{signal_name(code - 128)}" if code > 128 else f"exit code {code}"


def _add_texts(pairs: Path, output: Output) -> list[tuple[Pair, Reject]]:
    """Add PTX and stand-alone CUDA to the pairs of a file; return those whose CUDA NVRTC rejects, which the file loses."""
    from warpsmith.extraction.kernel_ptx import text_writer  # noqa: PLC0415 - as rare as the options

    made, without = pairs.with_name("with_texts"), []
    with text_writer(output.ptx, output.plain) as add, pairs.open("rb") as lines, made.open("wb") as file:
        for line in lines:
            pair = msgspec.json.decode(line, type=Pair)
            added = add(pair)
            if isinstance(added, Reject):
                without.append((pair, added))
            else:
                file.write(encode(added))
    made.replace(pairs)
    return without


def _pass_on(pairs: Path, rejects: list[Reject], output: Output) -> None:
    if output.shown:
        for line in pairs.read_bytes().splitlines():
            show_pair(msgspec.json.decode(line, type=Pair), pair_preamble, output.shown)
    elif output.path is None:
        with pairs.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.flush()
    else:
        remove_leftovers(output.path)
        with pairs.open("rb") as file, replacing(output.path) as copy:
            shutil.copyfileobj(file, copy)
        write_rejects(output.path, rejects)


def _summarize(summary: CaptureSummary, rejects: list[Reject], as_json: bool) -> None:
    if as_json:
        content = {**msgspec.to_builtins(summary), "rejects": msgspec.to_builtins(rejects)}
        sys.stderr.write(msgspec.json.encode(content).decode() + "\n")
        return
    for fault in summary.faults:
        terminal.err.print(f"not captured: {fault}", soft_wrap=True)
    for reject in rejects:
        terminal.err.print(f"reject: {reject}", soft_wrap=True)
    reasons = list(summary.without_launch.items())
    for identity, reason in reasons[:_MAX_REASONS]:
        terminal.err.print(f"no launch: {identity}: {reason}", soft_wrap=True)
    if len(reasons) > _MAX_REASONS:
        terminal.err.print(f"… and {len(reasons) - _MAX_REASONS} more: metadata.origin.reason of each pair has the reason")
    terminal.err.print(
        f"{summary.kernels} kernels launched {summary.launches} times: {summary.kernels_with_launch} with a launch, "
        f"{summary.kernels_without_launch} without, {summary.kernels_rejected} rejected, "
        f"{summary.kernels_repeated} equal to others"
    )
    terminal.err.print(
        f"{summary.pairs} pairs, {summary.pairs_with_launch} with a launch, {len(rejects)} rejects, "
        f"{len(summary.without_backward)} without backward code"
    )
    if summary.tapes:
        terminal.err.print(f"{summary.tapes} backward passes recorded")
