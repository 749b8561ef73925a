"""Evaluate a model with Inspect: pass@1 and pass@2 over two epochs.

Install: pip install "warpsmith[all] @ git+ADDRESS" inspect-ai      with the address of the repository
Run:     python examples/inspect_task.py         a model that answers right every second time, on a CPU, in about a minute
         inspect eval examples/inspect_task.py --model ...
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import cycle, islice

import inspect_ai
from inspect_ai import task
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from warpsmith.scoring import Task, tasks_of
from warpsmith.scoring.inspect_ai import kernel_task
from warpsmith.synthesis import pairs


@task  # the command `inspect eval` looks for this word
def fresh_kernels(seed: int = 7, count: int = 1, epochs: int = 2) -> inspect_ai.Task:
    """Ask for the CUDA code of fresh kernels."""
    return kernel_task(tasks(seed, count), epochs, range(1, epochs + 1))


def tasks(seed: int, count: int) -> list[Task]:
    """Return the first tasks of a seed."""
    return list(islice(tasks_of(pairs(seed=seed), ["python_to_cuda"]), count))


def replies() -> Iterator[ModelOutput]:
    """Yield the reference and a wrong answer, in turns."""
    [first] = tasks(seed=7, count=1)
    for reply in cycle([f"```cuda\n{first.pair.cuda_ir_forward}\n```", "I do not know."]):
        output = ModelOutput.from_content("mockllm/model", reply)
        output.usage = ModelUsage()  # otherwise Inspect downloads a tokenizer to count tokens
        yield output


def main() -> None:
    """Evaluate the mock model and print the metrics."""
    with tempfile.TemporaryDirectory() as folder:
        model = get_model("mockllm/model", custom_outputs=replies())
        [log] = inspect_ai.eval(fresh_kernels(), model=model, log_dir=folder, display="none")
    for score in log.results.scores if log.results else ():
        print(score.name, score.reducer, {name: metric.value for name, metric in score.metrics.items()})


if __name__ == "__main__":
    main()
