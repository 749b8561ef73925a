"""`KernelTimer`: times of kernels on a CUDA device, measured by the confined process that drives it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import msgspec

from warpsmith.core.errors import DeviceError, WarpsmithError
from warpsmith.core.records.jsonl import Line
from warpsmith.gpu_checks.device import DeviceInfo, devices
from warpsmith.gpu_checks.device_checks import WORKERS, prove_device, selected_device
from warpsmith.gpu_checks.driver_session import DriverProblem
from warpsmith.gpu_checks.level import session
from warpsmith.gpu_checks.messages import KernelRequest
from warpsmith.gpu_checks.timed_kernels import KernelTime, TimedKernel, answer_size, read_times, sampled
from warpsmith.gpu_checks.worker_answers import Problem, require_device
from warpsmith.validation.confinement.machine_problems import MachineProblem
from warpsmith.validation.sandbox.supervisor import Supervisor

MEASURE = "warpsmith.gpu_checks.kernel_timing:measure_kernels"
"""The task of the worker."""

KERNEL_SECONDS = 150.0
"""The time limit for a kernel with all its launches."""

REPEATS = 20
"""The launches of which the median counts."""


class KernelTimer:
    """Measures kernels on a CUDA device; use it as a context manager, from one thread at a time.

    Args:
        device: a CUDA device such as ``"cuda:0"``. By default, the device that the environment variable ``WARPSMITH_DEVICE``
            names, or else ``"cuda:0"``.
        unconfined: whether to use the device without a sandbox, for kernels that you trust.

    Attributes:
        device: the device.

    Raises:
        DeviceError: if this machine does not have the device, or it is the CPU.
        WarpsmithError: if the sandbox does not work on this machine, or the device cannot be used in it.
    """

    def __init__(self, device: str | None = None, *, unconfined: bool = False) -> None:
        self._open = ExitStack()
        try:
            self.device = _cuda_device(self._open.enter_context(selected_device(device)))
            prove_device(WORKERS[unconfined])
            self._supervisor = self._open.enter_context(Supervisor((), WORKERS[unconfined]))
        except BaseException:
            self._open.close()
            raise

    def __enter__(self) -> KernelTimer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the processes of the device."""
        self._open.close()

    def times(self, kernels: Sequence[TimedKernel], repeats: int = REPEATS) -> list[list[KernelTime] | str]:
        """Return the times of the launches of each kernel, or why it could not be measured.

        Raises:
            WarpsmithError: if the device cannot be used.
        """
        if not kernels:
            return []
        limit = KERNEL_SECONDS * len(kernels)
        answer = self._supervisor.run_task(MEASURE, [], limit, kernels=[asdict(kernel) for kernel in kernels], repeats=repeats)
        require_device(answer)
        found = answer.get("kernels")
        if not isinstance(found, list) or len(found) != len(kernels):
            raise WarpsmithError("the worker of the device answered nonsense")
        return [_checked(kernel, each) for kernel, each in zip(kernels, found, strict=True)]


def _cuda_device(name: str) -> DeviceInfo:
    if name == "cpu":
        raise DeviceError("times of plain CUDA are measured on a CUDA device, not on the CPU")
    return next(found for found in devices() if found.alias == name)


def _checked(kernel: TimedKernel, answer: object) -> list[KernelTime] | str:
    """Return the times that the worker of the device has sent."""
    if isinstance(answer, str):
        return answer
    try:
        times = msgspec.convert(answer, list[KernelTime])
    except msgspec.ValidationError:
        raise WarpsmithError("the worker of the device answered nonsense") from None
    lengths = [len(time.sample) for time in times]
    if lengths != [sampled(each.launch) for each in kernel.launches] or not all(0 < t.microseconds < math.inf for t in times):
        raise WarpsmithError("the worker of the device answered nonsense")
    return times


class MeasuredKernels(Problem):
    """The answer of the task: for each kernel its times, or the reason why there are none."""

    kernels: list[list[KernelTime] | str]


def measure_kernels(_: Sequence[Line], *, kernels: Sequence[object], repeats: int) -> MeasuredKernels | Problem:
    """Measure kernels: the task of a worker.

    Args:
        kernels: `TimedKernel` as JSON.
        repeats: the launches of which the median counts.

    Returns:
        For each kernel its times or the reason why there are none; or the ``problem`` of the device.
    """
    driver = session(Path.cwd())
    found: list[list[KernelTime] | str] = []
    for kernel in msgspec.convert(kernels, list[TimedKernel]):
        try:
            driver.send(KernelRequest(kernel, repeats))
            found.append(read_times(kernel, driver.receive(answer_size(kernel))))
        except DriverProblem as problem:
            found.append(str(problem))
        except MachineProblem as problem:
            return {"problem": str(problem)}
    return {"problem": None, "kernels": found}
