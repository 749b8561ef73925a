"""What a driver answers about kernels that it measures, with a device that is pretended; and what its worker refuses."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pytest

from warpsmith.core.errors import DeviceError, WarpsmithError
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.gpu_checks import kernel_timing, timed_kernels
from warpsmith.gpu_checks.kernel_timing import KernelTimer
from warpsmith.gpu_checks.timed_kernels import (
    SAMPLED,
    KernelTime,
    Parameter,
    TimedKernel,
    TimedLaunch,
    answer_size,
    read_times,
    time_kernel,
)

UNIFORM = Domain(kind="uniform", low=-1.0, high=1.0)


def kernel(length: int) -> TimedKernel:
    launch = Launch(
        dim=(length,),
        args=(
            Argument(name="x", kind="array", dtype="float32", role="input", shape=(length,), domain=UNIFORM),
            Argument(name="k", kind="value", dtype="float64", role="input", shape=(), domain=UNIFORM),
            Argument(name="y", kind="array", dtype="vec3f", role="output", shape=(length, 2), domain=UNIFORM),
        ),
    )
    parameters = (
        Parameter(value=base64.b64encode(length.to_bytes(4, "little")).decode()),
        Parameter("x"),
        Parameter("k", by_value=True),
        Parameter("y"),
    )
    return TimedKernel("Y3ViaW4=", "scale", False, (TimedLaunch(launch, "id", (1, 1, 1), (256, 1, 1), 0, parameters),))


class PretendedModule:
    """A module whose kernel writes three, four, five, … to every array."""

    def __init__(self, code: bytes, is_cooperative: bool, ordinal: int) -> None:
        assert (code, is_cooperative, ordinal) == (b"cubin", False, 0)

    def cold_times(self, name: str, grid: Any, block: Any, arguments: Sequence[Any], shared: int, launches: int) -> Any:
        self.received = name, grid, block, arguments, shared, launches
        left = [np.arange(each.size).reshape(each.shape) + 3.0 if isinstance(each, np.ndarray) else None for each in arguments]
        return [9.0, 2.0, 4.0], left


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> list[PretendedModule]:
    made: list[PretendedModule] = []
    monkeypatch.setattr(timed_kernels, "DeviceModule", lambda *given: made.append(PretendedModule(*given)) or made[-1])
    return made


@pytest.mark.usefixtures("pretended")
@pytest.mark.parametrize("length", [5, 4000])
def test_an_answer_has_the_median_and_evenly_spaced_numbers(length: int) -> None:
    asked = msgspec.json.decode(msgspec.json.encode(kernel(length)), type=TimedKernel)
    content = time_kernel(asked, 0, 7)
    assert len(content) == answer_size(asked)
    (found,) = read_times(asked, content)
    assert found.microseconds == 4.0
    numbers = 6 * length
    positions = np.linspace(0, numbers - 1, min(numbers, SAMPLED)).astype(int)
    assert found.sample == [float(position + 3) for position in positions]


def test_arguments_are_those_of_the_launch(pretended: list[PretendedModule]) -> None:
    asked = kernel(5)
    time_kernel(asked, 0, 7)
    name, _, block, (size, x, k, y), shared, launches = pretended[0].received
    values = make_inputs(asked.launches[0].launch, "id")
    assert (name, block, shared, launches) == ("scale", (256, 1, 1), 0, 7)
    assert (size, k) == ((5).to_bytes(4, "little"), values["k"].tobytes())
    np.testing.assert_array_equal(x, values["x"])
    assert y.shape == (5, 2, 3)


GOOD = [{"microseconds": 4.0, "sample": [1.0] * 30}]


class PretendedWorker:
    """A worker of a device with one answer."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self.answer = answer

    def run_task(self, *_: object, **__: object) -> dict[str, Any]:
        return self.answer


def timer(answer: dict[str, Any]) -> KernelTimer:
    made = KernelTimer.__new__(KernelTimer)
    made._supervisor = PretendedWorker(answer)  # type: ignore[assignment]
    return made


def test_times_and_reasons_are_read() -> None:
    answer = {"problem": None, "kernels": [GOOD, "the driver died"]}
    assert timer(answer).times([kernel(5)] * 2) == [[KernelTime(4.0, [1.0] * 30)], "the driver died"]
    assert timer({}).times([]) == []


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"kernels": None},
        {"kernels": []},
        {"kernels": [[]]},
        {"kernels": [[{"microseconds": 4.0, "sample": [1.0] * 29}]]},
        {"kernels": [[{"microseconds": -1.0, "sample": [1.0] * 30}]]},
        {"kernels": [[{"microseconds": "4", "sample": [1.0] * 30}]]},
        {"kernels": [[{"microseconds": 4.0, "sample": "no"}]]},
        {"kernels": [7]},
    ],
)
def test_other_answers_of_the_worker_are_nonsense(answer: dict[str, Any]) -> None:
    with pytest.raises(WarpsmithError, match="nonsense"):
        timer(answer).times([kernel(5)])


def test_a_problem_of_the_device_is_an_error() -> None:
    with pytest.raises(WarpsmithError, match="no driver"):
        timer({"problem": "no driver"}).times([kernel(5)])


def test_a_device_that_is_not_there_is_an_error_before_anything_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_timing, "Supervisor", None)
    with pytest.raises(DeviceError, match="cuda:77"):
        KernelTimer("cuda:77")
    with pytest.raises(DeviceError, match="not on the CPU"):
        KernelTimer("cpu")
