"""`verify`: compares a dataset with its manifest, and a sample of its pairs with the same pairs generated again."""

from __future__ import annotations

import hashlib
import heapq
import math
import re
from collections import defaultdict
from functools import partial
from pathlib import Path

import msgspec

from warpsmith.core.commands.terminal import progress
from warpsmith.core.datasets.manifest import MANIFEST, Manifest, Versions
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.execution.executor import Executor
from warpsmith.synthesis.production.chunks import Summary
from warpsmith.synthesis.production.compare import Comparison, ShardSample, compare
from warpsmith.synthesis.production.manifest import summaries_of, versions
from warpsmith.synthesis.production.plan import Plan, chosen_categories, shard_file
from warpsmith.synthesis.production.workers import run_in_worker

_REQUIREMENTS = {"warp": "warp-lang=={}", "generator": "a warpsmith of generator version {}", "schema": "schema version {}"}


def verify(folder: Path, sample: str, executor: Executor) -> Comparison:
    """Compare every shard in ``folder`` with the manifest, and a sample of the pairs with pairs that are generated now.

    Args:
        folder: the folder of a complete dataset.
        sample: the size of the sample, see `sample_size`.
        executor: runs the comparisons.

    Raises:
        WarpsmithError: if there is no manifest, or other versions than the installed ones made the dataset.
    """
    plan, summaries = _read(folder)
    positions = _sample_positions(plan, sample_size(sample, plan.count))
    samples = [ShardSample(shard, tuple(positions[shard])) for shard in plan.shards]
    with progress("verify", len(samples), "shards") as advance:
        results = list(executor.run(partial(compare, plan, folder, summaries), samples, advance))
    comparisons = [comparison for _, comparison in sorted(results, key=lambda result: result[0].shard)]
    listed = set(map(shard_file, plan.shards))
    unlisted = sorted(path.name for path in folder.glob("pairs-*.jsonl") if path.name not in listed)
    differences = [difference for comparison in comparisons for difference in comparison.differences]
    differences += [f"{name} is not in the manifest" for name in unlisted]
    return Comparison(len(samples), sum(comparison.pairs for comparison in comparisons), tuple(differences))


def sample_size(text: str, count: int) -> int:
    """Return the number of pairs that ``"1%"``, ``"500"`` or ``"all"`` means, at most ``count``.

    Raises:
        WarpsmithError: if ``text`` has none of these forms.
    """
    if text == "all":
        return count
    match = re.fullmatch(r"(\d+)|(\d+(?:\.\d+)?)%", text)
    if match is None or (match[2] and float(match[2]) > 100.0):
        raise WarpsmithError(f"--sample is a number of pairs, a percentage such as 1%, or 'all', not {text!r}")
    return min(int(match[1]) if match[1] else math.ceil(count * float(match[2]) / 100.0), count)


def _read(folder: Path) -> tuple[Plan, dict[str, Summary]]:
    """Return the plan and the summaries of the shards that the manifest contains.

    Raises:
        WarpsmithError: if the installed versions could not have made the dataset, or the manifest is incomplete.
    """
    manifest = Manifest.read(folder)
    if manifest is None:
        raise WarpsmithError(f"{folder} has no {MANIFEST} to compare it with: choose the folder of a complete dataset")
    if not manifest.versions:
        raise WarpsmithError(f"{folder / MANIFEST} does not say which versions made the dataset")
    _check_versions(folder, manifest.versions)
    if manifest.make_arguments is None:
        raise WarpsmithError(
            f"{folder / MANIFEST} contains no plan: of a filtered dataset, only the dataset it was taken from can be verified"
        )
    plan = msgspec.convert(manifest.make_arguments, Plan, from_attributes=True)
    summaries = summaries_of(manifest, folder)
    if min(plan.shard_size, plan.count, len(plan.categories)) < 1 or summaries.keys() != set(map(shard_file, plan.shards)):
        raise WarpsmithError(f"{folder / MANIFEST} contradicts itself: its plan and its list of shards do not match")
    run_in_worker(chosen_categories, plan.categories)
    return plan, summaries


def _check_versions(folder: Path, made_with: Versions) -> None:
    installed = run_in_worker(versions)
    required = [
        _REQUIREMENTS[name].format(version)
        for name, version in msgspec.structs.asdict(made_with).items()
        if version != getattr(installed, name)
    ]
    if required:
        raise WarpsmithError(
            f"{folder} was made with {made_with}; this is {installed}: verify it with {' and '.join(required)}"
        )


def _sample_positions(plan: Plan, size: int) -> defaultdict[int, list[int]]:
    """Return the positions of the sample by shard: those with the smallest digests, so that samples are reproducible."""
    smallest = heapq.nsmallest(size, range(plan.count), key=lambda position: hashlib.sha256(str(position).encode()).digest())
    positions: defaultdict[int, list[int]] = defaultdict(list)
    for position in sorted(smallest):
        positions[position // plan.shard_size].append(position)
    return positions
