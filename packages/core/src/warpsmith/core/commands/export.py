"""`warpsmith-dataset export`: a dataset in the formats that training libraries load."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from warpsmith.core import terminal
from warpsmith.core.commands import options
from warpsmith.core.datasets.conditions import Condition
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import EXIT_DONE
from warpsmith.core.export.export_manifest import ExportManifest
from warpsmith.core.export.export_request import (
    DEFAULT_SPLIT_BY,
    MEASURES,
    SPLIT_BY,
    Request,
    check_files,
    read_fractions,
    read_tasks,
)
from warpsmith.core.export.formats import FORMATS
from warpsmith.core.export.hub import push, upload_command
from warpsmith.core.export.training_tasks import TASKS

PARQUET = ", ".join(form.name for form in FORMATS.values() if form.extension == "parquet")

EXAMPLES = f"""\b
Examples:
  warpsmith-dataset export data/both                             Parquet, in data/both-parquet
  warpsmith-dataset export data/verified --format chat -o data/chat
  warpsmith-dataset export data/both --format completion --task python_to_cuda,forward_to_adjoint --split 0.9,0.1
  warpsmith-dataset export data/both --require gradient=pass --exclude benchmark.jsonl --exclude their_kernels.py
  warpsmith-dataset export data/verified --push-to-hub me/warp-pairs --private

\b
Formats:
{chr(10).join(f"  {form.name:14} {form.help}" for form in FORMATS.values())}

The library `datasets` reads the Parquet files of {PARQUET} by datasets.load_dataset(FOLDER). Pairs of the same
idea or structure, or with similar Python or code, form a cluster, and no cluster is divided between splits.

Needs the extra warpsmith-core[export], and for --push-to-hub warpsmith-core[hub]. An error names the command that installs it.

Exit codes: 0 done, 2 bad arguments, input or output folder.
"""


@click.command("export", context_settings=options.CONTEXT, epilog=EXAMPLES)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The new folder.  [default: DATASET-FORMAT]")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="parquet",
    show_default=True,
    help="The format of the rows and files.",
)
@click.option("--task", "tasks", metavar="A,B", help=f"Some of {', '.join(TASKS)}.  [default: all]")
@click.option("--split", default="0.98,0.01,0.01", show_default=True, help="Shares of train, validation and test.")
@click.option(
    "--split-by",
    type=click.Choice(SPLIT_BY),
    default=DEFAULT_SPLIT_BY,
    show_default=True,
    help="What no two splits share: structures, also ideas, or also domains.",
)
@options.condition_options
@click.option(
    "--exclude",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Leave out pairs close to code in FILE: text, or strings of .json, .jsonl and .parquet. Repeatable.",
)
@click.option("--shard-size", type=options.COUNT, default=10_000, show_default=True, help="Pairs in a file.")
@click.option(
    "--push-to-hub", "repository", metavar="REPO", help="Also upload the folder to this dataset of the Hugging Face hub."
)
@click.option("--private", is_flag=True, help="Make a new dataset of the hub private.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def export_command(
    dataset: Path,
    output: Path | None,
    form: str,
    tasks: str | None,
    split: str,
    split_by: str,
    required: tuple[str, ...],
    only: tuple[str, ...],
    exclude: tuple[Path, ...],
    shard_size: int,
    repository: str | None,
    private: bool,
    as_json: bool,
) -> int:
    """Write the pairs of DATASET, a folder with pairs-*.jsonl or one JSONL file, in a format for training."""
    from warpsmith.core.export.export_run import export

    if private and repository is None:
        raise click.UsageError("--private belongs to --push-to-hub")
    request = Request(
        form=FORMATS[form],
        tasks=read_tasks(tasks, FORMATS[form]),
        fractions=read_fractions(split),
        split_by=split_by,
        required=tuple(map(Condition.read, required)),
        only=tuple(map(Condition.read, only)),
        exclude=check_files(exclude),
        shard_size=shard_size,
    )
    folder = (output or _default_output(dataset, form)).absolute()
    manifest, written = export(Dataset.open(dataset), request, folder)
    if not as_json:
        _print(manifest, folder, written)
    uploaded = push(folder, repository, private) if repository is not None else None
    if as_json:
        summary = msgspec.to_builtins(manifest)
        del summary["source"], summary["files"]
        options.print_json({"output": str(folder), "made": written, "uploaded": uploaded, **summary})
    elif uploaded is None:
        terminal.err.print(f"upload: {upload_command(folder) or 'add --push-to-hub NAME to this command'}", soft_wrap=True)
    else:
        terminal.out.print(f"uploaded: {uploaded}", soft_wrap=True)
    return EXIT_DONE


def _default_output(dataset: Path, form: str) -> Path:
    path = dataset.resolve()
    return path.with_name(f"{path.stem if path.is_file() else path.name}-{form.replace('.', '-')}")


def _print(manifest: ExportManifest, folder: Path, written: bool) -> None:
    for line in _remarks(manifest, written):
        terminal.err.print(line)
    rows = [
        (name, f"{split.pairs:,}", f"{split.share:.2%}", f"{split.lines:,}", f"{split.families:,}", f"{split.bytes:,}")
        for name, split in manifest.splits.items()
    ]
    terminal.print_table(str(folder), ("split", "pairs", "share", "rows", "clusters", "bytes"), rows)
    leaks = [(name, *(str(by_measure[measure]) for measure in MEASURES)) for name, by_measure in manifest.leakage.items()]
    if leaks:
        terminal.print_table("pairs that resemble a pair of an earlier split", ("split", *MEASURES), leaks)


def _remarks(manifest: ExportManifest, written: bool) -> list[str]:
    """Return what users should know besides the tables, one line each."""
    remarks = [] if written else ["already complete: nothing was written"]
    if manifest.has_large_cluster:
        largest = f"{manifest.families.largest:,} of {manifest.pairs:,} pairs"
        remarks.append(f"the largest cluster has {largest}: splits differ from --split")
    return remarks + manifest.left_out.remarks()
