"""Scores of code that language models write: tasks from pairs, and a reward for each completion, without a GPU.

`tasks_of`, `program_tasks_of` and `repairs_of` make tasks; `score` scores the completions of one task, and `Scorer` keeps
sandboxed workers between calls. All names are loaded at first use. The modules `inspect_ai`, `lm_eval`, `trl`, `verifiers` and
`verl` connect the scorer with the libraries of these names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpsmith.core.lazy import lazy_names

if TYPE_CHECKING:  # the lazy names, for type checkers and editors
    from warpsmith.scoring.cuda_verification import CudaVerifier
    from warpsmith.scoring.program_task_making import program_tasks_of
    from warpsmith.scoring.repairs import repairs_of
    from warpsmith.scoring.scorer import Scorer, score
    from warpsmith.scoring.scores import Score
    from warpsmith.scoring.task_making import tasks_of
    from warpsmith.scoring.tasks.columns import to_texts
    from warpsmith.scoring.tasks.program_task import ProgramTask
    from warpsmith.scoring.tasks.task import Task

    __version__: str

__all__ = [
    "CudaVerifier", "ProgramTask", "Score", "Scorer", "Task", "__version__", "program_tasks_of", "repairs_of", "score",
    "tasks_of", "to_texts",
]  # fmt: skip

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "CudaVerifier": "warpsmith.scoring.cuda_verification",
        "ProgramTask": "warpsmith.scoring.tasks.program_task",
        "Score": "warpsmith.scoring.scores",
        "Scorer": "warpsmith.scoring.scorer",
        "Task": "warpsmith.scoring.tasks.task",
        "program_tasks_of": "warpsmith.scoring.program_task_making",
        "repairs_of": "warpsmith.scoring.repairs",
        "score": "warpsmith.scoring.scorer",
        "tasks_of": "warpsmith.scoring.task_making",
        "to_texts": "warpsmith.scoring.tasks.columns",
    },
)
