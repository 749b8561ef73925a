"""Baselines: the answers, and the rows of the table with a stub scorer."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace

import pytest

from pair_text import edited_places
from scoring_datasets import REFERENCES, task_of
from warpsmith.core import Pair
from warpsmith.scoring.baselines import Neighbours, baselines, score_baselines
from warpsmith.scoring.commands.baselines_command import NAMES
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.completions import answer
from warpsmith.scoring.tasks.prompts import without_comments
from warpsmith.scoring.tasks.task import Task, make_repair


def answered(name: str, task: Task, train: Sequence[Pair] = ()) -> str:
    """Return the code that a baseline answers."""
    (one,) = [one for one in baselines(train=train) if one.name == name]
    text = one.answer(task)
    assert text is not None
    return answer(text, task.language)


def renamed(pair: Pair) -> Pair:
    """Return a pair whose kernel and parameters have other names."""
    names = {pair.metadata.kernel_name: "other_kernel"}
    names |= {one.name: f"other_{one.name}" for one in pair.metadata.launch.args} if pair.metadata.launch else {}
    texts = {}
    for field in REFERENCES.values():
        text = getattr(pair, field)
        for old, new in names.items():
            text = re.sub(rf"\b{old}(?=_cuda)|(?<=\bvar_){old}\b|(?<=\badj_){old}\b", new, text)
            text = text.replace(f"def {old}(", f"def {new}(").replace(f"    {old}: ", f"    {new}: ")
        texts[field] = text
    return replace(pair, id="other", metadata=replace(pair.metadata, kernel_name="other_kernel"), **texts)


def test_the_command_names_all_baselines() -> None:
    assert tuple(one.name for one in baselines(train=[])) == NAMES
    assert tuple(one.name for one in baselines()) == NAMES[:-1]


@pytest.mark.parametrize("kind", REFERENCES)
def test_references_and_mutants(samples: list[Pair], kind: str) -> None:
    task = task_of(kind, samples[0])
    text = str(getattr(samples[0], REFERENCES[kind])).strip("\n")
    assert answered("reference", task).strip("\n") == text
    changed = answered("mutant", task).strip("\n")
    assert edited_places(changed, text) == 1
    assert answered("empty", task) == ""


def test_copied_code(samples: list[Pair]) -> None:
    pair = samples[0]
    assert answered("copied", task_of("python_to_cuda", pair)).strip("\n") == pair.python_source.strip("\n")
    assert answered("copied", task_of("cuda_to_python", pair)).strip() == without_comments(str(pair.cuda_ir_forward)).strip()
    task = task_of("forward_to_adjoint", pair)
    signature = task.row.signature(pair, task.entry_point)
    assert answered("copied", task).startswith(f"{signature}\n{{")
    body = str(pair.cuda_ir_forward).partition("wp::tile_shared_storage_t tile_mem;")[2]
    assert answered("copied", task).endswith(body.rstrip("\n") + "\n")
    assert answered("copied", make_repair(task, "broken text", "why")) == "broken text\n"


@pytest.mark.parametrize("kind", REFERENCES)
def test_the_nearest_neighbour_gets_the_names_of_the_task(samples: list[Pair], kind: str) -> None:
    task = task_of(kind, samples[3])
    train = [samples[0], renamed(samples[3]), samples[1]]
    found = answered("nearest", task, train)
    if kind == "cuda_to_python":  # the edit of this test renames signatures only
        assert f"def {task.entry_point}(" in found
        assert "other_" not in found.partition(':\n    """')[0]
    else:
        assert without_comments(found).strip() == without_comments(str(task.reference)).strip()


def test_the_nearest_neighbour_is_the_most_similar_pair(samples: list[Pair]) -> None:
    neighbours = Neighbours(samples)
    for pair in samples[::10]:
        for kind, field in REFERENCES.items():
            found = neighbours.answer(task_of(kind, pair))
            assert found is not None
            assert answer(found, "cuda" if kind != "cuda_to_python" else "python").strip("\n") == getattr(pair, field).strip(
                "\n"
            )


def test_without_pairs_there_is_no_neighbour(samples: list[Pair]) -> None:
    assert Neighbours([]).answer(task_of("python_to_cuda", samples[0])) is None


class LengthScorer:
    """A scorer by which answers with code pass, and others cannot be judged."""

    def score_all(self, items: Sequence[tuple[Task, str]]) -> list[Score]:
        right, unknown = Score(1.0, True, "right", "pass"), Score(0.0, False, "", "inconclusive", "why")
        return [right if text else unknown for _, text in items]


def test_rows(samples: list[Pair]) -> None:
    tasks = [task_of(kind, pair) for kind in ("python_to_cuda", "cuda_to_python") for pair in samples[:3]]
    tasks.append(make_repair(tasks[0], "broken", "why"))
    counts: list[int] = []
    chosen = [one for one in baselines() if one.name in ("reference", "empty")]
    rows = list(score_baselines(tasks, chosen, LengthScorer(), counts.append))  # type: ignore[arg-type]
    assert [(row.baseline, row.row.kind, row.row.tasks, row.row.reward, row.inconclusive) for row in rows] == [
        ("reference", "python_to_cuda", 3, 1.0, 0),
        ("reference", "cuda_to_python", 3, 1.0, 0),
        ("reference", "repair", 1, 1.0, 0),
        ("empty", "python_to_cuda", 3, 0.0, 3),
        ("empty", "cuda_to_python", 3, 0.0, 3),
        ("empty", "repair", 1, 0.0, 1),
    ]
    # (3 + z²/2) / (3 + z²) less z times the root of p (1 - p) / (3 + z²), with z = 1.96
    assert rows[0].texts() == ("reference", "python_to_cuda", "3", "1.000", "100.0 [38.3, 100.0]")
    assert sum(counts) == 14


@pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")
@pytest.mark.exhaustive
def test_only_references_pass(real_scorer: Scorer, samples: list[Pair]) -> None:
    tasks = [task_of(kind, samples[3]) for kind in REFERENCES]
    chosen = [one for one in baselines(train=samples[4:30]) if one.name != "mutant"]
    rows = list(score_baselines(tasks, chosen, real_scorer, lambda _: None))
    assert {row.baseline: row.row.reward for row in rows if row.baseline == "reference"} == {"reference": 1.0}
    assert all(row.row.reward < 1.0 for row in rows if row.baseline != "reference")
    assert len(rows) == 12
