"""`warpsmith-score tasks` for a folder of programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from warpsmith.core.datasets.manifest import Manifest, file_digest
from warpsmith.core.errors import TargetError
from warpsmith.core.export.export_manifest import Source
from warpsmith.core.export.export_request import check_files
from warpsmith.core.files.atomic import replacing, write_atomic
from warpsmith.core.files.leftovers import remove_leftovers
from warpsmith.core.records.encoding import encode
from warpsmith.scoring.commands.from_dataset import Selected, check_output, origin_file, print_rows
from warpsmith.scoring.tasks.quota import LeftOut, Quota

if TYPE_CHECKING:  # loads NumPy
    from warpsmith.scoring.tasks.any_task import AnyTask
    from warpsmith.scoring.tasks.program_task import ProgramKind


_PER_BATCH = 8
"""How many tasks are judged together, which takes half a second for each."""


def program_files(dataset: Path) -> list[Path]:
    """Return the files of a folder of programs, or the file itself if it has programs; none for other datasets."""
    if dataset.is_file():
        return [dataset] if dataset.name.startswith("programs-") else []
    return sorted(dataset.glob("programs-*.jsonl")) if not any(dataset.glob("pairs-*.jsonl")) else []


def write_program_tasks(selected: Selected, files: list[Path], judge: bool, seed: int | None, verdicts: Path | None) -> int:
    """Write the tasks about programs and the file of their origin, print how many there are, and return the exit code.

    Args:
        selected: the options of the command.
        files: the files of the programs.
        judge: whether to score the references, and leave out tasks whose reference does not score 1.
        seed: fixes the other parameters of ``judge``.
        verdicts: the file of verdicts; None without.

    Raises:
        TargetError: if nothing says that the programs are right, or no program becomes a task.
        WarpsmithError: if there is no such kind of task.
    """
    from warpsmith.scoring.program_task_making import program_kind
    from warpsmith.scoring.tasks.program_task import PROGRAM_KINDS

    kinds = [program_kind(name) for name in dict.fromkeys(selected.kinds or PROGRAM_KINDS)]
    if not (judge or verdicts or selected.check):
        raise TargetError(
            f"{selected.dataset} holds programs without verdicts: run warpsmith-validate programs {selected.dataset} "
            "-o verdicts.jsonl and give --verdicts verdicts.jsonl, or give --check or --judge to run the programs now"
        )
    check_output(selected.output, (*files, *selected.exclude))
    remove_leftovers(selected.output)
    left_out, counts = LeftOut(), Counter({kind.name: 0 for kind in kinds})
    with replacing(selected.output) as file:
        for task in _tasks(selected, files, kinds, left_out, judge, seed, verdicts):
            file.write(encode(task.to_row()))
            counts[task.kind] += 1
        if not counts.total():
            raise TargetError(
                f"no program of {selected.dataset} became a task: {'; '.join(left_out.lines()) or 'there are none'}"
            )
    write_atomic(origin_file(selected.output), encode(_origin(selected, files, counts)))
    return print_rows(selected, "tasks", [], counts, left_out)


def _tasks(
    selected: Selected,
    files: list[Path],
    kinds: list[ProgramKind],
    left_out: LeftOut,
    judge: bool,
    seed: int | None,
    verdicts: Path | None,
) -> Iterator[AnyTask]:
    from warpsmith.scoring import program_task_making as making
    from warpsmith.scoring.scorer import Scorer
    from warpsmith.scoring.task_making import judged_tasks

    programs = making.program_records(files)
    if verdicts is not None:
        programs = making.programs_with_verdicts(programs, verdicts, kinds, left_out)
    elif selected.check:
        programs = making.checked_programs(programs, kinds, left_out, unconfined=selected.unconfined)
    exclude, quota = check_files(selected.exclude), Quota(selected.limit, selected.per_category)
    if not judge:
        yield from making.wanted_program_tasks(programs, kinds, left_out, quota, exclude)
        return
    tasks = making.wanted_program_tasks(programs, kinds, left_out, exclude=exclude)
    enough = takewhile(lambda _: any(quota.wants(kind.name) for kind in kinds), tasks)
    with Scorer(seed=seed, unconfined=selected.unconfined) as scorer:
        yield from judged_tasks(enough, scorer, quota, left_out, per_batch=_PER_BATCH)


def _origin(selected: Selected, files: list[Path], counts: Counter[str]) -> dict[str, object]:
    return {
        "rows": "tasks",
        "counts": dict(counts),
        "selection": {"limit": selected.limit, "per_category": selected.per_category, "exclude": [*map(str, selected.exclude)]},
        "dataset": {"of": {file.name: file_digest(file) for file in files}},
        "source": msgspec.to_builtins(
            msgspec.structs.replace(Source.of(Manifest.read(files[0].parent)), preambles=msgspec.UNSET)
        ),
    }
