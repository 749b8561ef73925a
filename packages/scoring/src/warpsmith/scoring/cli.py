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

from warpsmith.core import terminal
from warpsmith.core.commands import groups, options
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import EXIT_DONE
from warpsmith.scoring.commands.baselines_command import baselines
from warpsmith.scoring.commands.from_dataset import Selected, check_output, dataset_options, write_rows
from warpsmith.scoring.commands.repairs_command import repairs
from warpsmith.scoring.judging.time_budget import SECONDS_PER_ANSWER
from warpsmith.scoring.tasks.quota import LeftOut, Quota
from warpsmith.scoring.tasks.task import TaskRow
from warpsmith.scoring.tasks.task_kinds import TABLE

_DEFAULTS = {"seconds_per_answer": SECONDS_PER_ANSWER, "partial": False}
"""The settings of a run that its key does not contain."""

_KINDS = "\n".join(f"  {kind.name:<22}{kind.summary}" for kind in TABLE.values())

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

\b
Tasks:
{_KINDS}

Only pairs with a launch that pass every level that the task uses become tasks.

Exit codes: 0 done, 2 bad arguments, no such dataset, or no pair became a task.
"""

RUN_EXAMPLES = """\b
Examples:
  warpsmith-score run tasks.jsonl completions.jsonl -o results.jsonl
  warpsmith-score run tasks.jsonl completions.jsonl -o results.jsonl --seed 7     the same hidden values in every run
  warpsmith-score run tasks.jsonl completions.jsonl -o results.jsonl --k 1 --k 5 --json

A completion is a line {"task_id": …, "completion": …}; a task may have several. Results repeat the line with passed, reward,
level, status, reason and counterexample. After an interruption, the same command continues with the results so far; results
of a finished run are printed again, and replaced only with --force.

Exit codes: 0 done, whatever the scores are; 2 bad arguments or input, or the machine prevented the work.
"""


@groups.group("warpsmith-scoring", EXAMPLES)
def cli() -> None:
    """Make tasks for language models, and score what they write."""


@cli.command(context_settings=options.CONTEXT, epilog=TASKS_EXAMPLES)
@dataset_options
@click.option("--judge", is_flag=True, help="Score the references now, and leave out tasks whose reference does not score 1.")
@click.option("--seed", type=options.INDEX, help="Fix the hidden values of --judge.  [default: new values in each run]")
def tasks(judge: bool, seed: int | None, **values: Any) -> int:
    """Write tasks about the pairs of DATASET, a folder with pairs-*.jsonl or one JSONL file."""
    selected = Selected(**values)
    names = selected.names(tuple(TABLE))

    def rows(dataset: Dataset, left_out: LeftOut) -> Iterator[tuple[str, TaskRow]]:
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


@cli.command(context_settings=options.CONTEXT, epilog=RUN_EXAMPLES)
@click.argument("tasks", type=click.Path(path_type=Path))
@click.argument("completions", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The file to write, one result a line.")
@click.option("--seed", type=options.INDEX, help="Fix the hidden values.  [default: new values in each run]")
@click.option(
    "--seconds-per-answer",
    type=click.FloatRange(0.0, 3600.0, min_open=True),
    default=SECONDS_PER_ANSWER,
    show_default=True,
    help="The time limit for all launches of one answer together.",
)
@click.option("--partial", is_flag=True, help="Add the share of right elements to the reward of an answer whose launches end.")
@click.option("--k", "k_values", multiple=True, type=options.COUNT, help="Estimate pass@k. Repeatable.  [default: 1, 10, 100]")
@click.option("--force", is_flag=True, help="Score again although the file exists.")
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
@click.option(
    "--unconfined",
    is_flag=True,
    help="Work without the parts of the sandbox that this system lacks. Only for completions that you trust.",
)
def run(
    tasks: Path,
    completions: Path,
    output: Path,
    seed: int | None,
    seconds_per_answer: float,
    partial: bool,
    k_values: tuple[int, ...],
    force: bool,
    as_json: bool,
    unconfined: bool,
) -> int:
    """Score COMPLETIONS of TASKS, and print pass@k with 95% intervals by task and category."""
    from warpsmith.scoring.results.partial_results import continued, finished, run_key
    from warpsmith.scoring.results.score_rows import count_results, read_pending, score_pending
    from warpsmith.scoring.results.score_table import default_k, print_rows, summarize
    from warpsmith.scoring.scorer import Scorer

    check_output(output, (tasks, completions))
    pending, without = read_pending(tasks, completions)
    settings = {"seconds_per_answer": seconds_per_answer, "partial": partial}
    key = run_key((tasks, completions), seed, {} if settings == _DEFAULTS else settings)
    if (known := finished(output, key, force)) is not None:
        terminal.err.print(f"{output} is complete: nothing was scored (--force scores again)", soft_wrap=True)
        results, inconclusive = count_results(pending, known)
    else:
        with (
            continued(output, key) as (stored, file),
            Scorer(seed=seed, unconfined=unconfined, seconds_per_answer=seconds_per_answer, partial=partial) as scorer,
            terminal.progress("score", len(pending), "completions") as advance,
        ):
            results, inconclusive = score_pending(pending, scorer, file, advance, stored)
    shown = tuple(dict.fromkeys(k_values)) or default_k(results.values())
    table = summarize(results.values(), shown)
    if as_json:
        options.print_json(
            {"without_completions": without, "inconclusive": inconclusive, "rows": [row.to_dict() for row in table]}
        )
        return EXIT_DONE
    if without:
        terminal.err.print(f"{without:,} tasks have no completions and do not count", soft_wrap=True)
    if inconclusive:
        terminal.err.print(f"{inconclusive:,} completions could not be judged, see their reasons in {output}", soft_wrap=True)
    print_rows(table, shown)
    return EXIT_DONE


cli.add_command(repairs)
cli.add_command(baselines)


def main() -> None:
    """Run the command and exit with its code."""
    sys.exit(options.run(cli))
