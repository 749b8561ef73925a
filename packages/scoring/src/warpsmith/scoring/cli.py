"""`warpsmith-score`: make tasks for language models, and score what they write.

Imports within functions keep `--help` and shell completion fast: Warp, NumPy and the sandbox take a second to load.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import click

from warpsmith.core.commands import groups, options
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import TargetError
from warpsmith.scoring.commands.baselines_command import baselines
from warpsmith.scoring.commands.from_dataset import Selected, dataset_options, write_rows
from warpsmith.scoring.commands.program_tasks import program_files, write_program_tasks
from warpsmith.scoring.commands.repairs_command import repairs
from warpsmith.scoring.commands.run_command import run
from warpsmith.scoring.tasks.program_task import PROGRAM_TABLE, ProgramTaskRow
from warpsmith.scoring.tasks.quota import LeftOut, Quota
from warpsmith.scoring.tasks.task import TaskRow
from warpsmith.scoring.tasks.task_kinds import TABLE

"""The settings of a run that its key does not contain."""

_KINDS = "\n".join(f"  {kind.name:<22}{kind.summary}" for kind in TABLE.values())
_PROGRAM_KINDS = "\n".join(f"  {kind.name:<22}{kind.summary}" for kind in PROGRAM_TABLE.values())

EXAMPLES = """\b
Examples:
  warpsmith-score tasks data/both -o tasks.jsonl                      tasks from pairs that have passed validation
  warpsmith-score repairs data/both -o repairs.jsonl                  tasks to repair references that are broken on purpose
  warpsmith-score run tasks.jsonl completions.jsonl -o results.jsonl  score completions; print pass@k
  warpsmith-score baselines tasks.jsonl --train data/verified         score answers that need no model

Exit codes: 0 done, 2 bad arguments or input.
"""

TASKS_EXAMPLES = f"""\b
Examples:
  warpsmith-score tasks data/both -o tasks.jsonl
  warpsmith-score tasks data/both --task python_to_cuda --limit 200 --per-category 20 -o tasks.jsonl
  warpsmith-score tasks data/both --exclude train.jsonl --judge -o tasks.jsonl
  warpsmith-score tasks data/samples --check -o tasks.jsonl            check the pairs now; no verdicts are needed
  warpsmith-score tasks data/programs --judge -o tasks.jsonl           tasks about programs whose references score 1 now
  warpsmith-score tasks data/programs --verdicts verdicts.jsonl --task program_host -o tasks.jsonl
  warpsmith-score tasks data/programs --judge --task program_to_cuda -o tasks.jsonl   CUDA for parts of programs

\b
Tasks about pairs:
{_KINDS}

\b
Tasks about programs:
{_PROGRAM_KINDS}

Only pairs with a launch that pass every level that the task uses become tasks, and programs that pass their check.

Exit codes: 0 done, 2 bad arguments, no such dataset, or no pair became a task.
"""


@groups.group("warpsmith-scoring", EXAMPLES)
def cli() -> None:
    """Make tasks for language models, and score what they write."""


@cli.command(context_settings=options.CONTEXT, epilog=TASKS_EXAMPLES)
@dataset_options
@click.option("--judge", is_flag=True, help="Score the references now, and leave out tasks whose reference does not score 1.")
@click.option("--seed", type=options.INDEX, help="Fix the hidden values of --judge.  [default: new values in each run]")
@click.option(
    "--verdicts",
    type=click.Path(path_type=Path),
    help="For programs: take those that pass in FILE, which warpsmith-validate programs --output wrote.",
    metavar="FILE",
)
def tasks(judge: bool, seed: int | None, verdicts: Path | None, **values: Any) -> int:
    """Write tasks about the pairs or programs of DATASET.

    DATASET is a folder with pairs-*.jsonl or programs-*.jsonl, or one such file.
    """
    selected = Selected(**values)
    if files := program_files(Path(selected.dataset)):
        return write_program_tasks(selected, files, judge, seed, verdicts)
    if verdicts is not None:
        raise TargetError("--verdicts is for programs: the verdicts on pairs are next to their shards")
    names = selected.names(tuple(TABLE))

    def rows(dataset: Dataset, left_out: LeftOut) -> Iterator[tuple[str, TaskRow | ProgramTaskRow]]:
        from warpsmith.scoring.scorer import Scorer
        from warpsmith.scoring.task_making import judged_tasks

        quota = Quota(selected.limit, selected.per_category)
        if not judge:
            yield from ((task.kind, task.to_row()) for task in selected.tasks(dataset, names, left_out, quota))
            return
        enough = takewhile(lambda _: any(map(quota.wants, names)), selected.tasks(dataset, names, left_out))
        with Scorer(seed=seed, unconfined=selected.unconfined) as scorer:
            yield from ((task.kind, task.to_row()) for task in judged_tasks(enough, scorer, quota, left_out))

    return write_rows(selected, "tasks", names, rows)


cli.add_command(run)
cli.add_command(repairs)
cli.add_command(baselines)


def main() -> None:
    """Run the command and exit with its code."""
    sys.exit(options.run(cli))
