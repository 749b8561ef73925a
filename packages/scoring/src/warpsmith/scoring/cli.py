"""`warpsmith-score`: make tasks for language models, and score what they write.

Imports within functions keep `--help` and shell completion fast: Warp, NumPy and the sandbox take a second to load.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import click

from warpsmith.core.commands import options, terminal
from warpsmith.core.datasets import storage
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.errors import EXIT_DONE, TargetError
from warpsmith.core.records.jsonl import encode, replacing
from warpsmith.core.records.leftovers import remove_leftovers
from warpsmith.scoring.task import TABLE, kind_of

_KINDS = "\n".join(f"  {kind.name:<22}{kind.summary}" for kind in TABLE.values())

EXAMPLES = """\b
Examples:
  warpsmith-score tasks data/both -o tasks.jsonl                      tasks from pairs that have passed validation
  warpsmith-score run tasks.jsonl completions.jsonl -o results.jsonl  score completions; print pass@k

Exit codes: 0 done, 2 bad arguments or input.
"""

TASKS_EXAMPLES = f"""\b
Examples:
  warpsmith-score tasks data/both -o tasks.jsonl
  warpsmith-score tasks data/both --task python_to_cuda --limit 200 -o tasks.jsonl
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
level, status, reason and counterexample. After an interruption, the same command continues with the results so far.

Exit codes: 0 done, whatever the scores are; 2 bad arguments or input, or the machine prevented the work.
"""


@click.group(context_settings=options.CONTEXT, epilog=EXAMPLES)
def cli() -> None:
    """Make tasks for language models, and score what they write."""


@cli.command(context_settings=options.CONTEXT, epilog=TASKS_EXAMPLES)
@click.argument("dataset", type=click.Path())
@click.option("--task", "kinds", multiple=True, metavar="TASK", help="A kind of task. Repeatable.  [default: all]")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The file to write, one task a line.")
@click.option("--limit", type=options.COUNT, help="The most tasks of each kind.")
@click.option(
    "--check", is_flag=True, help="Check the pairs and the references of plain tasks now, instead of reading verdicts."
)
@options.unconfined_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def tasks(
    dataset: str, kinds: tuple[str, ...], output: Path, limit: int | None, check: bool, unconfined: bool, as_json: bool
) -> int:
    """Write tasks about the pairs of DATASET, a folder with pairs-*.jsonl or one JSONL file."""
    from warpsmith.scoring.making import LeftOut, dataset_tasks

    names = [kind_of(name).name for name in kinds or TABLE]
    opened = Dataset.open(storage.open_path(dataset))
    _check_output(output, opened.shards)
    remove_leftovers(output)
    problems = list(opened.problems())
    left_out, counts = LeftOut(), Counter(dict.fromkeys(names, 0))
    with replacing(output) as file:
        for task in dataset_tasks(opened, names, limit=limit, check=check, unconfined=unconfined, left_out=left_out):
            file.write(encode(task.to_row()))
            counts[task.kind] += 1
        if not counts.total():
            raise TargetError(f"no pair of {dataset} became a task: {'; '.join(left_out.lines()) or 'there are none'}")
    if as_json:
        options.print_json({"problems": problems, "tasks": counts, "left_out": list(left_out.lines())})
        return EXIT_DONE
    terminal.print_problems(problems)
    for remark in left_out.lines():
        terminal.err.print(remark, soft_wrap=True)
    terminal.print_table(f"tasks in {output}", ("task", "tasks"), [(name, f"{count:,}") for name, count in counts.items()])
    return EXIT_DONE


@cli.command(context_settings=options.CONTEXT, epilog=RUN_EXAMPLES)
@click.argument("tasks", type=click.Path(path_type=Path))
@click.argument("completions", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The file to write, one result a line.")
@click.option("--seed", type=options.INDEX, help="Fix the hidden values.  [default: new values in each run]")
@click.option("--k", "k_values", multiple=True, type=options.COUNT, help="Estimate pass@k. Repeatable.  [default: 1, 10, 100]")
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
    k_values: tuple[int, ...],
    as_json: bool,
    unconfined: bool,
) -> int:
    """Score COMPLETIONS of TASKS, and print pass@k with 95% intervals by task and category."""
    from warpsmith.scoring.partial import continued, run_key
    from warpsmith.scoring.results import read_pending, score_pending
    from warpsmith.scoring.scorer import Scorer
    from warpsmith.scoring.table import default_k, print_rows, summarize

    _check_output(output, (tasks, completions))
    pending, without = read_pending(tasks, completions)
    with (
        continued(output, run_key((tasks, completions), seed)) as (rows, file),
        Scorer(seed=seed, unconfined=unconfined) as scorer,
        terminal.progress("score", len(pending), "completions") as advance,
    ):
        results, inconclusive = score_pending(pending, scorer, file, advance, rows)
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


def _check_output(output: Path, inputs: tuple[Path, ...]) -> None:
    """Check that a command does not replace a file that it reads."""
    for path in inputs:
        if storage.is_local(path) and output.exists() and path.exists() and output.samefile(path):
            raise TargetError(f"{output} is read by this command: choose another file for --output")


def main() -> None:
    """Run the command and exit with its code."""
    sys.exit(options.run(cli))
