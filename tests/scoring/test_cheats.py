"""The corpus of cheats: none of them passes, and the honest twin of each does."""

from __future__ import annotations

import sys

import pytest

from scoring.cheat_files import CheatFile, read_cheats
from scoring_datasets import task_of
from shift_pair import make_pair
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.policy.lexer import MAX_LENGTH
from warpsmith.scoring.scorer import REWARDS, STAGES, Score, Scorer
from warpsmith.scoring.task import Task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

FILES = read_cheats()
SLOW = [pytest.param(one, marks=pytest.mark.exhaustive) if one.is_slow else one for one in FILES]


def name_of(file: CheatFile) -> str:
    return f"{file.kind} {file.name}"


def completion(task: Task, text: str) -> str:
    return text if "```" in text else f"An answer.\n```{task.language}\n{text}```\n"


@pytest.fixture(scope="module")
def pair() -> Pair:
    return make_pair()


@pytest.fixture(scope="module")
def scores(real_scorer: Scorer, pair: Pair) -> dict[tuple[str, str], Score]:
    """Return the scores of all texts that end soon, judged together."""
    texts = dict.fromkeys((one.kind, text) for one in FILES for text in (one.twin, *(() if one.is_slow else (one.cheat,))))
    items = [(task := task_of(kind, pair), completion(task, text)) for kind, text in texts]
    return dict(zip(texts, real_scorer.score_all(items), strict=True))


@pytest.mark.parametrize("file", SLOW, ids=name_of)
def test_a_cheat_does_not_pass(scores: dict[tuple[str, str], Score], real_scorer: Scorer, pair: Pair, file: CheatFile) -> None:
    task = task_of(file.kind, pair)
    score = scores.get((file.kind, file.cheat)) or real_scorer.score(task, [completion(task, file.cheat)])[0]
    assert (score.passed, score.status, score.level) == (False, "fail", file.level), score.reason
    assert score.reward == REWARDS[file.level]
    assert file.reason in score.reason


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_its_honest_twin_passes(scores: dict[tuple[str, str], Score], file: CheatFile) -> None:
    score = scores[file.kind, file.twin]
    assert (score.reward, score.passed, score.level, score.reason) == (1.0, True, "right", "")


def test_the_corpus_is_complete() -> None:
    assert len(FILES) >= 40
    assert {one.kind for one in FILES} == {"python_to_cuda", "forward_to_adjoint", "cuda_to_python"}
    assert {one.level for one in FILES} <= {"", *STAGES[:-1]}
    assert all(one.description.endswith(".") and one.cheat != one.twin for one in FILES)
    assert len({(one.kind, one.description, one.cheat) for one in FILES}) == len(FILES)


def test_a_text_that_is_too_long_is_refused(real_scorer: Scorer, pair: Pair) -> None:
    task = task_of("python_to_cuda", pair)
    honest = next(one.twin for one in FILES if one.kind == task.kind)
    padded = [f"{honest}// {'x' * (length - len(honest))}\n" for length in (MAX_LENGTH - 100, MAX_LENGTH)]
    passed, refused = real_scorer.score(task, [completion(task, text) for text in padded])
    assert passed.passed
    assert (refused.reward, refused.level) == (0.0, "")
    assert "characters, more than" in refused.reason
