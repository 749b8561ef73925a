"""The search for faults of answers in Warp's form that no CPU shows: one counts if the reference has none of its kind."""

from __future__ import annotations

import re
from collections.abc import Sequence

from warpsmith.core.records import text_format
from warpsmith.scoring.judging.judge_client import ask, text_to_run
from warpsmith.scoring.judging.time_budget import TimeBudget
from warpsmith.scoring.judging.trials import drawn_trial
from warpsmith.scoring.judging.wire import from_trial
from warpsmith.scoring.judging.worker_messages import FIND_FAULTS, Fault, Faults
from warpsmith.scoring.tasks.task import Task
from warpsmith.validation.sandbox.supervisor import Supervisor

_ATOMIC = re.compile(r"\batomic\w+|\]\s*[-+|&^]=")
_STORE = re.compile(r"\barray_store\(\s*adj_|\.(?:data|grad)\b|\]\s*[-+*/]?=(?!=)|(?<![\w)\]] )\*\s*\w+\s*[-+*/]?=(?!=)")
_SHARED = re.compile(r"\b__shared__|\b__syncthreads|\bwp::tile_(?!shared_storage)")


def may_have_faults(task: Task, text: str) -> bool:
    """Return whether an answer stores where the reference may use an atomic operation, or uses shared memory on its own."""
    reference = task.reference
    if task.language == "cuda":
        reference, text = (text_format.COMMENT_OR_LITERAL.sub(" ", each) for each in (reference, text))
    if bool(_SHARED.search(text)) != bool(_SHARED.search(reference)):
        return True
    if task.row.is_adjoint:  # functions of Warp's headers add atomically
        return _STORE.search(text) is not None
    return len(_ATOMIC.findall(text)) < len(_ATOMIC.findall(reference))


def faults_of(supervisor: Supervisor, items: Sequence[tuple[Task, str]], budget: TimeBudget) -> list[Fault | None]:
    """Return the first fault of each answer on the recorded launch of its pair that its reference does not have."""
    doubtful = [number for number, (task, text) in enumerate(items) if may_have_faults(task, text)]
    tasks = {items[number][0].task_id: items[number][0] for number in doubtful}
    trials = {name: index for index, name in enumerate(tasks)}
    sent = [from_trial(drawn_trial(task.pair, task.launch), (0,)) for task in tasks.values()]
    texts = [text_to_run(task, None, [trials[name]]) for name, task in tasks.items()]
    texts += [text_to_run(items[number][0], items[number][1], [trials[items[number][0].task_id]]) for number in doubtful]
    answered = ask(supervisor, FIND_FAULTS, texts, budget, trials=sent)
    references = dict(zip(tasks, answered, strict=False))
    found: list[Fault | None] = [None] * len(items)
    for number, answer in zip(doubtful, answered[len(tasks) :], strict=True):
        reference = references[items[number][0].task_id]
        if isinstance(answer, Faults) and isinstance(reference, Faults):
            known = {(fault.direction, fault.kind) for fault in reference.faults}
            found[number] = next((fault for fault in answer.faults if (fault.direction, fault.kind) not in known), None)
    return found
