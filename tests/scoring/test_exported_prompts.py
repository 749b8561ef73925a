"""The scorer judges answers to the rows of an exported file of prompts by the columns of the file alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.export.exports import all_rows
from warpsmith.scoring.process_scorer import SCORER
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.trl import reward

ANSWERS = {"python_to_cuda": "cuda_ir_forward", "cuda_to_python": "python_source", "forward_to_adjoint": "cuda_ir_backward"}


def test_answers_to_exported_prompts_are_judged(
    run: Callable[..., Any], small: Path, tmp_path: Path, real_scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SCORER, "score_all", real_scorer.score_all)  # has its workers already
    run("core", "export", small, "--format", "prompt", "--split", "1", "--shard-size", 1000, "-o", tmp_path / "prompt")
    rows = all_rows(tmp_path / "prompt")[:6]
    assert {row["task"] for row in rows} > ANSWERS.keys()
    answers = [f"```\n{json.loads(row['pair'])[ANSWERS[row['task']]]}\n```" if row["task"] in ANSWERS else "x" for row in rows]
    columns = {name: [row[name] for row in rows] for name in ("task_id", "task", "entry_point", "pair")}
    right = reward([row["prompt"] for row in rows], answers, **columns)
    assert right == [1.0 if row["task"] in ANSWERS else None for row in rows]
    wrong = reward([row["prompt"] for row in rows], [answer.replace("add", "sub") for answer in answers], **columns)
    assert all(score is None or score < 1.0 for score, row in zip(wrong, rows, strict=True) if row["task"] != "cuda_to_python")
