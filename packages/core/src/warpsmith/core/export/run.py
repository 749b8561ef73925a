"""`export`: from a dataset to a folder that trainers load, whole or not there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import compress
from pathlib import Path
from typing import Any

from warpsmith.core.commands.terminal import progress
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.export.card import card
from warpsmith.core.export.clusters import clusters
from warpsmith.core.export.decontamination import Benchmarks
from warpsmith.core.export.folder import MANIFEST, appearing, done_before
from warpsmith.core.export.manifest import left_out, manifest_of, packed
from warpsmith.core.export.request import Request
from warpsmith.core.export.scan import Scan, scan
from warpsmith.core.export.split_writers import SplitWriters
from warpsmith.core.export.splits import assign
from warpsmith.core.export.writers import require
from warpsmith.core.records.jsonl import write_atomic


def export(dataset: Dataset, request: Request, output: Path) -> tuple[dict[str, Any], bool]:
    """Write the pairs of ``dataset`` into a new folder, as ``request`` says.

    Returns:
        The manifest, and whether it was made just now rather than found complete.

    Raises:
        TargetError: if the folder cannot be used.
        WarpsmithError: if the dataset is not whole, or nothing of it can be exported.
    """
    require()
    for problem in dataset.problems():
        raise WarpsmithError(f"{dataset.folder} is not whole: {problem}; finish or repair it before it is exported")
    arguments = request.arguments(dataset)
    if (done := done_before(output, arguments)) is not None:
        return done, False
    benchmarks = Benchmarks(request.exclude)
    with appearing(output) as folder:
        found = scan(dataset, request, benchmarks)
        if not found.ids:
            raise WarpsmithError(f"no pair of {dataset.folder} is left to export: {left_out(found, benchmarks)}")
        named = clusters(found.ids, found.structures, [found.python, found.code])
        shelf = SplitWriters(folder, request)
        placed = _write(dataset, found, named, request, shelf)
        manifest = manifest_of(dataset, arguments, found, benchmarks, named, placed, shelf)
        write_atomic(folder / "README.md", card(manifest).encode())
        write_atomic(folder / MANIFEST, packed(manifest))
    return manifest, True


def _write(dataset: Dataset, found: Scan, named: Sequence[str], request: Request, shelf: SplitWriters) -> list[str]:
    """Write all pairs and return the split of each."""
    splits = assign(Counter(named), request.fractions)
    placed = [splits[name] for name in named]
    with progress("write", len(placed), "pairs") as advance:
        for line, split in zip(compress(dataset.lines(), found.taken), placed, strict=True):
            shelf.put(line, split)
            advance()
    shelf.close()
    return placed
