"""`warpsmith-dataset export`: a dataset in the formats that training libraries load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
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
from warpsmith.core.export.formats import FORMATS, WITH_TASKS
from warpsmith.core.export.hub import push, upload_command
from warpsmith.core.export.token_counts import ESTIMATE, QUANTILES, quantiles_row
from warpsmith.core.export.training_tasks import TASKS

PARQUET = ", ".join(form.name for form in FORMATS.values() if form.extension == "parquet")

EXAMPLES = f"""\b
Examples:
  warpsmith-dataset export data/both                             Parquet, in data/both-parquet
  warpsmith-dataset export data/verified --format chat -o data/chat
  warpsmith-dataset export data/both --format completion --task python_to_cuda,forward_to_adjoint --split 0.9,0.1
  warpsmith-dataset export data/both --format chat --format prompt --max-tokens 8192 -o data/exports
  warpsmith-dataset export data/both --format chat --tokenizer tokenizer.json --max-tokens 4096
  warpsmith-dataset export data/both --require gradient=pass --exclude benchmark.jsonl --exclude their_kernels.py
  warpsmith-dataset export data/verified --push-to-hub me/warp-pairs --private

\b
Formats:
{chr(10).join(f"  {form.name:14} {form.help}" for form in FORMATS.values())}

The library `datasets` reads the Parquet files of {PARQUET} by datasets.load_dataset(FOLDER). Pairs of the same
idea or structure, or with similar Python or code, form a cluster, and no cluster is divided between splits.

A row has the numbers of tokens of question and answer. Without --tokenizer, a token is an estimate of 3.5 bytes.

Needs the extra warpsmith-core[export], and for --push-to-hub warpsmith-core[hub]. An error names the command that installs it.

Exit codes: 0 done, 2 bad arguments, input or output folder.
"""


@click.command("export", context_settings=options.CONTEXT, epilog=EXAMPLES)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The new folder; with several formats, the folder of one folder for each.  [default: DATASET-FORMAT]",
)
@click.option(
    "--format",
    "forms",
    type=click.Choice(list(FORMATS)),
    multiple=True,
    default=("parquet",),
    show_default=True,
    help="The format of the rows and files. Repeatable: pairs are read and compared once for all.",
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
@click.option(
    "--max-tokens", type=options.COUNT, metavar="N", help="Leave out rows with more tokens, question and answer together."
)
@click.option(
    "--tokenizer",
    metavar="NAME|FILE",
    help="Count tokens by a tokenizer of the Hugging Face hub, or by a file tokenizer.json.  [default: 3.5 bytes]",
)
@options.condition_options
@click.option(
    "--exclude",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Leave out pairs close to code in FILE: text, or strings of .json, .jsonl and .parquet. Repeatable.",
)
@options.workers_option
@click.option("--shard-size", type=options.COUNT, default=10_000, show_default=True, help="Pairs in a file.")
@click.option(
    "--push-to-hub", "repository", metavar="REPO", help="Also upload the folder to this dataset of the Hugging Face hub."
)
@click.option("--private", is_flag=True, help="Make a new dataset of the hub private.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def export_command(
    dataset: Path,
    output: Path | None,
    forms: tuple[str, ...],
    tasks: str | None,
    split: str,
    split_by: str,
    max_tokens: int | None,
    tokenizer: str | None,
    required: tuple[str, ...],
    only: tuple[str, ...],
    exclude: tuple[Path, ...],
    workers: str,
    shard_size: int,
    repository: str | None,
    private: bool,
    as_json: bool,
) -> int:
    """Write the pairs of DATASET, a folder with pairs-*.jsonl or one JSONL file, in a format for training."""
    from warpsmith.core.export.export_run import export_formats

    _check_upload(repository, private, len(forms))
    request = Request(
        form=FORMATS[forms[0]],
        tasks=(),
        fractions=read_fractions(split),
        split_by=split_by,
        required=tuple(map(Condition.read, required)),
        only=tuple(map(Condition.read, only)),
        exclude=check_files(exclude),
        shard_size=shard_size,
        tokenizer=tokenizer or ESTIMATE,
        max_tokens=max_tokens,
    )
    requests = _requests(request, forms := tuple(dict.fromkeys(forms)), tasks)
    folders = [_folder(dataset, form, output, len(forms)) for form in forms]
    results = export_formats(Dataset.open(dataset), list(zip(requests, folders, strict=True)), options.processes(workers))
    summaries = [
        _report(manifest, folder, written, repository, private, as_json)
        for folder, (manifest, written) in zip(folders, results, strict=True)
    ]
    if as_json:
        options.print_json(summaries[0] if len(summaries) == 1 else summaries)
    return EXIT_DONE


def _check_upload(repository: str | None, private: bool, formats: int) -> None:
    if private and repository is None:
        raise click.UsageError("--private belongs to --push-to-hub")
    if repository is not None and formats > 1:
        raise click.UsageError("--push-to-hub uploads one format: give --format once")


def _requests(request: Request, forms: Sequence[str], tasks: str | None) -> list[Request]:
    """Return a request for each format; ``--task`` is for those with tasks, if there are any."""
    with_tasks = [form for form in forms if FORMATS[form].row is not None]
    if request.max_tokens is not None and len(with_tasks) < len(forms):
        raise click.UsageError(f"--max-tokens goes with --format {WITH_TASKS}; other formats hold whole records")
    named = [tasks if form in with_tasks or not with_tasks else None for form in forms]
    return [
        replace(request, form=FORMATS[form], tasks=read_tasks(text, FORMATS[form]))
        for form, text in zip(forms, named, strict=True)
    ]


def _folder(dataset: Path, form: str, output: Path | None, formats: int) -> Path:
    """Return the folder of one of several formats."""
    if output is None:
        return _default_output(dataset, form).absolute()
    return (output if formats == 1 else output / form).absolute()


def _report(
    manifest: ExportManifest, folder: Path, written: bool, repository: str | None, private: bool, as_json: bool
) -> dict[str, object]:
    """Print what was exported, upload it where that was requested, and return the summary for ``--json``."""
    if not as_json:
        _print(manifest, folder, written)
    uploaded = push(folder, repository, private) if repository is not None else None
    if not as_json:
        if uploaded is None:
            terminal.err.print(f"upload: {upload_command(folder) or 'add --push-to-hub NAME to this command'}", soft_wrap=True)
        else:
            terminal.out.print(f"uploaded: {uploaded}", soft_wrap=True)
    summary = msgspec.to_builtins(manifest)
    del summary["source"], summary["files"]
    return {"output": str(folder), "made": written, "uploaded": uploaded, **summary}


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
    table = [(name, *quantiles_row(found)) for name, found in manifest.tokens.items()]
    terminal.print_table(f"tokens, by {manifest.arguments.tokenizer}", (manifest.counted, *QUANTILES), table)
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
