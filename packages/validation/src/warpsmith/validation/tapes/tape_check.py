"""The check of a recording, which runs in a sandboxed worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from warpsmith.core.errors import WarpsmithError, describe
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.tape_lines import decode_recording
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.tapes.gradient_chain import GradientWalk, Walk, seeds_of
from warpsmith.validation.tapes.launch_tangents import DoubleText, ExactPython
from warpsmith.validation.tapes.recorded_tape import RecordedTape
from warpsmith.validation.tapes.replay import Replay
from warpsmith.validation.tapes.tangent_chain import TangentChain
from warpsmith.validation.tapes.tape_answer import TapeAnswer, TapeFault
from warpsmith.validation.tapes.tape_faults import Diagnosis


def check_tape(lines: Sequence[Line], refused: Mapping[str, str]) -> dict[str, Any]:
    """Check a recording.

    Args:
        lines: the recording, and the pairs of its kernels in their order.
        refused: why a kernel must not be compiled or run, by the number of its pair.

    Returns:
        The fields of a `TapeAnswer`.
    """
    try:
        tape = RecordedTape(decode_recording(lines[0].raw))
    except WarpsmithError as error:
        return asdict(TapeAnswer(unchecked=str(error)))
    pairs = lines[1:]
    if len(pairs) != len(tape.recording.kernels):
        return asdict(TapeAnswer(unchecked=f"{len(pairs)} pairs for {len(tape.recording.kernels)} kernels"))
    context = BatchContext(Path.cwd())
    try:
        text = DoubleText(context)
        with np.errstate(all="ignore"):
            chain = TangentChain(tape, pairs, [text, ExactPython()], refused)
            walk = GradientWalk(chain).walk()
            faults = list(Diagnosis(chain, walk, text).faults())
            row = _row(faults, walk)
            replayed = Replay(chain, text).derivative(row, seeds_of(tape)) if any(fault.is_wrong for fault in faults) else None
    except Exception as error:  # noqa: BLE001 - an error of the check is no fault of the program
        return asdict(TapeAnswer(unchecked=f"the check stopped: {describe(error)}"))
    finally:
        context.clear()
    got, expected = float(np.ravel(walk.gradient)[row]), float(np.ravel(walk.loss)[row])
    if replayed is not None and abs(replayed - got) < abs(replayed - expected):
        faults = [replace(fault, status="inconclusive") if fault.is_wrong else fault for fault in faults]
    return asdict(
        TapeAnswer(
            unchecked=tape.recording.reason,
            faults=tuple(faults),
            compared=walk.compared,
            unknown=tuple(sorted(walk.unknown.items())),
            expected=expected,
            got=got,
            replayed=replayed,
        )
    )


def _row(faults: Sequence[TapeFault], walk: Walk) -> int:
    """Return the direction along which the figures of a program show most."""
    distance = np.abs(np.ravel(walk.gradient) - np.ravel(walk.loss))
    return int(np.argmax(np.nan_to_num(distance, nan=np.inf))) if faults else 0
