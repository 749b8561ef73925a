"""`warpsmith-dataset show` without a pair: what a dataset contains, how much of it passed, and what can be done with it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from warpsmith.core.datasets.checks import Counts, count_verdicts
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.installation import has_module
from warpsmith.core.records.ir import Device

_LANGUAGES = {"cpu": "Python and C++", "cuda": "Python and CUDA", "both": "Python, C++ and CUDA"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The figures of a dataset, as ``--json`` prints them.

    Attributes:
        folder: its folder.
        pairs: the number of pairs.
        shards: the number of shards.
        bytes: the bytes of all shards.
        device: the targets of the generated code; None, like ``backward`` and ``categories``, if the dataset was not generated.
        backward: whether the pairs contain adjoints.
        categories: the number of categories.
        verdicts: the number of verdicts by level and status.
    """

    folder: str
    pairs: int
    shards: int
    bytes: int
    device: Device | None
    backward: bool | None
    categories: int | None
    verdicts: Counts


def overview(dataset: Dataset) -> Overview:
    """Return the figures of a dataset.

    The verdicts of a shard count as long as the shard has the size that the manifest states; no shard is read. Without a
    manifest, the shards are read.
    """
    manifest = dataset.manifest
    arguments = manifest.make_arguments if manifest else None
    return Overview(
        folder=str(dataset.folder),
        pairs=manifest.pairs if manifest else sum(1 for _ in dataset.lines()),
        shards=len(dataset.shards),
        bytes=sum(shard.stat().st_size for shard in dataset.shards),
        device=arguments.device if arguments else None,
        backward=arguments.backward if arguments else None,
        categories=len(arguments.categories) if arguments else None,
        verdicts=count_verdicts(dataset, dataset.stated_digests()),
    )


def describe(figures: Overview) -> Iterator[str]:
    """Yield the lines of an overview for a terminal."""
    content = f" of {_LANGUAGES[figures.device]}" if figures.device else ""
    directions = ", forward and adjoint" if figures.backward else ""
    files = "1 file" if figures.shards == 1 else f"{figures.shards:,} files"
    yield f"{figures.folder}: {figures.pairs:,} pairs{content}{directions}, {figures.bytes / 1e6:,.1f} MB in {files}"
    yield from _checks(figures.verdicts, figures.pairs)
    yield "next:"
    folder = shlex.quote(figures.folder)
    tool = shlex.quote(_command())
    steps = {
        f"{tool} report {folder}": "a page to look at",
        f"{tool} stats {folder}": "sizes, coverage of Warp, near duplicates",
        f"{tool} export {folder} --format chat -o DIR": "rows to train on",
        _in_python(figures.folder): "the same pairs in Python",
        f"{tool} export {folder} --push-to-hub NAME": "share it on the Hugging Face hub",
    }
    width = max(map(len, steps))
    yield from (f"  {step:{width}}  {purpose}" for step, purpose in steps.items())


def _in_python(folder: str) -> str:
    """Return the expression that reads a dataset with the libraries that are installed."""
    if has_module("datasets"):
        return f'datasets.load_dataset("json", data_files={str(Path(folder, "pairs-*.jsonl"))!r})'
    return f"warpsmith.core.Dataset.open({folder!r}).lines()"


def _checks(verdicts: Counts, pairs: int) -> Iterator[str]:
    if not verdicts:
        yield "not checked yet: warpsmith-validate run"
        return
    by_count: dict[str, list[str]] = {}
    for level, found in verdicts.items():
        text = f"{found['pass']:,} of {found.total():,} pass"
        failed = f", {found['fail']:,} fail" if found["fail"] else ""
        of_all = "" if found.total() >= pairs else f" (of {pairs:,})"
        by_count.setdefault(text + of_all + failed, []).append(level)
    yield "checked: " + "; ".join(f"{', '.join(levels)}: {text}" for text, levels in by_count.items())


def _command() -> str:
    """Return how this command was called, so that the next ones can be copied."""
    called = Path(sys.argv[0])
    return str(called) if called.name == "warpsmith-dataset" and not called.is_absolute() else "warpsmith-dataset"
