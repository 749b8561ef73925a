"""The corpus of cheats: none of them passes, and the honest twin of each does."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

import pytest

from scoring.cheat_files import CheatFile, read_cheats
from scoring_datasets import REFERENCES, task_of
from shift_pair import make_pair
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.policy.lexer import MAX_LENGTH
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.scores import REWARDS, STAGES, Score
from warpsmith.scoring.tasks.task import Task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

PLAIN = "python_to_plain_cuda"
PLAIN_SAMPLE = frozenset(
    """
    counter_in_a_constant exit include memory_of_the_block_before nan_as_a_wildcard no_barrier_after_clearing no_bounds_check
    own_length_only redefines_a_function static_counter sums_are_not_atomic writes_an_input_by_a_cast
    """.split()
)
"""The cheats in plain CUDA that the default tests judge."""

FILES = read_cheats()


def is_sampled(file: CheatFile) -> bool:
    """Return whether the default tests judge a file."""
    return file.kind != PLAIN or file.name in PLAIN_SAMPLE


def parameters(*, with_slow: bool) -> list[object]:
    """Return the files as parameters; those that the default tests leave out are marked."""
    marked = [(one, not is_sampled(one) or (with_slow and one.is_slow)) for one in FILES]
    return [
        pytest.param(one, marks=pytest.mark.exhaustive if rare else (), id=f"{one.kind} {one.name}") for one, rare in marked
    ]


def quick_texts(files: Iterable[CheatFile]) -> Iterator[tuple[str, str]]:
    """Yield the texts that end soon, each after its kind."""
    for one in files:
        yield one.kind, one.twin
        if not one.is_slow:
            yield one.kind, one.cheat


def completion(task: Task, text: str) -> str:
    return text if "```" in text else f"An answer.\n```{task.language}\n{text}```\n"


@pytest.fixture(scope="module")
def pair() -> Pair:
    return make_pair()


class Scores:
    """The scores of the corpus: the texts of a kind of the default tests are judged together, and so are the other ones."""

    def __init__(self, scorer: Scorer, pair: Pair) -> None:
        self._scorer, self._pair = scorer, pair
        self._known: dict[tuple[str, str], Score] = {}

    def cheat(self, file: CheatFile) -> Score:
        """Return the score of a cheat; one that runs until its time limit is judged alone."""
        return self._judge([(file.kind, file.cheat)])[0] if file.is_slow else self._score(file, file.cheat)

    def twin(self, file: CheatFile) -> Score:
        return self._score(file, file.twin)

    def _score(self, file: CheatFile, text: str) -> Score:
        if (file.kind, text) not in self._known:
            files = [one for one in FILES if (one.kind, is_sampled(one)) == (file.kind, is_sampled(file))]
            texts = [text for text in dict.fromkeys(quick_texts(files)) if text not in self._known]
            self._known |= zip(texts, self._judge(texts), strict=True)
        return self._known[file.kind, text]

    def _judge(self, texts: Sequence[tuple[str, str]]) -> list[Score]:
        tasks = [(task_of(kind, self._pair), text) for kind, text in texts]
        return self._scorer.score_all([(task, completion(task, text)) for task, text in tasks])


@pytest.fixture(scope="module")
def scores(real_scorer: Scorer, pair: Pair) -> Scores:
    return Scores(real_scorer, pair)


@pytest.mark.parametrize("file", parameters(with_slow=True))
def test_a_cheat_does_not_pass(scores: Scores, file: CheatFile) -> None:
    score = scores.cheat(file)
    assert (score.passed, score.status, score.level) == (False, file.status, file.level), score.reason
    assert score.reward in ((0.0,) if score.reason.startswith("the answer changes no output") else (REWARDS[file.level],))
    assert score.reward <= 0.2
    assert file.reason in score.reason


@pytest.mark.sampled(40)
@pytest.mark.parametrize("file", parameters(with_slow=False))
def test_its_honest_twin_passes(scores: Scores, file: CheatFile) -> None:
    score = scores.twin(file)
    assert (score.reward, score.passed, score.level, score.reason) == (1.0, True, "right", "")


def test_the_corpus_is_complete() -> None:
    assert len(FILES) >= 200
    assert {one.kind for one in FILES} == {*REFERENCES, PLAIN}
    assert {one.name for one in FILES if one.kind == PLAIN} >= PLAIN_SAMPLE
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
