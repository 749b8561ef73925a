"""Level `gpu`: the pair is built, loaded and launched on the device, and leaves there what it leaves on the CPU."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from warpsmith.core.errors import WarpsmithError, describe
from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.gpu_checks.device import NO_CUDA, chosen_device
from warpsmith.gpu_checks.launching import Results, TextDiffers, built, launch
from warpsmith.gpu_checks.tolerance import difference, in_double
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import PASS, Finding, fail, skipped


def check(lines: Sequence[Line], context: BatchContext) -> Iterator[Finding]:
    """Run pairs on the device of `chosen_device` and on the CPU, forward and, if they have it, backward."""
    for line in lines:
        yield _check(line, context)


def _check(line: Line, context: BatchContext) -> Finding:
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
        there, here = (_run(pair, how, values, where, context.scratch) for where in (device, "cpu"))
        exact = in_double(line, context, values)
    except (TextDiffers, WarpsmithError) as error:
        return fail(str(error))
    except Exception as error:  # noqa: BLE001 - whatever the compiler or the driver says is the verdict
        return fail(f"it does not run: {describe(error)}")
    return compare(there, here, exact)


def _run(pair: Pair, how: Launch, values: dict[str, Values], device: str, scratch: Path) -> Results:
    folder = Path(tempfile.mkdtemp(dir=scratch))
    try:
        with built(pair, device, folder) as kernel:
            return launch(kernel, how, values, device, pair.metadata.has_backward)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def compare(there: Results, here: Results, exact: Results | None) -> Finding:
    """Compare what the device left with what the CPU left, by what rounding does to this kernel."""
    nothing: dict[str, Values] = {}
    for what, ours, theirs, better in (
        ("output", there.outputs, here.outputs, exact.outputs if exact else nothing),
        ("gradient", there.gradients, here.gradients, exact.gradients if exact else nothing),
    ):
        for name, expected in theirs.items():
            problem = difference(ours[name], expected, better.get(name))
            if problem is not None:
                return fail(f"{what} {name}: {problem}")
    return PASS
