"""An evaluation of Inspect with its mock model: pass@k over epochs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from warpsmith.scoring.inspect_ai import kernel_task
from warpsmith.scoring.process_scorer import SCORER
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.task import Task

pytestmark = [pytest.mark.training, pytest.mark.filterwarnings("ignore")]


def evaluate(library: Any, folder: Path, task: Any, replies: list[str]) -> Any:
    """Return the log of an evaluation in which the mock model gives the replies in order."""
    inspect, models = library("inspect_ai"), library("inspect_ai.model")
    outputs = [models.ModelOutput.from_content("mockllm/model", reply) for reply in replies]
    for output in outputs:
        output.usage = models.ModelUsage()  # otherwise Inspect downloads a tokenizer
    model = models.get_model("mockllm/model", custom_outputs=outputs)
    [log] = inspect.eval(task, model=model, log_dir=str(folder), display="none", max_connections=1)
    assert log.status == "success", log.error
    return log


def metrics(log: Any) -> dict[str, float]:
    return {score.reducer: score.metrics["accuracy"].value for score in log.results.scores}


def test_pass_at_k_over_epochs(library: Any, tasks: list[Task], right: list[str], tmp_path: Path) -> None:
    library("inspect_ai")
    task = kernel_task(tasks[:1], epochs=4, k_values=(1, 2, 4))
    log = evaluate(library, tmp_path, task, ["no", right[0], "```cuda\nvoid f() {}\n```", "no"])
    assert metrics(log) == pytest.approx({"pass_at_1": 0.25, "pass_at_2": 0.5, "pass_at_4": 1.0})
    values = [sample.scores["warpsmith"] for sample in log.samples]
    assert sorted(score.value for score in values) == ["C", "I", "I", "I"]
    [correct] = [score for score in values if score.value == "C"]
    assert correct.metadata["reward"] == 1.0
    assert correct.answer.strip() == (tasks[0].pair.cuda_ir_forward or "").strip()
    assert all(score.explanation for score in values if score.value == "I")
    assert {sample.id for sample in log.samples} == {tasks[0].task_id}
    assert all(sample.input == tasks[0].prompt for sample in log.samples)


def test_an_answer_that_nobody_can_judge_has_no_score(
    library: Any, tasks: list[Task], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library("inspect_ai")
    scores = {"good": Score(1.0, True, "right", "pass"), "bad": Score(0.0, False, "", "inconclusive", "no memory")}
    monkeypatch.setattr(SCORER, "score_all", lambda items: [scores[text] for _, text in items])
    log = evaluate(library, tmp_path, kernel_task(tasks[:1], epochs=2), ["good", "bad"])
    assert metrics(log) == {"pass_at_1": 1.0}
    assert log.results.scores[0].scored_samples == 1


def test_the_event_loop_runs_while_a_completion_is_judged(
    library: Any, tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    anyio, threading = library("anyio"), library("threading")
    scorer = library("inspect_ai.scorer")
    adapter = library("warpsmith.scoring.inspect_ai")
    released = threading.Event()

    def judge(items: Any) -> list[Score]:
        assert released.wait(60), "the loop is blocked"
        return [Score(1.0, True, "right", "pass") for _ in items]

    monkeypatch.setattr(SCORER, "score_all", judge)
    [sample] = adapter.samples(tasks[:1])
    models, solver = library("inspect_ai.model"), library("inspect_ai.solver")
    output = models.ModelOutput.from_content("mockllm/model", "x")
    state = solver.TaskState("mockllm/model", sample.id, 1, sample.input, [], output=output, metadata=sample.metadata)

    async def both() -> Any:
        async with anyio.create_task_group() as group:
            group.start_soon(anyio.to_thread.run_sync, released.wait)
            group.start_soon(release)
            return await adapter.kernel_scorer()(state, scorer.Target(""))

    async def release() -> None:
        released.set()

    assert anyio.run(both).value == "C"
