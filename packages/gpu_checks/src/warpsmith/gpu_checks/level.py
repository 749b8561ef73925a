"""Level `gpu`: the pair is built, loaded and launched on the device, and leaves there what it leaves on the CPU."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from warpsmith.extraction.errors import WarpsmithError, describe
from warpsmith.extraction.jsonl import Line
from warpsmith.extraction.record import Launch, Pair
from warpsmith.gpu_checks.device import NO_CUDA, chosen_device
from warpsmith.gpu_checks.launching import Results, TextDiffers, built, launch
from warpsmith.validation.bench import Bench
from warpsmith.validation.inputs import Values, make_inputs
from warpsmith.validation.verdict import PASS, Finding, fail, skipped

TOLERANCE = 1.0e-3
"""Largest difference, relative to the largest value of an array: float32 with other libraries and fused multiply-add."""

STRAY = 0.02
"""The share of elements that may differ more: a rounding that tips a comparison changes one thread's path, not the kernel."""


def check(lines: Sequence[Line], bench: Bench) -> Iterator[Finding]:
    """Run pairs on the device of `chosen_device` and on the CPU, forward and, if they have it, backward."""
    for line in lines:
        yield _check(line, bench.scratch)


def _check(line: Line, scratch: Path) -> Finding:
    pair = line.pair
    if pair is None:
        return skipped("not a record")
    how = pair.metadata.launch
    if how is None:
        return skipped("the pair does not say how to launch it")
    try:
        device = chosen_device()
    except WarpsmithError:
        return skipped(NO_CUDA)
    try:
        values = make_inputs(how, pair.id)
        there, here = _run(pair, how, values, device, scratch), _run(pair, how, values, "cpu", scratch)
    except (TextDiffers, WarpsmithError) as error:
        return fail(str(error))
    except Exception as error:  # noqa: BLE001 - whatever the compiler or the driver says is the verdict
        return fail(f"it does not run: {describe(error)}")
    return compare(there, here)


def _run(pair: Pair, how: Launch, values: dict[str, Values], device: str, scratch: Path) -> Results:
    folder = Path(tempfile.mkdtemp(dir=scratch))
    try:
        with built(pair, device, folder) as kernel:
            return launch(kernel, how, values, device, pair.metadata.has_backward)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def compare(there: Results, here: Results) -> Finding:
    """Compare what the device left with what the CPU left."""
    for what, ours, theirs in (("output", there.outputs, here.outputs), ("gradient", there.gradients, here.gradients)):
        for name, expected in theirs.items():
            problem = difference(ours[name], expected)
            if problem is not None:
                return fail(f"{what} {name}: {problem}")
    return PASS


def difference(got: Values, expected: Values) -> str | None:
    """Say how ``got`` differs from ``expected``, or None if it is within `TOLERANCE` and `STRAY`."""
    finite = np.isfinite(expected)
    if not np.array_equal(np.isfinite(got), finite):
        return "finite in one place and not in the other"
    if not finite.any():
        return None
    scale = max(float(np.abs(expected[finite]).max()), 1.0)
    off = np.abs(got[finite].astype(np.float64) - expected[finite].astype(np.float64))
    stray = float(np.mean(off > TOLERANCE * scale))
    if stray <= STRAY:
        return None
    return f"{stray:.1%} of the elements differ, at most by {off.max():.3g} where values reach {scale:.3g}"
