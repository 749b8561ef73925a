"""`warpsmith-score run`: score completions, and print pass@k and fast_p.

Imports within functions keep `--help` and shell completion fast: Warp, NumPy and the sandbox take a second to load.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warpsmith.core import terminal
from warpsmith.core.commands import options
from warpsmith.core.errors import EXIT_DONE
from warpsmith.scoring.commands.from_dataset import check_output
from warpsmith.scoring.judging.time_budget import SECONDS_PER_ANSWER

if TYPE_CHECKING:  # see above
    from warpsmith.scoring.results.score_table import TaskResult
    from warpsmith.scoring.tasks.any_task import AnyTask
    from warpsmith.scoring.tasks.completions import Completion

RUN_EXAMPLES = """\b
Examples:
  warpsmith-score run tasks.jsonl completions.jsonl -o results.jsonl
  warpsmith-score run tasks.jsonl completions.jsonl -o results.jsonl --seed 7     the same hidden values in every run
  warpsmith-score run tasks.jsonl completions.jsonl -o results.jsonl --k 1 --k 5 --json
  warpsmith-score run tasks.jsonl completions.jsonl -o results.jsonl --speed           estimate the speed of right answers
  warpsmith-score run tasks.jsonl completions.jsonl -o results.jsonl --gpu --p 1       measure it, and print fast_1

A completion is a line {"task_id": …, "completion": …}; a task may have several. Results repeat the line with passed, reward,
level, status, reason and counterexample. After an interruption, the same command continues with the results so far; results
of a finished run are printed again, and replaced only with --force.

Exit codes: 0 done, whatever the scores are; 2 bad arguments or input, or the machine prevented the work; 3 no such device.
"""

_DEFAULTS = {
    "seconds_per_answer": SECONDS_PER_ANSWER, "partial": False, "speed": False, "speed_weight": 0.0, "device": None,
}  # fmt: skip
"""The arguments of the scorer without options."""


@click.command("run", context_settings=options.CONTEXT, epilog=RUN_EXAMPLES)
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
@click.option("--speed", is_flag=True, help="Estimate the speed of right answers in plain CUDA, and print fast_p.")
@click.option(
    "--speed-weight",
    type=click.FloatRange(0.0, 1.0),
    default=0.0,
    show_default=True,
    help="The part of the reward of right answers in plain CUDA that depends on their speed.",
)
@click.option(
    "--gpu",
    is_flag=True,
    help="Measure the speed of right answers in plain CUDA on a GPU, and print fast_p. Without a GPU, see --speed.",
)
@click.option("--device", default="cuda:0", show_default=True, help="The CUDA device for --gpu.")
@click.option(
    "--p", "p_values", multiple=True, type=click.FloatRange(0.0), help="Print fast_p. Repeatable.  [default: 0.8, 1, 2]"
)
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
    gpu: bool,
    device: str,
    p_values: tuple[float, ...],
    k_values: tuple[int, ...],
    force: bool,
    as_json: bool,
    **settings: Any,
) -> int:
    """Score COMPLETIONS of TASKS, and print pass@k with 95% intervals by task and category."""
    from warpsmith.scoring.results.score_rows import read_pending
    from warpsmith.scoring.results.score_table import DEFAULT_P, default_k, print_rows, summarize

    check_output(output, (tasks, completions))
    pending, without = read_pending(tasks, completions)
    settings["device"] = device if gpu else None
    results, inconclusive = _results((tasks, completions), output, pending, force, settings)
    shown = tuple(dict.fromkeys(k_values)) or default_k(results.values())
    fast = (tuple(dict.fromkeys(p_values)) or DEFAULT_P) if settings["speed"] or settings["speed_weight"] or gpu else ()
    table = summarize(results.values(), shown, fast)
    if as_json:
        options.print_json(
            {"without_completions": without, "inconclusive": inconclusive, "rows": [row.to_dict() for row in table]}
        )
        return EXIT_DONE
    if without:
        terminal.err.print(f"{without:,} tasks have no completions and do not count", soft_wrap=True)
    if inconclusive:
        terminal.err.print(f"{inconclusive:,} completions could not be judged, see their reasons in {output}", soft_wrap=True)
    print_rows(table, shown, fast)
    return EXIT_DONE


def _results(
    inputs: tuple[Path, Path],
    output: Path,
    pending: Sequence[tuple[AnyTask, Completion]],
    force: bool,
    settings: Mapping[str, Any],
) -> tuple[dict[str, TaskResult], int]:
    """Return the results by task, from the file if the run is finished, and the number of answers that were not judged."""
    from warpsmith.scoring.results.partial_results import continued, finished, run_key
    from warpsmith.scoring.results.score_rows import count_results, score_pending
    from warpsmith.scoring.scorer import Scorer

    other = {name: value for name, value in settings.items() if name in _DEFAULTS}
    key = run_key(inputs, settings["seed"], {} if other == _DEFAULTS else other)
    if (known := finished(output, key, force)) is not None:
        terminal.err.print(f"{output} is complete: nothing was scored (--force scores again)", soft_wrap=True)
        return count_results(pending, known)
    with (
        continued(output, key) as (stored, file),
        Scorer(**settings) as scorer,
        terminal.progress("score", len(pending), "completions") as advance,
    ):
        return score_pending(pending, scorer, file, advance, stored)
