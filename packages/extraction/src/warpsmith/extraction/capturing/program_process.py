"""The process that runs a program with its launches captured, and writes its pairs when the program has ended.

`warpsmith.extraction.capturing.capture_run` starts it; its only argument is the request.
"""

from __future__ import annotations

import contextlib
import signal
import sys
from pathlib import Path

import msgspec

from warpsmith.core.records.encoding import encode
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.core.records.tape_lines import encode_program
from warpsmith.extraction.accelerate import accelerated
from warpsmith.extraction.capturing.capture_request import CaptureRequest, CaptureSummary
from warpsmith.extraction.capturing.capture_session import Captured, capture
from warpsmith.extraction.capturing.program import run_program
from warpsmith.extraction.capturing.tapes.gradient_recorder import GradientRecorder


def main() -> int:
    """Run the program of the request, write its pairs, and return its exit code."""
    request = msgspec.json.decode(sys.argv[1], type=CaptureRequest)
    limits = request.limits
    signal.signal(signal.SIGTERM, _terminate)
    with capture(limits.launches, limits.launch_bytes, limits.total_bytes, tape=bool(request.tapes)) as captured:
        captured.main = request.program.name
        code = run_program(request.program)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    with accelerated(request.accelerate):
        summary = write_pairs(captured, request)
        if request.tapes:
            write_tapes(captured, request, summary)
    Path(request.summary).write_bytes(msgspec.json.encode(summary))
    return code


def _terminate(*_: object) -> None:
    raise SystemExit(128 + signal.SIGTERM)


def write_pairs(captured: Captured, request: CaptureRequest) -> CaptureSummary:
    """Write pairs and rejects, each when it is made, and count them; a signal keeps those that are made already."""
    summary = CaptureSummary(faults=captured.recorder.faults)
    kernels = list(captured.selected(request.only, request.names))
    with Path(request.pairs).open("wb") as pairs, Path(request.rejects).open("wb") as rejects:
        try:
            for kernel in kernels:
                results = list(captured.pairs_of(kernel, request.device, request.include_backward))
                summary.kernels += 1
                summary.launches += kernel.count
                for result in results:
                    (pairs if isinstance(result, Pair) else rejects).write(encode(result))
                _count(results, summary)
        except (KeyboardInterrupt, SystemExit):
            summary.faults.append(f"stopped before {len(kernels) - summary.kernels} of {len(kernels)} kernels became pairs")
    return summary


def write_tapes(captured: Captured, request: CaptureRequest, summary: CaptureSummary) -> None:
    """Write the recordings of tapes, and count them."""
    with Path(request.tapes).open("wb") as file:
        for program in captured.programs(request.only):
            file.write(encode_program(program))
            summary.tapes += 1
    if isinstance(captured.recorder, GradientRecorder):
        summary.faults += captured.recorder.tapes.faults


def _count(results: list[Pair | Reject], summary: CaptureSummary) -> None:
    made = [result for result in results if isinstance(result, Pair)]
    with_launch = [pair for pair in made if pair.metadata.launch is not None]
    summary.pairs += len(made)
    summary.pairs_with_launch += len(with_launch)
    summary.kernels_with_launch += bool(with_launch)
    summary.kernels_without_launch += bool(made) and not with_launch
    summary.kernels_rejected += len(results) > len(made)
    summary.kernels_repeated += not results
    for pair in made:
        if pair.metadata.launch is None and pair.metadata.origin is not None:
            summary.without_launch[pair.id] = pair.metadata.origin.reason
        if not pair.metadata.has_backward:
            summary.without_backward.append(pair.metadata.kernel_name)


if __name__ == "__main__":
    sys.exit(main())
