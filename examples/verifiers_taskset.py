"""An endless taskset for verifiers: fresh kernels from a seed, judged without a GPU.

Install: pip install "warpsmith[all] @ git+ADDRESS" verifiers      with the address of the repository
Run:     python examples/verifiers_taskset.py    judge two rollouts, on a CPU, in about a minute

verifiers finds the taskset by the name of this module, if its folder is in PYTHONPATH: `vf-eval verifiers_taskset ...`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import verifiers.v1 as vf

from warpsmith.scoring import Task, tasks_of
from warpsmith.scoring.verifiers import KernelTask, KernelTaskset
from warpsmith.synthesis import pairs

__all__ = ["FreshKernels"]


def fresh_tasks() -> Iterator[Task]:
    """Yield tasks without an end."""
    return tasks_of(pairs(seed=7), ["python_to_cuda"])


class FreshKernels(KernelTaskset):
    """The taskset that verifiers loads."""

    def __init__(self, config: vf.TasksetConfig) -> None:
        super().__init__(config, fresh_tasks)


def rollout(task: KernelTask, reply: str) -> vf.Trace:
    """Return what a rollout leaves, with a given reply instead of a model's."""
    trace = vf.Trace(task=vf.TraceTask(type="KernelTask", data=task.data), agent=vf.AgentInfo(config=vf.AgentConfig()))
    trace.nodes.append(vf.MessageNode(message=vf.AssistantMessage(content=reply), sampled=True))
    return trace


async def main() -> None:
    """Judge the reference of the first task and an empty answer to the second one."""
    first, second = FreshKernels(vf.TasksetConfig()).take(2)
    for task, reply in ((first, json.loads(first.data.pair)["cuda_ir_forward"]), (second, "")):
        trace = rollout(task, reply)
        await task.score(trace)
        print(task.key, trace.rewards["reward"].value, trace.metrics, trace.info["warpsmith"])


if __name__ == "__main__":
    asyncio.run(main())
