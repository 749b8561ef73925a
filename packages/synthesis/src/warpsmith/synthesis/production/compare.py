"""Holds a shard against its manifest, line by line, and against the pairs that are made now."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from warpsmith.core.records.jsonl import encode
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.production.chunks import Summary
from warpsmith.synthesis.production.local import Report
from warpsmith.synthesis.production.plan import Part, Plan, shard_file

MOST_NAMED = 20
"""Differences of one shard that are named; the others are counted."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What a comparison found.

    Attributes:
        shards: how many files were held against their digests.
        pairs: how many pairs were made again.
        differences: one line each, in the order of the dataset.
    """

    shards: int
    pairs: int
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sampled:
    """Those places of a shard that are to be made again."""

    shard: int
    places: tuple[int, ...]


def compare(plan: Plan, folder: Path, summaries: dict[str, Summary], task: Sampled, report: Report) -> Compared:
    """Hold one shard of ``folder`` against its summary, and the pairs of ``task`` against what is made now."""
    name = shard_file(task.shard)
    differences, pairs = [f"{name} is missing"], 0
    if (folder / name).exists():
        content = (folder / name).read_bytes()
        start = task.shard * plan.shard_size
        every = range(start, min(start + plan.shard_size, plan.count))
        kernels = dict(zip(every, plan.kernels(Part(task.shard, 0, every.start, every.stop)), strict=True))
        changed = hashlib.sha256(content).hexdigest() != summaries[name].sha256
        differences = [f"{name} is not the file that was made: its SHA-256 differs from the manifest's"] * changed
        lines = _by_id(content)
        differences += _lost_and_found(kernels.values(), summaries[name], lines)
        chosen = [kernels[place] for place in (every if changed else task.places)]
        pairs = len(chosen)
        differences += _compared(plan, chosen, summaries[name], lines)
    report(1)
    rest = len(differences) - MOST_NAMED
    return Compared(1, pairs, (*differences[:MOST_NAMED], *([f"{name}: and {rest} more"] if rest > 0 else ())))


def _by_id(content: bytes) -> dict[str, list[bytes]]:
    """The lines of a shard by the id that they say; broken ones by none."""
    found: dict[str, list[bytes]] = {}
    for line in content.splitlines(keepends=True):
        found.setdefault(_id(line), []).append(line)
    return found


def _id(line: bytes) -> str:
    try:
        return str(orjson.loads(line)["id"])
    except (orjson.JSONDecodeError, LookupError, TypeError):
        return ""


def _lost_and_found(kernels: Iterable[KernelKey], summary: Summary, lines: dict[str, list[bytes]]) -> list[str]:
    """What stands in a shard and should not, or the other way round."""
    expected = Counter(key.id for key in kernels) - Counter(reject.id for reject in summary.rejects)
    present = Counter({identity: len(found) for identity, found in lines.items()})
    missing, strange = expected - present, present - expected
    return [
        *(f"{summary.file}: {identity} is missing" for identity in missing),
        *(f"{summary.file}: a line that is no pair" for identity in strange if not identity),
        *(
            f"{summary.file}: {identity} {'stands there more than once' if expected[identity] else 'does not belong there'}"
            for identity in strange
            if identity
        ),
    ]


def _compared(plan: Plan, kernels: Sequence[KernelKey], summary: Summary, lines: dict[str, list[bytes]]) -> list[str]:
    from warpsmith.synthesis.production.generate_pairs import STEP, make_pairs

    rejects = {reject.id: reject for reject in summary.rejects}
    found = []
    for start in range(0, len(kernels), STEP):
        for made in make_pairs(plan, kernels[start : start + STEP]):
            if made.id in rejects:
                difference = _against_reject(made, rejects[made.id])
            else:
                difference = _against_lines(made, lines.get(made.id, []), plan.codegen_only)
            if difference:
                found.append(f"{summary.file}: {made.id} {difference}")
    return found


def _against_reject(made: Pair | Reject, recorded: Reject) -> str:
    if recorded.stage == "build" or made == recorded:  # nothing is built here
        return ""
    return f"is no longer what was rejected: {recorded.stage}: {recorded.error}"


def _against_lines(made: Pair | Reject, lines: list[bytes], codegen_only: bool) -> str:
    if isinstance(made, Reject):
        return f"cannot be made: {made.stage}: {made.error}"
    for line in lines:
        theirs = orjson.loads(line)
        ours = made if codegen_only else _on_their_machine(made, theirs)
        if encode(ours) != line:
            fields = ", ".join(_differing(orjson.loads(encode(ours)), theirs))
            return f"differs in {fields}" if fields else "is written in another way"
    return ""


def _on_their_machine(pair: Pair, theirs: dict[str, Any]) -> Pair:
    """The pair as it was written where CUDA may have been, which only a run that builds looks for."""
    there = theirs.get("metadata")
    available = there.get("cuda_available") is True if isinstance(there, dict) else False
    return replace(pair, metadata=replace(pair.metadata, cuda_available=available))


def _differing(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """The fields of which the two have different values, those of the metadata one by one."""
    fields = [_flat(each) for each in (ours, theirs)]
    return sorted(name for name in {*fields[0], *fields[1]} if fields[0].get(name, _NOTHING) != fields[1].get(name, _NOTHING))


_NOTHING = object()


def _flat(pair: dict[str, Any]) -> dict[str, Any]:
    metadata = pair.get("metadata")
    if not isinstance(metadata, dict):
        return pair
    return {**pair, "metadata": None} | {f"metadata.{name}": value for name, value in metadata.items()}
