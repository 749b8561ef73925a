"""Level `gpu`: a pair leaves the same results on the device as on the CPU."""

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
from warpsmith.gpu_checks.launching import Results, TextDiffers, compiled_kernel, launch_kernel
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
    launch = pair.metadata.launch
    if launch is None:
        return skipped("the pair does not say how to launch it")
    try:
        device = chosen_device()
    except WarpsmithError:
        return skipped(NO_CUDA)
    try:
        values = make_inputs(launch, pair.id)
        on_device, on_cpu = (_run(pair, launch, values, target, context.scratch) for target in (device, "cpu"))
        exact = in_double(line, context, values)
    except (TextDiffers, WarpsmithError) as error:
        return fail(str(error))
    except Exception as error:  # noqa: BLE001 - the message of the compiler or the driver is the verdict
        return fail(f"it does not run: {describe(error)}")
    return compare(on_device, on_cpu, exact)


def _run(pair: Pair, launch: Launch, values: dict[str, Values], device: str, scratch: Path) -> Results:
    folder = Path(tempfile.mkdtemp(dir=scratch))
    try:
        with compiled_kernel(pair, device, folder) as kernel:
            return launch_kernel(kernel, launch, values, device, pair.metadata.has_backward)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def compare(on_device: Results, on_cpu: Results, exact: Results | None) -> Finding:
    """Compare the results on the device with the results on the CPU, within the rounding of this kernel."""
    exact = exact or Results({}, {})
    for direction, actual, expected, double in (
        ("output", on_device.outputs, on_cpu.outputs, exact.outputs),
        ("gradient", on_device.gradients, on_cpu.gradients, exact.gradients),
    ):
        for name, values in expected.items():
            problem = difference(actual[name], values, double.get(name))
            if problem is not None:
                return fail(f"{direction} {name}: {problem}")
    return PASS
