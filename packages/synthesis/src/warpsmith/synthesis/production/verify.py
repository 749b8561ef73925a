"""`verify`: compares a dataset with its manifest, and a sample of its pairs with the same pairs generated again."""

from __future__ import annotations

import hashlib
import heapq
import itertools
import sys
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from warpsmith.core.datasets.manifest import MANIFEST, Manifest, Versions
from warpsmith.core.datasets.sample_size import sample_size
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.execution.executor import Executor
from warpsmith.core.terminal import progress
from warpsmith.synthesis.production.chunks import Summary, matches
from warpsmith.synthesis.production.dataset_plan import Plan, ProgramPlan, chosen_categories, program_categories
from warpsmith.synthesis.production.manifest_writer import summaries_of, versions
from warpsmith.synthesis.production.shard_comparison import Comparison, ShardSample, compare
from warpsmith.synthesis.production.synthesis_workers import run_in_worker

_REQUIREMENTS = {
    "warp": "warp-lang=={}",
    "generator": "a warpsmith of generator version {}",
    "schema": "schema version {}",
    "nvrtc": "nvidia-cuda-nvrtc=={}",
}


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
    present = [shard for shard in plan.shards if matches(folder / plan.shard_file(shard), summaries[plan.shard_file(shard)])]
    positions = _sample_positions(plan, present, sample_size(sample, plan.count))
    samples = [ShardSample(shard, tuple(positions[shard])) for shard in plan.shards]
    with progress("verify", len(samples), "shards") as advance:
        results = list(executor.run(partial(compare, plan, folder, summaries), samples, advance))
    comparisons = [comparison for _, comparison in sorted(results, key=lambda result: result[0].shard)]
    listed = set(map(plan.shard_file, plan.shards))
    unlisted = sorted(path.name for path in folder.glob(f"{plan.prefix}-*.jsonl") if path.name not in listed)
    differences = [difference for comparison in comparisons for difference in comparison.differences]
    differences += [f"{name} is not in the manifest" for name in unlisted]
    return Comparison(len(samples), sum(comparison.pairs for comparison in comparisons), tuple(differences))


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
    _check_versions(folder, manifest.versions, _is_of_programs(manifest))
    kind = ProgramPlan if _is_of_programs(manifest) else Plan
    if kind is Plan and manifest.make_arguments is None:
        raise WarpsmithError(
            f"{folder / MANIFEST} contains no plan: of a filtered dataset, only the dataset it was taken from can be verified"
        )
    contradiction = f"{folder / MANIFEST} contradicts itself: "
    try:
        plan = msgspec.convert(
            manifest.arguments if kind is ProgramPlan else manifest.make_arguments, kind, from_attributes=True
        )
    except msgspec.ValidationError as error:
        raise WarpsmithError(f"{contradiction}{error}") from error
    if problem := plan.problem() or _contradiction(plan, manifest):
        raise WarpsmithError(f"{contradiction}{problem}")
    chosen = run_in_worker(program_categories) if plan.makes_programs else run_in_worker(chosen_categories, plan.categories)
    if chosen != plan.categories:
        raise WarpsmithError(f"{contradiction}its categories are repeated or in another order")
    return plan, summaries_of(manifest, folder)


def _contradiction(plan: Plan, manifest: Manifest) -> str | None:
    """Return how the list of shards differs from the plan, so that all numbers are within the limits of a plan."""
    if [shard.file for shard in manifest.shards] != [plan.shard_file(shard) for shard in plan.shards]:
        return "its plan and its list of shards do not match"
    for number, shard in enumerate(manifest.shards):
        if not all(0 <= count <= len(plan.positions(number)) for count in (shard.pairs, shard.rejects or 0)):
            return f"{shard.file} cannot have that many pairs and rejects"
        if not 0 <= shard.bytes <= sys.maxsize:
            return f"{shard.file} cannot have {shard.bytes} bytes"
    return None


def _is_of_programs(manifest: Manifest) -> bool:
    return isinstance(manifest.arguments, dict) and manifest.arguments.get("programs") is True


def _check_versions(folder: Path, made_with: Versions, of_programs: bool) -> None:
    stated = made_with.stated()
    installed = run_in_worker(versions, of_programs, "nvrtc" in stated)
    required = [_REQUIREMENTS[name].format(version) for name, version in stated.items() if version != getattr(installed, name)]
    if required:
        raise WarpsmithError(
            f"{folder} was made with {made_with}; this is {installed}: verify it with {' and '.join(required)}"
        )


def _sample_positions(plan: Plan, present: Sequence[int], size: int) -> defaultdict[int, list[int]]:
    """Return the positions of the sample by shard: those with the smallest digests, so that samples are reproducible.

    Of a shard that is missing or has another size, the pairs are not sampled: `compare` generates all pairs that it contains.
    """
    candidates = itertools.chain.from_iterable(map(plan.positions, present))
    smallest = heapq.nsmallest(size, candidates, key=lambda position: hashlib.sha256(str(position).encode()).digest())
    positions: defaultdict[int, list[int]] = defaultdict(list)
    for position in sorted(smallest):
        positions[position // plan.shard_size].append(position)
    return positions
