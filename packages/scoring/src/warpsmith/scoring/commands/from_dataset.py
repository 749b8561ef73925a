"""The shared part of the commands that write rows about a dataset: options, the file, remarks and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from warpsmith.core import terminal
from warpsmith.core.commands import options
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import EXIT_DONE, TargetError
from warpsmith.core.export.export_manifest import Source
from warpsmith.core.export.export_request import check_files
from warpsmith.core.files import storage
from warpsmith.core.files.atomic import replacing, write_atomic
from warpsmith.core.files.leftovers import remove_leftovers
from warpsmith.core.records.encoding import encode
from warpsmith.scoring.tasks.quota import LeftOut, Quota
from warpsmith.scoring.tasks.task import Task
from warpsmith.scoring.tasks.task_kinds import kind_of

_OPTIONS = (
    click.option("--task", "kinds", multiple=True, metavar="TASK", help="A kind of task. Repeatable.  [default: all]"),
    click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The file to write, one row a line."),
    click.option("--limit", type=options.COUNT, help="The most rows of each kind of task."),
    click.option("--per-category", type=options.COUNT, help="The most rows of each kind of task and category."),
    click.option(
        "--exclude",
        multiple=True,
        metavar="FILE",
        type=click.Path(path_type=Path),
        help="Leave out pairs close to code in FILE: text, or strings of .json, .jsonl and .parquet. Repeatable.",
    ),
    click.option("--check", is_flag=True, help="Check the pairs now, up to the level gradient, instead of reading verdicts."),
    options.unconfined_option,
    click.option("--json", "as_json", is_flag=True, help="Print the result as JSON."),
)


def dataset_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the argument and the options of a command that writes rows about a dataset; `Selected` takes their values."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return click.argument("dataset", type=click.Path())(command)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """The values of `dataset_options`.

    Raises:
        WarpsmithError: from `names` and `tasks`, if a kind or a file does not exist.
    """

    dataset: str
    kinds: tuple[str, ...]
    output: Path
    limit: int | None
    per_category: int | None
    exclude: tuple[Path, ...]
    check: bool
    unconfined: bool
    as_json: bool

    def names(self, default: Sequence[str]) -> list[str]:
        """Return the kinds of tasks, each once."""
        return [kind_of(name).name for name in dict.fromkeys(self.kinds or default)]

    def tasks(self, dataset: Dataset, names: Sequence[str], left_out: LeftOut, quota: Quota | None = None) -> Iterator[Task]:
        """Return the tasks of a dataset, see `task_making.dataset_tasks`."""
        from warpsmith.scoring.task_making import dataset_tasks  # loads NumPy

        return dataset_tasks(
            dataset,
            names,
            quota=quota,
            exclude=check_files(self.exclude),
            check=self.check,
            unconfined=self.unconfined,
            left_out=left_out,
        )


def check_output(output: Path, inputs: tuple[Path, ...]) -> None:
    """Check that a command does not replace a file that it reads."""
    for path in inputs:
        if storage.is_local(path) and output.exists() and path.exists() and output.samefile(path):
            raise TargetError(f"{output} is read by this command: choose another file for --output")


def origin_file(output: Path) -> Path:
    """Return the file beside ``output`` that says where its rows come from.

    Examples:
        >>> origin_file(Path("tasks.jsonl")).name
        'tasks.origin.json'
    """
    return output.with_suffix(".origin.json")


def describe_origin(dataset: Dataset, selected: Selected, what: str, counts: Mapping[str, int]) -> dict[str, object]:
    """Return the origin of rows: the dataset with digests and the arguments that made it, the selection, and the counts."""
    return {
        "rows": what,
        "counts": dict(counts),
        "selection": {"limit": selected.limit, "per_category": selected.per_category, "exclude": [*map(str, selected.exclude)]},
        "dataset": dataset.digests(),
        "source": msgspec.to_builtins(msgspec.structs.replace(Source.of(dataset.manifest), preambles=msgspec.UNSET)),
    }


def write_rows(
    selected: Selected,
    what: str,
    names: Sequence[str],
    rows: Callable[[Dataset, LeftOut], Iterator[tuple[str, Mapping[str, object]]]],
) -> int:
    """Write the rows about a dataset and the file of their origin, and print how many there are of each kind of task.

    Args:
        selected: the options of the command.
        what: the word for the rows, such as ``"tasks"``.
        names: the kinds of tasks.
        rows: returns the rows, each with its kind of task.
    """
    opened = Dataset.open(storage.open_path(selected.dataset))
    check_output(selected.output, (*opened.shards, *selected.exclude))
    remove_leftovers(selected.output)
    problems = list(opened.problems())
    left_out, counts = LeftOut(), Counter(dict.fromkeys(names, 0))
    with replacing(selected.output) as file:
        for kind, row in rows(opened, left_out):
            file.write(encode(row))
            counts[kind] += 1
        if not counts.total():
            reasons = "; ".join(left_out.lines()) or "there are none"
            raise TargetError(f"no pair of {selected.dataset} became a {what[:-1]}: {reasons}")
    write_atomic(origin_file(selected.output), encode(describe_origin(opened, selected, what, counts)))
    return print_rows(selected, what, problems, counts, left_out)


def print_rows(selected: Selected, what: str, problems: Sequence[str], counts: Mapping[str, int], left_out: LeftOut) -> int:
    """Print how many rows there are of each kind of task, and why others are left out; return the exit code."""
    if selected.as_json:
        options.print_json({"problems": problems, what: counts, "left_out": list(left_out.lines())})
        return EXIT_DONE
    terminal.print_problems(problems)
    for remark in left_out.lines():
        terminal.err.print(remark, soft_wrap=True)
    table = [(name, f"{count:,}") for name, count in counts.items()]
    terminal.print_table(f"{what} in {selected.output}", ("task", what), table)
    return EXIT_DONE
