r"""Evaluate a model with the LM Evaluation Harness.

Install: pip install "warpsmith[all] @ git+ADDRESS" datasets lm-eval      with the address of the repository
Run:     python examples/lm_eval_harness.py      the harness's dummy model, on a CPU, in about a minute

The command for a model, with a file of `warpsmith-score tasks`; FOLDER is `warpsmith.scoring.lm_eval.FOLDER`:

    lm_eval run --model hf --model_args pretrained=... --tasks warpsmith_kernels --include_path FOLDER \
        --metadata '{"tasks": "tasks.jsonl"}' --confirm_run_unsafe_code --apply_chat_template
"""

from __future__ import annotations

import tempfile
from itertools import islice
from pathlib import Path

import lm_eval
from lm_eval.tasks import TaskManager

from warpsmith.core import encode
from warpsmith.scoring import tasks_of
from warpsmith.scoring.lm_eval import FOLDER
from warpsmith.synthesis import pairs


def main() -> None:
    """Write two tasks, evaluate the dummy model on them and print the metrics."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tasks.jsonl"
        tasks = islice(tasks_of(pairs(seed=7), ["python_to_cuda"]), 2)
        file.write_bytes(b"".join(encode(task.to_row()) for task in tasks))
        manager = TaskManager(include_path=str(FOLDER), include_defaults=False, metadata={"tasks": str(file)})
        results = lm_eval.simple_evaluate(
            model="dummy", tasks=["warpsmith_kernels"], task_manager=manager, confirm_run_unsafe_code=True, bootstrap_iters=0
        )
    print(results["results"]["warpsmith_kernels"])


if __name__ == "__main__":
    main()
