"""The driver of a device: a confined process that builds and launches texts, and hands back arrays.

A driver never loads the Python of a pair, and never has an expected result. On the CPU, machine code runs in forks of the
driver. The worker checks the length of everything that it receives and compares the arrays itself.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import warp as wp

from warpsmith.core.errors import WarpsmithError, describe
from warpsmith.core.execution import framing
from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.extraction.warp import runtime
from warpsmith.extraction.warp.compiler_log import Log
from warpsmith.gpu_checks import fence
from warpsmith.gpu_checks.device_arguments import DeviceArguments
from warpsmith.gpu_checks.device_launches import Program, built_kernel, launch_kernel, launch_with
from warpsmith.gpu_checks.device_results import Results, empty_results, to_bytes
from warpsmith.gpu_checks.messages import DONE, MACHINE_FAILED, MAX_TEXT, PAIR_FAILED, TIMES, KernelRequest, read_request
from warpsmith.gpu_checks.smoke_kernel import run_smoke_kernel
from warpsmith.gpu_checks.timed_kernels import time_kernel
from warpsmith.validation.confinement.machine_problems import MachineProblem, machine_problem
from warpsmith.validation.running.fork_runner import MachineText, run_forked
from warpsmith.validation.running.shared_memory import Arena

_MACHINE_ERRORS = frozenset({2, 3, 46, 100, 101, 214, 220, 226, 304, 800, 802, 803, 804})
"""Errors of CUDA that say nothing about a kernel: no memory, no device, a device that is lost, broken or in use."""

_ERROR_NUMBER = re.compile(r"CUDA error\D*(\d+)")
_NO_MEMORY = "Failed to allocate"


class PairProblem(Exception):
    """A text does not build or does not run; the message is one line."""


def drive(requests: int, answers: int, folder: str, device: str, confined: bool) -> None:
    """Prove that this process can use ``device``, then answer requests until there are no more."""
    incoming, outgoing = os.fdopen(requests, "rb"), os.fdopen(answers, "wb")
    fence.set_environment(Path(folder))
    try:
        if confined:
            fence.confine_driver(Path(folder), device)
        _prove(device, Path(folder))
    except Exception as error:  # noqa: BLE001 - whatever it is, this device cannot be used
        framing.send(outgoing, MACHINE_FAILED, describe(error).encode())
        os._exit(0)
    framing.send(outgoing, DONE, b"")
    driver = Driver(device, Path(folder))
    while (request := read_request(incoming, device)) is not None:
        framing.send(outgoing, *driver.answer(request))
        if driver.spoiled:
            break
    os._exit(0)


def _prove(device: str, folder: Path) -> None:
    """Build and launch a kernel on ``device``.

    Raises:
        MachineProblem: if it does not leave the right results.
    """
    wp.config.log_level = wp.LOG_ERROR
    wp.config.kernel_cache_dir = str(folder / "kernels")
    wp.config.verify_cuda = True  # an error of a launch has to appear at this launch
    with Log(folder):
        runtime.start_runtime()
        result = run_smoke_kernel(device)
    if not result.passed:
        raise MachineProblem(f"a kernel leaves wrong results on {device}")


class Driver:
    """The state of a driver.

    Attributes:
        spoiled: whether an error on the device makes all later launches of this process fail.
    """

    def __init__(self, device: str, folder: Path) -> None:
        self.spoiled = False
        self._device, self._folder = device, folder
        self._arena = Arena()

    def answer(self, request: tuple[Program, int] | KernelRequest) -> tuple[int, bytes]:
        """Return the status and the bytes of an answer.

        Args:
            request: a kernel to measure; or a program, with 0 for the results of one launch, or the number of launches to
                measure.
        """
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        try:
            if isinstance(request, KernelRequest):
                return DONE, time_kernel(request.kernel, wp.get_device(self._device).ordinal, request.repeats)
            return DONE, self._run(*request, folder)
        except (PairProblem, WarpsmithError) as error:
            return PAIR_FAILED, str(error).encode()[:MAX_TEXT]
        except Exception as error:  # noqa: BLE001 - the message of the compiler or of the driver is the finding
            self.spoiled = self._device != "cpu"
            machine = machine_problem(error) or _problem_of_device(error)
            status = PAIR_FAILED if machine is None else MACHINE_FAILED
            return status, (machine or f"it does not run: {describe(error)}").encode()[:MAX_TEXT]
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _run(self, program: Program, launches: int, folder: Path) -> bytes:
        values = make_inputs(program.launch, program.identity)
        start = time.perf_counter()
        with ExitStack() as built:
            kernel = self._build(program, folder, built)
            build_time = time.perf_counter() - start
            if launches:
                return TIMES.pack(build_time, self._time(kernel, program, values, launches))
            like = empty_results(program.launch, values, program.backward)
            return to_bytes(self._launch(kernel, program, values, like), like)

    def _build(self, program: Program, folder: Path, built: ExitStack) -> Any:
        """Return the kernel of a program, which exists as long as ``built``."""
        with Log(self._folder) as log:
            try:
                return built.enter_context(built_kernel(program, self._device, folder / "module"))
            except WarpsmithError:
                raise
            except Exception as error:  # Warp raises bare exceptions here
                if machine_problem(error) is not None:
                    raise
                raise PairProblem(f"it does not build: {_first_error(log.text()) or describe(error)}") from error

    def _launch(self, kernel: Any, program: Program, values: Mapping[str, Values], like: Results) -> Results:
        """Launch a kernel, on the CPU in a fork of this process."""
        if self._device != "cpu":
            return launch_kernel(kernel, program.launch, values, self._device, program.backward)
        self._arena.clear()
        shared = Results(*({name: self._arena.zeros(array) for name, array in arrays.items()} for arrays in _both(like)))
        arguments = DeviceArguments(program.launch, kernel, values, self._device)  # building objects needs system calls

        def launch() -> None:
            left = launch_with(arguments, kernel, program.launch, values, self._device, program.backward)
            for target, source in zip(_both(shared), _both(left), strict=True):
                for name, array in target.items():
                    array[...] = source[name]

        self._run_forked(launch)
        return shared

    def _time(self, kernel: Any, program: Program, values: Mapping[str, Values], launches: int) -> float:
        """Return the median of the seconds that a launch takes, with its copies; on the CPU, all launches share arguments."""
        self._arena.clear()
        times = self._arena.zeros(np.zeros(launches))
        on_cpu = self._device == "cpu"
        shared = DeviceArguments(program.launch, kernel, values, self._device) if on_cpu else None

        def measure() -> None:
            for number in range(launches):
                start = time.perf_counter()
                arguments = shared or DeviceArguments(program.launch, kernel, values, self._device)
                launch_with(arguments, kernel, program.launch, values, self._device, program.backward)
                wp.synchronize_device(self._device)
                times[number] = time.perf_counter() - start

        if on_cpu:
            self._run_forked(measure)
        else:
            measure()
        return float(np.median(times))

    def _run_forked(self, call: Callable[[], None]) -> None:
        (problem,) = run_forked([[call]])
        if isinstance(problem, MachineText):
            raise MachineProblem(problem)
        if problem is not None:
            raise PairProblem(problem)


def _problem_of_device(error: Exception) -> str | None:
    """Return the message of ``error`` if it is about the device and not about the kernel that ran on it."""
    text = describe(error)
    number = _ERROR_NUMBER.search(text)
    return text if _NO_MEMORY in text or (number is not None and int(number[1]) in _MACHINE_ERRORS) else None


def _both(results: Results) -> tuple[dict[str, Values], dict[str, Values]]:
    return results.outputs, results.gradients


def _first_error(log: str) -> str:
    """Return the line of a compiler's log that says what is wrong."""
    return next((line.strip() for line in log.splitlines() if "error" in line), "")[:300]
