"""The check of a recording, which runs in a sandboxed worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from warpsmith.core.errors import WarpsmithError, describe
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.tape_recording import decode_recording
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.tapes.gradient_chain import GradientWalk
from warpsmith.validation.tapes.launch_tangents import DoubleText, ExactPython
from warpsmith.validation.tapes.recorded_tape import RecordedTape
from warpsmith.validation.tapes.tangent_chain import TangentChain
from warpsmith.validation.tapes.tape_faults import Diagnosis


def check_tape(lines: Sequence[Line], refused: Mapping[str, str]) -> dict[str, Any]:
    """Check a recording.

    Args:
        lines: the recording, and the pairs of its kernels in their order.
        refused: why a kernel must not be compiled or run, by the number of its pair.

    Returns:
        ``faults``, ``compared`` launches, ``unknown`` launches with reasons, and the derivative of the loss by the chain and by
        the tape along the first direction; or the ``problem`` that a recording has.
    """
    try:
        tape = RecordedTape(decode_recording(lines[0].raw))
    except WarpsmithError as error:
        return {"problem": str(error)}
    pairs = lines[1:]
    if len(pairs) != len(tape.recording.kernels):
        return {"problem": f"{len(pairs)} pairs for {len(tape.recording.kernels)} kernels"}
    context = BatchContext(Path.cwd())
    try:
        text = DoubleText(context)
        with np.errstate(all="ignore"):
            chain = TangentChain(tape, pairs, [text, ExactPython()], refused)
            walk = GradientWalk(chain).walk()
            faults = list(Diagnosis(chain, walk, text).faults())
    except Exception as error:  # noqa: BLE001 - an error of the check is no fault of the program
        return {"problem": f"the check stopped: {describe(error)}"}
    finally:
        context.clear()
    return {
        "problem": tape.recording.reason,
        "faults": [asdict(fault) for fault in faults],
        "compared": walk.compared,
        "unknown": [[number, reason] for number, reason in sorted(walk.unknown.items())],
        "expected": float(np.ravel(walk.loss)[0]),
        "got": float(np.ravel(walk.gradient)[0]),
    }
