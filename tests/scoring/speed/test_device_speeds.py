"""Speeds on a device that is pretended: binaries of NVRTC for the device, launches of several sizes, and what has no speed."""

from __future__ import annotations

import base64
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from scoring_datasets import task_of
from shift_pair import make_pair
from warpsmith.gpu_checks import kernel_timing
from warpsmith.gpu_checks.device import DeviceInfo
from warpsmith.gpu_checks.timed_kernels import KernelTime, TimedKernel, sampled
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.speed.device_speeds import SIZES
from warpsmith.scoring.tasks.task import Task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

ELF = b"\x7fELF"


class PretendedTimer:
    """A timer on whose device the first kernel of a scorer, a reference, takes 12 µs and the others the times of `answers`."""

    answers: Sequence[Any] = ()
    received: list[TimedKernel]
    is_closed = False

    def __init__(self, device: str, *, unconfined: bool) -> None:
        assert (device, unconfined) == ("cuda:1", False)
        self.device = DeviceInfo("cuda:1", "a pretended device", 80, 1 << 34)
        type(self).received = []

    def close(self) -> None:
        type(self).is_closed = True

    def times(self, kernels: Sequence[TimedKernel]) -> list[list[KernelTime] | str]:
        found: list[list[KernelTime] | str] = []
        for kernel in kernels:
            answer = 12.0 if not self.received else self.answers[len(self.received) - 1]
            self.received.append(kernel)
            sample = -1.0 if answer == "other results" else 1.0
            microseconds = 3.0 if answer == "other results" else answer
            found.append(
                "the driver died"
                if answer == "stops"
                else [KernelTime(microseconds, [sample] * sampled(each.launch)) for each in kernel.launches]
            )
        return found


@pytest.fixture
def timer(monkeypatch: pytest.MonkeyPatch) -> type[PretendedTimer]:
    fresh = type("Timer", (PretendedTimer,), {})
    monkeypatch.setattr(kernel_timing, "KernelTimer", fresh)
    return fresh


@pytest.fixture(scope="module")
def task() -> Task:
    return task_of("python_to_plain_cuda", make_pair(100))


def test_speeds_are_ratios_to_the_reference_at_several_sizes(timer: type[PretendedTimer], task: Task) -> None:
    timer.answers = (6.0, 24.0, "stops", "other results")
    texts = [f"```cuda\n{task.reference}\n// {number}\n```" for number in range(4)]
    with Scorer(seed=5, device="cuda:1", speed_weight=1.0) as scorer:
        fast, slow, stopped, different = scorer.score(task, texts)
    assert timer.is_closed
    assert fast.device_speed is not None
    assert slow.device_speed is not None
    assert (fast.device_speed.ratio, fast.reward) == (pytest.approx(2.0), 1.0)
    assert (slow.device_speed.ratio, slow.reward) == (pytest.approx(0.5), pytest.approx(0.5))
    assert fast.device_speed.device == "a pretended device"
    assert [time.reference_microseconds for time in fast.device_speed.times] == [12.0] * len(SIZES)
    for time, size in zip(fast.device_speed.times, SIZES, strict=True):
        assert 0.9 * size < time.threads < 1.1 * size
    assert (stopped.passed, stopped.device_speed) == (different.passed, different.device_speed) == (True, None)


def test_kernels_are_machine_code_for_the_device_with_the_arguments_of_the_launch(
    timer: type[PretendedTimer], task: Task, scorer_with: Callable[..., Scorer]
) -> None:
    timer.answers = (6.0,)
    scorer_with(seed=5, device="cuda:1").score(task, f"```cuda\nextern __shared__ float unused[];\n{task.reference}\n```")
    reference, answer = timer.received
    for kernel in (reference, answer):
        code = base64.b64decode(kernel.binary)
        assert code.startswith(ELF)
        assert kernel.name.encode() in code
        assert not kernel.is_cooperative
    assert [launch.shared > 0 for launch in reference.launches + answer.launches] == [False] * 3 + [True] * 3
    launch = reference.launches[0]
    names = [parameter.argument for parameter in launch.parameters if parameter.argument]
    assert names == [argument.name for argument in launch.launch.args]
    sizes = [int.from_bytes(base64.b64decode(one.value), "little") for one in launch.parameters if not one.argument]
    arrays = [argument.shape[0] for argument in launch.launch.args if argument.kind == "array"]
    assert sizes == [launch.launch.dim[0], *arrays]
    assert launch.blocks[0] * launch.threads[0] >= launch.launch.dim[0]


def test_an_answer_that_is_wrong_is_not_measured(
    timer: type[PretendedTimer], task: Task, scorer_with: Callable[..., Scorer]
) -> None:
    wrong = task.reference.replace("thread0 >= dim0", "thread0 >= dim0 - 1")
    (score,) = scorer_with(seed=5, device="cuda:1").score(task, f"```cuda\n{wrong}\n```")
    assert (score.passed, score.device_speed) == (False, None)
    assert timer.received == []
