"""The speed of right answers in plain CUDA on a CUDA device: times at several sizes, beside those of the reference."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from warpsmith.core.errors import DeviceError, WarpsmithError
from warpsmith.core.installation import install_command
from warpsmith.core.records.launch import Launch
from warpsmith.scoring.judging.judge_client import ask
from warpsmith.scoring.judging.speed_messages import COMPILE_PLAIN, BinaryText, CompiledBinary
from warpsmith.scoring.judging.time_budget import TimeBudget
from warpsmith.scoring.plain.grids import DYNAMIC_SHARED, grid
from warpsmith.scoring.speed.larger_launch import larger_launch
from warpsmith.scoring.speed.nearly_equal import nearly_equal
from warpsmith.scoring.tasks.task import Task
from warpsmith.validation.sandbox.supervisor import Supervisor

if TYPE_CHECKING:  # an extra, see `DeviceSpeeds`
    from warpsmith.gpu_checks.kernel_timing import KernelTimer
    from warpsmith.gpu_checks.timed_kernels import KernelTime, TimedKernel, TimedLaunch

SIZES = (1 << 14, 1 << 17, 1 << 20)
"""The threads of the launches that are measured, about; a pair with one size is measured at this size."""

_DYNAMIC = re.compile(r"\bextern\b[^;{]*\b__shared__\b")
_COOPERATIVE = re.compile(r"\b(?:this_grid|grid_group)\b")


@dataclass(frozen=True, slots=True)
class DeviceTime:
    """The times at one size.

    Attributes:
        threads: how many threads the launch has.
        microseconds: the time of the answer, the median of launches with cold caches; ``reference_microseconds`` is the one of
            the reference.
    """

    threads: int
    microseconds: float
    reference_microseconds: float


@dataclass(frozen=True, slots=True)
class DeviceSpeed:
    """The speed of an answer on a device.

    Attributes:
        device: the name of the device.
        times: the times by size.
    """

    device: str
    times: tuple[DeviceTime, ...]

    @property
    def ratio(self) -> float:
        """The geometric mean over sizes of the time of the reference as a multiple of the answer's."""
        logarithms = [math.log(time.reference_microseconds / time.microseconds) for time in self.times]
        return math.exp(math.fsum(logarithms) / len(logarithms))

    def to_json(self) -> dict[str, object]:
        """Return the figures as JSON values, with the ratio."""
        return {"ratio": round(self.ratio, 3), "device": self.device, "times": self.times}


class DeviceSpeeds:
    """Measures the speed of answers on a device; use it from one thread at a time, and close it.

    Args:
        supervisor: compiles answers.
        device: a CUDA device such as ``"cuda:0"``.
        unconfined: whether to use the device without a sandbox.

    Raises:
        DeviceError: if this machine does not have the device.
        WarpsmithError: if warpsmith-gpu-checks is not installed, or the device cannot be used.
    """

    def __init__(self, supervisor: Supervisor, device: str, unconfined: bool = False) -> None:
        try:
            from warpsmith.gpu_checks.kernel_timing import KernelTimer  # noqa: PLC0415 - an extra
        except ModuleNotFoundError as error:
            raise WarpsmithError(f"times on a device: {install_command('warpsmith-gpu-checks')} ({error})") from None
        self._supervisor = supervisor
        try:
            self._timer: KernelTimer = KernelTimer(device, unconfined=unconfined)
        except DeviceError as error:  # the advice of other commands is to use the CPU
            raise DeviceError(f"{str(error).partition(';')[0]}; speeds are estimated without a device") from None
        self._references: dict[str, list[KernelTime] | None] = {}
        self._launches: dict[str, list[Launch]] = {}

    def close(self) -> None:
        """Stop the processes of the device."""
        self._timer.close()

    def speeds(self, items: Sequence[tuple[Task, str]], budget: TimeBudget) -> list[DeviceSpeed | None]:
        """Return the speeds of right answers; None for an answer, or a reference, that does not run at all sizes.

        An answer whose results are not those of the reference has no speed, either.
        """
        tasks = {task.task_id: task for task, _ in items}
        self._launches = {name: self._launches.get(name) or _launches(task) for name, task in tasks.items()}
        new = [task for name, task in tasks.items() if name not in self._references]
        times = self._times([(task, task.reference) for task in new], budget)
        self._references |= {task.task_id: found for task, found in zip(new, times, strict=True)}
        answers = self._times(items, budget)
        return [self._speed(task, found) for (task, _), found in zip(items, answers, strict=True)]

    def _speed(self, task: Task, found: list[KernelTime] | None) -> DeviceSpeed | None:
        reference = self._references[task.task_id]
        if found is None or reference is None:
            return None
        rows = []
        for launch, answer, expected in zip(self._launches[task.task_id], found, reference, strict=True):
            if not nearly_equal(np.array(answer.sample), np.array(expected.sample)):
                return None
            rows.append(DeviceTime(math.prod(launch.dim), round(answer.microseconds, 2), round(expected.microseconds, 2)))
        return DeviceSpeed(self._timer.device.name, tuple(rows))

    def _times(self, items: Sequence[tuple[Task, str]], budget: TimeBudget) -> list[list[KernelTime] | None]:
        texts = [BinaryText(text, task.signature, self._timer.device.arch) for task, text in items]
        compiled = ask(self._supervisor, COMPILE_PLAIN, texts, budget)
        kernels = [
            _kernel(task, text, binary, self._launches[task.task_id])
            for (task, text), binary in zip(items, compiled, strict=True)
            if isinstance(binary, CompiledBinary)
        ]
        measured = iter(self._timer.times(kernels))
        found = [next(measured) if isinstance(binary, CompiledBinary) else "" for binary in compiled]
        return [None if isinstance(times, str) else times for times in found]


def _launches(task: Task) -> list[Launch]:
    """Return the launches that are measured."""
    larger = [larger_launch(task.pair, threads) for threads in SIZES]
    found = {launch.dim: launch for launch in larger if launch is not None}
    return list(found.values()) or [task.launch]


def _kernel(task: Task, text: str, compiled: CompiledBinary, sizes: Sequence[Launch]) -> TimedKernel:
    from warpsmith.gpu_checks.timed_kernels import TimedKernel  # noqa: PLC0415 - an extra

    launches = tuple(_timed(task, text, launch) for launch in sizes)
    return TimedKernel(compiled.binary, compiled.name, _COOPERATIVE.search(text) is not None, launches)


def _timed(task: Task, text: str, launch: Launch) -> TimedLaunch:
    from warpsmith.gpu_checks.timed_kernels import Parameter, TimedLaunch  # noqa: PLC0415 - an extra

    shape, shapes = grid(launch.dim, 0), {argument.name: argument.shape for argument in launch.args}
    parameters = []
    for parameter in task.signature.parameters:
        if parameter.dimension is None:
            parameters.append(Parameter(parameter.argument, by_value=not parameter.ctype.endswith("*")))
        else:
            size = (shapes[parameter.argument] if parameter.argument else launch.dim)[parameter.dimension]
            parameters.append(Parameter(value=base64.b64encode(size.to_bytes(4, "little")).decode()))
    shared = DYNAMIC_SHARED if _DYNAMIC.search(text) else 0
    return TimedLaunch(launch, task.pair.id, shape.blocks, shape.threads, shared, tuple(parameters))
