"""`warpsmith-dataset export`: its options, and what it says when it is done."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warpsmith.core.commands import options, terminal
from warpsmith.core.errors import EXIT_DONE

if TYPE_CHECKING:
    from warpsmith.core.export.request import Format

EXAMPLES = """\b
Examples:
  warpsmith-dataset export data/both                             Parquet, in data/both-parquet
  warpsmith-dataset export data/verified --format chat -o data/chat
  warpsmith-dataset export data/both --format completion --task python-cuda,forward-backward --split 0.9,0.1
  warpsmith-dataset export data/both --require gradient=pass --exclude benchmark.jsonl --exclude their_kernels.py

\b
Formats:
  parquet      the records as a table, packed by zstd; metadata.launch and metadata.module_options are JSON text
  jsonl.zst    the records as they are, packed by zstd
  jsonl        the records as they are
  chat         lines {"messages": [question, answer], "id", "task", "category"}, packed by zstd
  completion   lines {"prompt", "completion", "id", "task", "category"}, packed by zstd

datasets.load_dataset(FOLDER) reads each of them. Pairs of one structure, and pairs whose Python or code is nearly the same, are
a family, and no family stands in two splits. Needs: pip install 'warpsmith-core[export]'

Exit codes: 0 done, 2 bad arguments, input or output folder.
"""


_KINDS = ("structure", "python", "code")


@click.command("export", context_settings=options.CONTEXT, epilog=EXAMPLES)
@click.argument("dataset", metavar="DIR", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The new folder.  [default: DIR-FORMAT]")
@click.option(
    "--format",
    "form",
    type=click.Choice(["parquet", "jsonl.zst", "jsonl", "chat", "completion"]),
    default="parquet",
    show_default=True,
    help="What a line is, and how lines are packed.",
)
@click.option(
    "--task",
    "tasks",
    metavar="A,B",
    help="Of python-cuda, cuda-python, forward-backward, description-kernel, cpp-cuda, cuda-cpp.  [default: all]",
)
@click.option("--split", default="0.98,0.01,0.01", show_default=True, help="Shares of train, validation and test.")
@options.condition_options
@click.option(
    "--exclude",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Drop pairs close to a text of FILE: a file is one text, of a .jsonl every string.",
)
@click.option("--shard-size", type=click.IntRange(min=1), default=10_000, show_default=True, help="Pairs a file.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def export_command(
    dataset: Path,
    output: Path | None,
    form: Format,
    tasks: str | None,
    split: str,
    required: tuple[str, ...],
    only: tuple[str, ...],
    exclude: tuple[Path, ...],
    shard_size: int,
    as_json: bool,
) -> int:
    """Write what trainers load from the pairs of DIR, a folder with pairs-*.jsonl or one JSONL file."""
    from warpsmith.core.datasets.conditions import Condition
    from warpsmith.core.datasets.folder import Dataset
    from warpsmith.core.export.request import Request, check_files, read_fractions, read_tasks
    from warpsmith.core.export.run import export

    request = Request(
        form=form,
        tasks=read_tasks(tasks, form),
        fractions=read_fractions(split),
        required=tuple(map(Condition.read, required)),
        only=tuple(map(Condition.read, only)),
        exclude=check_files(exclude),
        shard_size=shard_size,
    )
    named = dataset.resolve()
    folder = (output or named.with_name(f"{named.stem if named.is_file() else named.name}-{form.replace('.', '-')}")).absolute()
    manifest, made = export(Dataset.open(dataset), request, folder)
    if as_json:
        import orjson

        shown = {key: value for key, value in manifest.items() if key not in ("source", "files")}
        sys.stdout.write(orjson.dumps({"output": str(folder), "made": made, **shown}).decode() + "\n")
    else:
        _print(manifest, folder, made)
    return EXIT_DONE


def _print(manifest: dict[str, Any], folder: Path, made: bool) -> None:
    from warpsmith.core.export.card import leak
    from warpsmith.core.export.manifest import too_large

    if not made:
        terminal.err.print("already complete: nothing was written", markup=False)
    if too_large(manifest):
        largest = manifest["families"]["largest"]
        terminal.err.print(
            f"one family has {largest:,} of {manifest['pairs']:,} pairs: splits differ from --split", markup=False
        )
    for name, counts in manifest["left_out"]["close_to"].items():
        short = f", {counts['too_short']:,} too short to compare" if counts["too_short"] else ""
        terminal.err.print(f"{name}: {counts['pairs']:,} pairs close to one of {counts['texts']:,} texts{short}", markup=False)
    if unproven := manifest["left_out"]["by_verdict"]:
        terminal.err.print(f"{unproven:,} pairs left out for their verdicts", markup=False)
    rows = [
        (name, f"{split['pairs']:,}", f"{split['share']:.2%}", *(f"{split[key]:,}" for key in ("lines", "families", "bytes")))
        for name, split in manifest["splits"].items()
    ]
    terminal.print_table(str(folder), ("split", "pairs", "share", "lines", "families", "bytes"), rows)
    leaks = [(name, *(leak(kinds[kind]) for kind in _KINDS)) for name, kinds in manifest["leakage"].items()]
    if leaks:
        terminal.print_table("pairs with their like in a split before", ("split", *_KINDS), leaks)
