"""`verify`: holds a dataset against its manifest, and makes pairs of it again to compare them byte for byte."""

from __future__ import annotations

import hashlib
import heapq
import math
import re
from collections import defaultdict
from functools import partial
from itertools import chain
from pathlib import Path

import msgspec

from warpsmith.core.commands.terminal import progress
from warpsmith.core.datasets.manifest import MANIFEST, Manifest
from warpsmith.core.errors import WarpsmithError
from warpsmith.synthesis.production.chunks import Summary
from warpsmith.synthesis.production.compare import Compared, Sampled, compare
from warpsmith.synthesis.production.local import Workers, ask, run_tasks
from warpsmith.synthesis.production.manifest import summaries_of, versions
from warpsmith.synthesis.production.plan import Plan, chosen_categories, shard_file

_DISTRIBUTIONS = {"warp": "warp-lang=={}", "generator": "a warpsmith of generator version {}", "schema": "schema version {}"}


def verify(folder: Path, sample: str, workers: int) -> Compared:
    """Hold every shard in ``folder`` against the manifest, and the pairs of a sample against what is made now.

    Of a shard whose digest is another, all pairs are made again, so that those that differ are named.

    Args:
        folder: of a complete dataset.
        sample: how many pairs, see `sample_size`.
        workers: how many processes.

    Raises:
        WarpsmithError: if there is no manifest, or it is one of other versions than are installed: then it says which.
    """
    plan, summaries = _read(folder)
    places = _chosen(plan, sample_size(sample, plan.count))
    tasks = [Sampled(shard, tuple(places[shard])) for shard in plan.shards]
    with progress("verify", len(tasks), "shards") as advance:
        answers = run_tasks(partial(compare, plan, folder, summaries), tasks, Workers(workers), advance)
        found = [answer for _, answer in sorted(answers, key=lambda each: each[0].shard)]
    listed = set(map(shard_file, plan.shards))
    strangers = sorted(path.name for path in folder.glob("pairs-*.jsonl") if path.name not in listed)
    return Compared(
        len(tasks),
        sum(each.pairs for each in found),
        (*chain.from_iterable(each.differences for each in found), *(f"{name} is not in the manifest" for name in strangers)),
    )


def sample_size(text: str, count: int) -> int:
    """Turn ``"1%"``, ``"500"`` or ``"all"`` into a number of pairs, at most ``count``; ``"0"`` is none, digests alone.

    Raises:
        WarpsmithError: if it is none of these.
    """
    if text == "all":
        return count
    found = re.fullmatch(r"(\d+)|(\d+(?:\.\d+)?)%", text)
    if found is None or (found[2] and float(found[2]) > 100.0):
        raise WarpsmithError(f"--sample is a number of pairs, a percentage such as 1%, or 'all', not {text!r}")
    return min(int(found[1]) if found[1] else math.ceil(count * float(found[2]) / 100.0), count)


def _read(folder: Path) -> tuple[Plan, dict[str, Summary]]:
    """The plan and the summaries that the manifest tells, if this installation could have made them."""
    manifest = Manifest.read(folder)
    if manifest is None:
        raise WarpsmithError(
            f"{folder} has no {MANIFEST}, so nothing says what it should hold: name the folder of a complete dataset"
        )
    if not manifest.versions:
        raise WarpsmithError(f"{folder / MANIFEST} does not say which versions made the dataset")
    theirs, ours = (msgspec.structs.asdict(each) for each in (manifest.versions, ask(versions)))
    needed = [_DISTRIBUTIONS[name].format(theirs[name]) for name in ours if theirs[name] != ours[name]]
    if needed:
        raise WarpsmithError(
            f"{folder} was made with {manifest.versions}; this is {ask(versions)}: verify it with {' and '.join(needed)}"
        )
    if manifest.make_arguments is None:
        raise WarpsmithError(
            f"{folder / MANIFEST} holds no plan: a dataset that was filtered is verified where it was taken from"
        )
    plan = msgspec.convert(manifest.make_arguments, Plan, from_attributes=True)
    summaries = summaries_of(manifest, folder)
    if min(plan.shard_size, plan.count, len(plan.categories)) < 1 or summaries.keys() != set(map(shard_file, plan.shards)):
        raise WarpsmithError(f"{folder / MANIFEST} contradicts itself: its plan and its list of shards are not of one dataset")
    ask(chosen_categories, plan.categories)
    return plan, summaries


def _chosen(plan: Plan, size: int) -> defaultdict[int, list[int]]:
    """The places of the sample by shard: those with the smallest digests, the same ones every time."""
    smallest = heapq.nsmallest(size, range(plan.count), key=lambda place: hashlib.sha256(str(place).encode()).digest())
    found: defaultdict[int, list[int]] = defaultdict(list)
    for place in sorted(smallest):
        found[place // plan.shard_size].append(place)
    return found
