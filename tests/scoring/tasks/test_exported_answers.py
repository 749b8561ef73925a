"""Answers of exported rows are right answers of the scorer's tasks, without the comments that exports leave out."""

from __future__ import annotations

import re

import pytest

from warpsmith.core.export.training_tasks import chat, exchanges
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.tasks.task import make_task

SHARED = ("python_to_cuda", "cuda_to_python", "forward_to_adjoint")
"""The tasks that exports and scoring share."""


@pytest.fixture(scope="module")
def pair(samples: list[Pair]) -> Pair:
    """Return a pair whose code has comments with the place of a helper function."""
    return next(pair for pair in samples if re.search(r"^// \S+\.py:\d+$", pair.cuda_ir_forward or "", re.MULTILINE))


def test_exported_answers_pass(real_scorer: Scorer, pair: Pair) -> None:
    for exchange in exchanges(pair, SHARED):
        task = make_task(exchange.task, pair)
        assert task is not None
        answer = chat(pair, exchange)["messages"][-1]["content"]
        assert ".py:" not in answer
        (score,) = real_scorer.score(task, [answer])
        assert score.passed, (exchange.task, score)
