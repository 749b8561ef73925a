"""Times of kernels that are machine code and no Warp: what a driver receives, and what it answers.

A kernel runs in the driver with inputs that follow from a launch. With the times the driver returns a few numbers of every
array that the kernel writes. The caller compares them: the driver has no expected results.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import msgspec
import numpy as np

from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.gpu_checks.cuda_driver import DeviceModule
from warpsmith.gpu_checks.device_results import output_leaves
from warpsmith.validation.running.memory_layout import argument_content

SAMPLED = 1024
"""The most numbers of an array that an answer contains."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kernel.

    Attributes:
        argument: the argument of the launch whose content it receives; empty for a value.
        by_value: whether it receives the content itself, and not the address of an array.
        value: the bytes of a value in Base64.
    """

    argument: str = ""
    by_value: bool = False
    value: str = ""


@dataclass(frozen=True, slots=True)
class TimedLaunch:
    """A launch to measure.

    Attributes:
        launch: the arguments; the inputs follow from it and from ``identity``.
        identity: any text.
        blocks: the grid, and ``threads`` the block, with ``x`` first.
        shared: bytes of dynamic shared memory.
        parameters: the parameters of the kernel.
    """

    launch: Launch
    identity: str
    blocks: tuple[int, int, int]
    threads: tuple[int, int, int]
    shared: int
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class TimedKernel:
    """A kernel to measure.

    Attributes:
        binary: a cubin for the device in Base64.
        name: the mangled name of the kernel.
        is_cooperative: whether blocks of a grid wait for each other.
        launches: the launches.
    """

    binary: str
    name: str
    is_cooperative: bool
    launches: tuple[TimedLaunch, ...]


@dataclass(frozen=True, slots=True)
class KernelTime:
    """The time of one launch.

    Attributes:
        microseconds: the median over launches with cold caches.
        sample: numbers of the arrays that the kernel writes, in order of their names.
    """

    microseconds: float
    sample: list[float]


def sampled(launch: Launch) -> int:
    """Return how many numbers the sample of a launch has."""
    return sum(min(_numbers(leaf), SAMPLED) for leaf in output_leaves(launch))


def _numbers(leaf: Argument) -> int:
    return math.prod(leaf.shape) * math.prod(element(leaf.dtype)[1])


def answer_size(kernel: TimedKernel) -> int:
    """Return the bytes of the answer about a kernel."""
    return sum(8 * (1 + sampled(each.launch)) for each in kernel.launches)


def read_times(kernel: TimedKernel, content: bytes) -> list[KernelTime]:
    """Return the times in an answer of `answer_size` bytes."""
    numbers, start, times = np.frombuffer(content, np.float64), 0, []
    for each in kernel.launches:
        end = start + 1 + sampled(each.launch)
        times.append(KernelTime(float(numbers[start]), numbers[start + 1 : end].tolist()))
        start = end
    return times


def time_kernel(kernel: TimedKernel, ordinal: int, repeats: int) -> bytes:
    """Measure a kernel in this process, and return the answer.

    Args:
        kernel: the kernel.
        ordinal: the number of the device.
        repeats: the most launches of which the median counts.

    Raises:
        CudaError: if the kernel cannot be loaded or stops.
    """
    module = DeviceModule(base64.b64decode(kernel.binary), kernel.is_cooperative, ordinal)
    answer = []
    for each in kernel.launches:
        contents = _contents(msgspec.json.encode(each.launch), each.identity)
        arguments = [_argument(parameter, contents) for parameter in each.parameters]
        times, left = module.cold_times(kernel.name, each.blocks, each.threads, arguments, each.shared, repeats)
        arrays = {
            parameter.argument: array for parameter, array in zip(each.parameters, left, strict=True) if parameter.argument
        }
        answer.append(np.concatenate([[float(np.median(times))], _sample(each.launch, arrays)]))
    return np.concatenate(answer).astype(np.float64).tobytes()


@lru_cache(maxsize=4)
def _contents(launch: bytes, identity: str) -> dict[str, Values]:
    """Return the contents of arguments; answers to one task have the same launches."""
    decoded = msgspec.json.decode(launch, type=Launch)
    values = make_inputs(decoded, identity)
    return {argument.name: argument_content(argument, values) for argument in decoded.args}


def _argument(parameter: Parameter, contents: Mapping[str, Values]) -> bytes | Values:
    if not parameter.argument:
        return base64.b64decode(parameter.value)
    content = contents[parameter.argument]
    return content.tobytes() if parameter.by_value else content


def _sample(launch: Launch, arrays: Mapping[str, Values]) -> Values:
    """Return evenly spaced numbers of all arrays that a kernel writes."""
    found = [np.zeros(0)]
    for leaf in sorted(output_leaves(launch), key=lambda leaf: leaf.name):
        name, _, member = leaf.name.partition(".")
        numbers = (arrays[name][member] if member else arrays[name]).reshape(-1)
        count = min(_numbers(leaf), SAMPLED)
        found.append(numbers[np.linspace(0, len(numbers) - 1, count).astype(np.int64)] if count else found[0])
    return np.concatenate([np.asarray(each, np.float64) for each in found])
