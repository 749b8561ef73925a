"""`export`: a dataset in, a folder for training libraries out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.export.clusters import clusters
from warpsmith.core.export.decontamination import Benchmarks
from warpsmith.core.export.export_candidates import benchmarks_of
from warpsmith.core.export.export_card import card
from warpsmith.core.export.export_manifest import ExportArguments, ExportManifest
from warpsmith.core.export.export_request import Request, kept_together
from warpsmith.core.export.export_summary import left_out, summarize
from warpsmith.core.export.first_pass import Scan, scan
from warpsmith.core.export.output_folder import finished_export
from warpsmith.core.export.second_pass import write
from warpsmith.core.export.splits import assign
from warpsmith.core.export.training_tasks import TASKS
from warpsmith.core.extras import EXPORT
from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.files.new_folder import appearing, scratch


def export(dataset: Dataset, request: Request, output: Path, workers: int = 1) -> tuple[ExportManifest, bool]:
    """Write the pairs of ``dataset`` to a new folder.

    Returns:
        The manifest, and whether the export was written by this call; False means that it was already complete.

    Raises:
        TargetError: if the folder cannot be used.
        WarpsmithError: if the dataset is incomplete, no pair is left to export, or an extra is not installed.
    """
    (result,) = export_formats(dataset, [(request, output)], workers)
    return result


def export_formats(
    dataset: Dataset, requests: Sequence[tuple[Request, Path]], workers: int = 1
) -> list[tuple[ExportManifest, bool]]:
    """Write the pairs of ``dataset`` in several formats, as several calls of `export` do; the pairs are read and compared once.

    Args:
        dataset: the dataset.
        requests: requests that differ in format and tasks only, and the folder of each.
        workers: processes that read; the bytes do not depend on their number.

    Returns:
        The result of each as `export` returns it.

    Raises:
        TargetError: see `export`, as for other errors.
    """
    for request, _ in requests:
        request.form.require()
    EXPORT.load("rensa")
    dataset.require_complete()
    arguments = [request.arguments(dataset) for request, _ in requests]
    found = [finished_export(output, each) for (_, output), each in zip(requests, arguments, strict=True)]
    missing = [number for number, manifest in enumerate(found) if manifest is None]
    if missing:
        chosen = [requests[number][0] for number in missing]
        tasks = tuple(task for task in TASKS if any(task in request.tasks for request in chosen))
        reading = chosen[0].reading(dataset, tasks, arguments[missing[0]])
        with scratch(requests[missing[0]][1]) if tasks else nullcontext() as folder:
            forms = tuple(request.form.name for request in chosen if request.tasks)
            reading = replace(reading, forms=forms, folder=folder)
            scans = scan(reading, chosen, workers)
            write_export = partial(_export, dataset, _Clusters(), benchmarks_of(reading), workers)
            for number, scanned in zip(missing, scans, strict=True):
                found[number] = write_export(*requests[number], arguments[number], scanned)
    return [(manifest, number in missing) for number, manifest in enumerate(found) if manifest is not None]


class _Clusters:
    """The clusters of pairs, which formats with the same pairs share."""

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[str, ...], str], list[str]] = {}

    def of(self, scanned: Scan, split_by: str) -> list[str]:
        """Return the cluster of each pair."""
        key = tuple(scanned.ids), split_by
        if key not in self._known:
            groups = [scanned.groups[name] for name in kept_together(split_by)]
            self._known[key] = clusters(scanned.ids, groups, [scanned.python, scanned.code])
        return self._known[key]


def _export(
    dataset: Dataset,
    clusters_of: _Clusters,
    benchmarks: Benchmarks,
    workers: int,
    request: Request,
    output: Path,
    arguments: ExportArguments,
    scanned: Scan,
) -> ExportManifest:
    """Write one format."""
    with appearing(output) as folder:
        if not scanned.ids:
            reasons = "; ".join(left_out(scanned, benchmarks).remarks()) or "it has none"
            raise WarpsmithError(f"no pair of {dataset.folder} is left to export: {reasons}")
        named = clusters_of.of(scanned, request.split_by)
        split_of = assign(Counter(named), request.fractions)
        splits = [split_of[name] for name in named]
        written = write(folder, request, scanned, splits, workers)
        manifest = summarize(dataset, arguments, scanned, benchmarks, named, splits, written)
        write_atomic(folder / "README.md", card(manifest, written.example).encode())
        manifest.write(folder)
    return manifest
