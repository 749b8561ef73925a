"""`export`: a dataset in, a folder for training libraries out."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import TargetError, WarpsmithError
from warpsmith.core.export.clusters import clusters
from warpsmith.core.export.decontamination import Benchmarks
from warpsmith.core.export.export_card import card
from warpsmith.core.export.export_manifest import ExportManifest
from warpsmith.core.export.export_request import Request, kept_together
from warpsmith.core.export.export_summary import left_out, summarize
from warpsmith.core.export.first_pass import Scan, scan
from warpsmith.core.export.output_folder import finished_export
from warpsmith.core.export.second_pass import SplitWriters
from warpsmith.core.export.splits import assign
from warpsmith.core.extras import EXPORT
from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.files.new_folder import appearing
from warpsmith.core.records.jsonl import Line, decode, raw_lines
from warpsmith.core.terminal import progress


def export(dataset: Dataset, request: Request, output: Path) -> tuple[ExportManifest, bool]:
    """Write the pairs of ``dataset`` to a new folder.

    Returns:
        The manifest, and whether the export was written by this call; False means that it was already complete.

    Raises:
        TargetError: if the folder cannot be used.
        WarpsmithError: if the dataset is incomplete, no pair is left to export, or the extra is not installed.
    """
    request.form.require()
    EXPORT.load("rensa")
    dataset.require_complete()
    arguments = request.arguments(dataset)
    if (finished := finished_export(output, arguments)) is not None:
        return finished, False
    benchmarks = Benchmarks(request.exclude)
    with appearing(output) as folder:
        scanned = scan(dataset, request, benchmarks)
        if not scanned.ids:
            reasons = "; ".join(left_out(scanned, benchmarks).remarks()) or "it has none"
            raise WarpsmithError(f"no pair of {dataset.folder} is left to export: {reasons}")
        groups = [scanned.groups[name] for name in kept_together(request.split_by)]
        named = clusters(scanned.ids, groups, [scanned.python, scanned.code])
        writers = SplitWriters(folder, request)
        splits = _write(dataset, scanned, named, request, writers)
        manifest = summarize(dataset, arguments, scanned, benchmarks, named, splits, writers)
        write_atomic(folder / "README.md", card(manifest).encode())
        manifest.write(folder)
    return manifest, True


def _write(dataset: Dataset, scanned: Scan, named: Sequence[str], request: Request, writers: SplitWriters) -> list[str]:
    """Write all pairs and return the split of each."""
    split_of = assign(Counter(named), request.fractions)
    splits = [split_of[name] for name in named]
    with progress("write", len(splits), "pairs") as advance:
        for line, split in zip(_taken_lines(dataset, scanned), splits, strict=True):
            writers.put(line, split)
            advance()
    writers.close()
    return splits


def _taken_lines(dataset: Dataset, scanned: Scan) -> Iterator[Line]:
    """Yield the lines that are exported.

    Raises:
        TargetError: if a shard is not the file that was scanned.
    """
    taken = iter(scanned.taken)
    for shard in dataset.shards:
        read = hashlib.sha256()
        for number, raw in raw_lines(shard, read):
            if next(taken, False) and raw is not None:
                yield decode(raw, shard, number)
        if read.hexdigest() != scanned.digests[shard]:
            raise TargetError(f"{shard} changed while it was read: run the command again")
