"""Scores of code that language models write: tasks from pairs, and a reward for each completion, without a GPU.

`score` scores the completions of one task; `Scorer` keeps sandboxed workers between calls. All names are loaded at first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpsmith.core.lazy import lazy_names

if TYPE_CHECKING:  # the lazy names, for type checkers and editors
    from warpsmith.scoring.scorer import Score, Scorer, score
    from warpsmith.scoring.task import Task

    __version__: str

__all__ = ["Score", "Scorer", "Task", "__version__", "score"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Score": "warpsmith.scoring.scorer",
        "Scorer": "warpsmith.scoring.scorer",
        "Task": "warpsmith.scoring.task",
        "score": "warpsmith.scoring.scorer",
    },
)
