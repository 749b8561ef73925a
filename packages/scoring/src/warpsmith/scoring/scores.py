"""`Score`: what an answer is worth, the stages that it passes, and their rewards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from warpsmith.scoring.judging.result_comparison import Counterexample
from warpsmith.scoring.speed.device_speeds import DeviceSpeed
from warpsmith.scoring.speed.speed import Speed

STAGES = ("read", "compile", "run", "right")
"""What an answer passes, in order: the policy, the compilers, the launches without a stop, the comparison."""

REWARDS: Mapping[str, float] = {"": 0.0, "read": 0.0, "compile": 0.1, "run": 0.2, "right": 1.0}
"""The default reward by the last stage that an answer passes. An answer that writes nothing has the reward of a refusal."""


@dataclass(frozen=True, slots=True)
class Score:
    """What an answer is worth.

    Attributes:
        reward: from 0 to 1.
        passed: whether the answer is right.
        level: the last of `STAGES` that it passes; empty if it passes none.
        status: ``pass``, ``fail``, ``unsupported`` if the SIMT machine lacks something that an answer in plain CUDA uses, or
            ``inconclusive`` if the machine or the reference prevented a judgement.
        reason: one line; empty for ``pass``.
        counterexample: a launch that shows a wrong result, see `Counterexample`.
        speed: the estimated speed of a right answer in plain CUDA, if it was asked for and could be estimated.
        device_speed: its measured speed, if a device was asked for and could run it.
    """

    reward: float
    passed: bool
    level: str
    status: str
    reason: str = ""
    counterexample: Counterexample | None = None
    speed: Speed | None = None
    device_speed: DeviceSpeed | None = None

    @property
    def is_judged(self) -> bool:
        """Whether the answer was judged; if not, the reward is 0 and says nothing about it."""
        return self.status in ("pass", "fail")
