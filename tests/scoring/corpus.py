"""The corpus of answers: right and wrong answers to forty tasks, one a file, and the table of their scores.

A folder of `FOLDER` is a task. Its ``program.py`` contains a kernel and a launch. A file ``launch.json`` contains the launch of
a generated pair; without it, the pair is captured from the program. Each Markdown file contains an answer: fields, an empty
line, and the completion. The field ``form`` names a change of the text that editors and linters would undo.
"""

from __future__ import annotations

import json
import runpy
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import warp as wp

from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction import capture, extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.task import Task, make_task

FOLDER = Path(__file__).parent / "corpus"

INPUTS = "\n\n\nrandom = "
"""The line of a program that follows the kernel."""

FORMS = {"bom": ("\ufeff", "\n"), "crlf": ("", "\r\n"), "spaces": ("", "   \n")}
"""The forms of a completion: its first characters and the ends of its lines."""


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """An answer of the corpus.

    Attributes:
        task: the name of the folder.
        name: the name of the file without its extension.
        kind: the kind of task that it answers.
        is_right: whether it has to score 1.
        cause: one word for the idiom or the bug.
        why: one sentence about it.
        completion: what a model wrote.
    """

    task: str
    name: str
    kind: str
    is_right: bool
    cause: str
    why: str
    completion: str

    def __str__(self) -> str:
        return f"{self.task}/{self.name}"


def answers() -> list[AnswerFile]:
    """Return all answers of the corpus."""
    return [_read(path) for path in sorted(FOLDER.glob("*/*.md"))]


def _read(path: Path) -> AnswerFile:
    head, _, completion = path.read_text(encoding="utf-8").partition("\n\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    if form := fields.get("form"):
        start, end = FORMS[form]
        completion = start + completion.replace("\n", end)
    return AnswerFile(
        path.parent.name, path.stem, fields["kind"], fields["right"] == "yes", fields["cause"], fields["why"], completion
    )


@cache
def pair_of(name: str) -> Pair:
    """Return the pair of a folder."""
    folder = FOLDER / name
    if not (folder / "launch.json").exists():
        return _captured(folder)
    source = (folder / "program.py").read_text(encoding="utf-8").partition(INPUTS)[0].replace("import numpy as np\n", "") + "\n"
    launch: Launch = msgspec.convert(json.loads((folder / "launch.json").read_bytes()), Launch)
    with loaded_kernel(source) as kernel:
        ir = extract_ir(kernel, "both", include_backward=True)
    settings: dict[str, Any] = {"category": "corpus", "generator_version": "1", "description": ""}
    return Pair.from_ir(
        ir, identity=f"corpus-{name}", python_source=source, warp_version=str(wp.__version__), launch=launch, **settings
    )


def _captured(folder: Path) -> Pair:
    with capture() as captured:
        runpy.run_path(str(folder / "program.py"), run_name=f"corpus_{folder.name}")
    (pair,) = captured.pairs("both")
    assert isinstance(pair, Pair), pair
    return pair


def task_of(answer: AnswerFile) -> Task:
    """Return the task that an answer belongs to."""
    task = make_task(answer.kind, pair_of(answer.task))
    assert task is not None, answer
    return task


def scores(scorer: Scorer, files: Sequence[AnswerFile]) -> list[tuple[AnswerFile, Score]]:
    """Return answers with their scores."""
    return list(zip(files, scorer.score_all([(task_of(file), file.completion) for file in files]), strict=True))


def is_exception(answer: AnswerFile, score: Score) -> bool:
    """Return whether a score is not what the answer deserves."""
    return answer.is_right != (score.reward == 1.0)


def share(judged: list[tuple[AnswerFile, Score]], *, is_right: bool) -> float:
    """Return the share of exceptions among the right or the wrong answers."""
    chosen = [is_exception(*row) for row in judged if row[0].is_right == is_right]
    return sum(chosen) / len(chosen)


def table(judged: list[tuple[AnswerFile, Score]]) -> str:
    """Return the exceptions by kind and cause, and their names, as text."""
    lines = []
    for is_right, title in ((True, "right answers that do not score 1"), (False, "wrong answers that score 1")):
        chosen = [row for row in judged if row[0].is_right == is_right]
        exceptions = [row for row in chosen if is_exception(*row)]
        lines += [f"{title}: {len(exceptions)} of {len(chosen)}"]
        for kind, total in sorted(Counter(answer.kind for answer, _ in chosen).items()):
            lines.append(f"  {kind}: {sum(answer.kind == kind for answer, _ in exceptions)} of {total}")
        totals = Counter(answer.cause for answer, _ in chosen)
        lines += [
            f"    {cause}: {count} of {totals[cause]}"
            for cause, count in Counter(answer.cause for answer, _ in exceptions).most_common()
        ]
        lines += [f"      {answer} ({answer.cause}) {score.status} {score.reason[:150]}" for answer, score in exceptions]
    return "\n".join(lines)


def main() -> None:
    """Score the answers of the folders that are named, or all, and print the table."""
    wp.config.log_level = wp.LOG_ERROR
    files = [file for file in answers() if not sys.argv[1:] or file.task in sys.argv[1:]]
    with Scorer(seed=7) as scorer:
        print(table(scores(scorer, files)))


if __name__ == "__main__":
    main()
