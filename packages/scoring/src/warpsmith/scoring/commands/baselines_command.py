"""`warpsmith-score baselines`: the scores of answers that need no model."""

from __future__ import annotations

from pathlib import Path

import click

from warpsmith.core import terminal
from warpsmith.core.commands import options
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import EXIT_DONE, WarpsmithError
from warpsmith.core.files import storage
from warpsmith.scoring.tasks.task import read_tasks

EXAMPLES = """\b
Examples:
  warpsmith-score baselines tasks.jsonl
  warpsmith-score baselines tasks.jsonl --train data/verified --seed 7
  warpsmith-score baselines tasks.jsonl --baseline reference --json     check that all references score 1

\b
Baselines:
  reference   the reference, which Warp generates
  empty       an empty answer
  copied      the code of the prompt; for an adjoint, the forward pass under its signature; for a repair, the broken text
  mutant      the reference with one random edit of a value; it may be equivalent
  nearest     the answer of the most similar pair of --train, with the names of the task

Tasks that a baseline has no answer for are left out of its rows.

Exit codes: 0 done, whatever the scores are; 2 bad arguments or input.
"""

NAMES = ("reference", "empty", "copied", "mutant", "nearest")


@click.command(context_settings=options.CONTEXT, epilog=EXAMPLES)
@click.argument("tasks", type=click.Path(path_type=Path))
@click.option("--train", metavar="DATASET", help="The training set for nearest.")
@click.option("--baseline", "chosen", multiple=True, type=click.Choice(NAMES), help="Repeatable.  [default: all]")
@click.option("--seed", type=options.INDEX, default=0, show_default=True, help="Determines the mutants and the hidden values.")
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
@options.unconfined_option
def baselines(tasks: Path, train: str | None, chosen: tuple[str, ...], seed: int, as_json: bool, unconfined: bool) -> int:
    """Score answers that need no model on TASKS, and print the mean reward and pass@1."""
    from warpsmith.scoring.baselines import baselines as all_baselines
    from warpsmith.scoring.baselines import score_baselines
    from warpsmith.scoring.scorer import Scorer

    if "nearest" in chosen and train is None:
        raise WarpsmithError("the baseline nearest needs --train")
    known = list(read_tasks(tasks))
    lines = Dataset.open(storage.open_path(train)).lines() if train is not None else None
    pairs = None if lines is None else [line.pair for line in lines if line.pair is not None]
    selected = [baseline for baseline in all_baselines(seed, pairs) if baseline.name in (chosen or NAMES)]
    with (
        Scorer(seed=seed, unconfined=unconfined) as scorer,
        terminal.progress("baselines", len(known) * len(selected), "answers") as advance,
    ):
        rows = list(score_baselines(known, selected, scorer, advance))
    if as_json:
        options.print_json({"rows": [row.to_dict() for row in rows]})
        return EXIT_DONE
    texts = [row.texts() for row in rows]
    terminal.print_table("baselines, with 95% intervals", ("baseline", "task", "tasks", "reward", "pass@1 %"), texts)
    return EXIT_DONE
