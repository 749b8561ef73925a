"""The LM Evaluation Harness runs the task with its dummy model, and with a model of known replies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.records.encoding import encode
from warpsmith.scoring.lm_eval import FOLDER
from warpsmith.scoring.tasks.task import Task

pytestmark = [pytest.mark.training, pytest.mark.filterwarnings("ignore")]


@pytest.fixture
def file(tasks: list[Task], tmp_path: Path) -> Path:
    path = tmp_path / "tasks.jsonl"
    path.write_bytes(b"".join(encode(task.to_row()) for task in tasks))
    return path


def evaluate(library: Any, model: Any, file: Path, **options: Any) -> dict[str, Any]:
    manager = library("lm_eval.tasks").TaskManager(
        include_path=str(FOLDER), include_defaults=False, metadata={"tasks": str(file)}
    )
    found = library("lm_eval").simple_evaluate(
        model=model, tasks=["warpsmith_kernels"], task_manager=manager, bootstrap_iters=0, **options
    )
    return dict(found["results"]["warpsmith_kernels"])


def test_the_dummy_model_passes_nothing(library: Any, file: Path) -> None:
    library("lm_eval")
    results = evaluate(library, "dummy", file, confirm_run_unsafe_code=True)
    assert (results["passed,none"], results["reward,none"], results["sample_len"]) == (0.0, 0.0, 2)


def test_prompts_and_replies_arrive(library: Any, file: Path, tasks: list[Task], right: list[str]) -> None:
    asked: list[str] = []

    class Model(library("lm_eval.models.dummy").DummyLM):  # type: ignore[misc]
        def generate_until(self, requests: Any, **_: Any) -> list[str]:
            asked.extend(request.arguments[0] for request in requests)
            return [right[0] if request.doc["task_id"] == tasks[0].task_id else "no" for request in requests]

    results = evaluate(library, Model(), file, confirm_run_unsafe_code=True)
    assert (results["passed,none"], results["reward,none"], results["inconclusive,none"]) == (0.5, 0.5, 0.0)
    assert sorted(asked) == sorted(task.prompt.rstrip("\n") for task in tasks) or asked == [task.prompt for task in tasks]


def test_unsafe_code_has_to_be_confirmed(library: Any, file: Path) -> None:
    library("lm_eval")
    with pytest.raises(ValueError, match="unsafe"):
        evaluate(library, "dummy", file)
