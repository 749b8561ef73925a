"""`warpsmith-score repairs`: tasks that ask for a broken text to be repaired, with the fix."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

import click

from warpsmith.core.commands import options
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.scoring.commands.from_dataset import Selected, dataset_options, write_rows
from warpsmith.scoring.repair_forms import FORMS, ChatRow, PreferenceRow, RepairRow
from warpsmith.scoring.tasks.quota import LeftOut, Quota
from warpsmith.scoring.tasks.task_kinds import REPAIRABLE

EXAMPLES = f"""\b
Examples:
  warpsmith-score repairs data/verified -o repairs.jsonl
  warpsmith-score repairs data/verified --task forward_to_adjoint --per-pair 4 --seed 7 -o repairs.jsonl
  warpsmith-score repairs data/verified --form chat -o repairs-chat.jsonl
  warpsmith-score repairs data/samples --check --limit 20 -o repairs.jsonl     check the pairs now; no verdicts are needed

\b
Forms:
{chr(10).join(f"  {form.name:12}{form.help}" for form in FORMS.values())}

A reference is broken by one edit: of a value, of an adjoint, or a slip such as a missing semicolon. Rows contain the report of
the compiler or of the comparison. Both ends are judged: the fix scores 1, and the broken text fails. The same seed writes the
same file.

Exit codes: 0 done, 2 bad arguments, no such dataset, or no pair became a repair.
"""


@click.command(context_settings=options.CONTEXT, epilog=EXAMPLES)
@dataset_options
@click.option("--per-pair", type=options.COUNT, default=1, show_default=True, help="The most repairs of each pair and kind.")
@click.option("--seed", type=options.INDEX, default=0, show_default=True, help="Determines the edits and the hidden values.")
@click.option("--form", type=click.Choice(list(FORMS)), default="task", show_default=True, help="The form of the rows.")
def repairs(per_pair: int, seed: int, form: str, **values: Any) -> int:
    """Break references of DATASET on purpose, judge them, and write the tasks to repair them with the fix."""
    selected = Selected(**values)
    names = selected.names(REPAIRABLE)

    def rows(dataset: Dataset, left_out: LeftOut) -> Iterator[tuple[str, RepairRow | ChatRow | PreferenceRow]]:
        from warpsmith.scoring.repairs import repairs_of
        from warpsmith.scoring.scorer import Scorer

        quota = Quota(selected.limit, selected.per_category)
        enough = takewhile(lambda _: any(map(quota.wants, names)), selected.tasks(dataset, names, left_out))
        with Scorer(seed=seed, unconfined=selected.unconfined) as scorer:
            for repair in repairs_of(enough, scorer, seed=seed, per_pair=per_pair, quota=quota, left_out=left_out):
                yield repair.source.kind, FORMS[form].row(repair)

    return write_rows(selected, "repairs", names, rows)
