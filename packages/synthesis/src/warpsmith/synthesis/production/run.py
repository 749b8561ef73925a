"""`produce`: a dataset from a plan, continued if it was begun."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import filelock
import msgspec
import orjson

from warpsmith.core.commands.terminal import Advance, progress
from warpsmith.core.datasets import storage
from warpsmith.core.datasets.manifest import MANIFEST, Manifest, Origin, read_origin
from warpsmith.core.errors import TargetError, WarpsmithError
from warpsmith.core.records.jsonl import encode, write_atomic
from warpsmith.synthesis.production.chunks import (
    WORK_FOLDER,
    Summary,
    finished_part,
    finished_shard,
    join_parts,
    summary_path,
    whole,
)
from warpsmith.synthesis.production.local import Workers, ask, run_parts
from warpsmith.synthesis.production.manifest import summaries_of, versions, write_manifest
from warpsmith.synthesis.production.plan import Part, Plan, part_file, shard_file

PLAN = "plan.json"
LOCK = "lock"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished run: the manifest, and how many pairs were made just now rather than found."""

    manifest: Manifest
    made: int


Parts = dict[Part, Summary]


class Executor(Protocol):
    """Makes shards, wherever that is, and yields each with its summary as they come."""

    def __call__(
        self, plan: Plan, missing: dict[int, list[Part]], parts: Parts, folder: Path, workers: Workers, advance: Advance
    ) -> Iterator[tuple[int, Summary]]:
        """Make the shards of ``missing``, each given with its parts, of which ``parts`` are there; ``advance`` counts pairs."""


def on_this_machine(
    plan: Plan, missing: dict[int, list[Part]], parts: Parts, folder: Path, workers: Workers, advance: Advance
) -> Iterator[tuple[int, Summary]]:
    """Have this machine's processes make parts, and put shards together from them here."""
    todo = [part for needed in missing.values() for part in needed if part not in parts]
    yield from _join_complete(missing, parts, folder)
    for part, summary in run_parts(plan, todo, folder, workers, advance):
        parts[part] = summary
        yield from _join_complete({part.shard: missing[part.shard]}, parts, folder)


def produce(
    plan: Plan,
    folder: Path,
    workers: int,
    device: str | None,
    accelerate: bool = True,
    executor: Executor = on_this_machine,
) -> Outcome:
    """Make the dataset of ``plan`` in ``folder``, or what is missing of it.

    Args:
        plan: what to make.
        folder: where; it is created.
        workers: how many processes.
        device: where kernels are built, or None to leave them unbuilt.
        accelerate: whether workers may use `warpsmith.extraction.accelerate`; the bytes are the same.
        executor: who makes the shards; the bytes are the same, and one continues what another began.

    Raises:
        TargetError: if ``folder`` cannot be written or another run is at work in it.
        WarpsmithError: if it holds something else, or a dataset of other arguments.
    """
    begun = _begun(plan, folder)
    work = folder / WORK_FOLDER
    try:
        storage.make_folder(work)
        with _lock(work):
            outcome = _continue(plan, folder, Workers(workers, device, accelerate), begun, executor)
            storage.remove_folder(work)
            return outcome
    except filelock.Timeout:
        raise TargetError(f"another run is at work in {folder}; wait for it, or choose another --output") from None
    except OSError as error:
        raise TargetError(f"cannot write in {folder}: {error.strerror or error}; choose another --output") from error


@contextlib.contextmanager
def _lock(work: Path) -> Iterator[None]:
    """Be the only run in a folder. A store has neither locks nor half files; there two runs write the same bytes."""
    if not storage.is_local(work):
        yield
        return
    with filelock.FileLock(work / LOCK, timeout=0):
        _sweep(work.parent)
        yield
        _sweep(work.parent)  # what a node that died during this run was about to rename


def _sweep(folder: Path) -> None:
    """Remove what a killed run was about to rename."""
    ours = [f".{name}.*.tmp" for name in ("pairs-*", "rejects.jsonl", "README.md", MANIFEST)]
    for unfinished in (*(path for pattern in ours for path in folder.glob(pattern)), *(folder / WORK_FOLDER).glob(".*.tmp")):
        unfinished.unlink()


def _begun(plan: Plan, folder: Path) -> Manifest | None:
    """Return the manifest of an earlier run of the same plan, complete or not; None where there is nothing yet.

    Raises:
        WarpsmithError: if the folder holds anything else.
    """
    try:
        manifest = Manifest.read(folder)
        begun = manifest or read_origin(folder / WORK_FOLDER / PLAN, Origin)
    except OSError as error:
        raise TargetError(f"cannot read in {folder}: {error.strerror or error}; choose another --output") from error
    if begun is None:
        strangers = sorted(path.name for path in folder.iterdir() if path.name != WORK_FOLDER) if folder.exists() else []
        if strangers:
            names = ", ".join(strangers[:3])
            raise WarpsmithError(f"{folder} holds no dataset but is not empty ({names}): choose another --output, or empty it")
        return None
    there, now = (orjson.loads(msgspec.json.encode(each)) for each in (begun, _origin(plan)))
    differences = []
    for part, values in now.items():
        theirs = there.get(part)
        if theirs is None:
            raise WarpsmithError(f"the manifest in {folder} has no {part}; choose another --output, or empty the folder")
        differences += [
            f"{name} is {theirs.get(name)!r} there and {value!r} now"
            for name, value in values.items()
            if theirs.get(name) != value
        ]
    if differences:
        raise WarpsmithError(f"{folder} holds another dataset: {'; '.join(differences)}. Choose another --output, or delete it")
    return manifest


def _origin(plan: Plan) -> Origin:
    return Origin(arguments=msgspec.to_builtins(plan.arguments()), versions=ask(versions))


def _continue(plan: Plan, folder: Path, workers: Workers, begun: Manifest | None, executor: Executor) -> Outcome:
    shards = _finished_shards(plan, folder, begun)
    if begun is not None and len(shards) == len(plan.shards):
        return Outcome(begun, 0)
    for summary in shards.values():  # what only the manifest knew has to outlive it
        write_atomic(summary_path(folder, summary.file), encode(summary))
    write_atomic(folder / WORK_FOLDER / PLAN, msgspec.json.encode(_origin(plan)))
    (folder / MANIFEST).unlink(missing_ok=True)  # only now, so that one of the two always says what the folder holds

    missing = {shard: plan.parts(shard) for shard in plan.shards if shard not in shards}
    parts = _finished_parts([part for needed in missing.values() for part in needed], folder)
    found = sum(summary.pairs for summary in (*shards.values(), *parts.values()))
    with progress("synthesize", plan.count, "pairs", found) as advance:
        shards |= executor(plan, missing, parts, folder, workers, advance)
    manifest = write_manifest(plan, [shards[shard] for shard in plan.shards], folder)
    return Outcome(manifest, manifest.pairs - found)


def _join_complete(wanted: dict[int, list[Part]], parts: Parts, folder: Path) -> Iterator[tuple[int, Summary]]:
    """Put together those of the shards that have all their parts."""
    for shard, needed in wanted.items():
        if all(part in parts for part in needed):
            yield shard, join_parts(shard, [parts.pop(part) for part in needed], folder)


def _finished_shards(plan: Plan, folder: Path, begun: Manifest | None) -> dict[int, Summary]:
    known = summaries_of(begun, folder) if begun else {}
    present = storage.names(folder)
    finished: dict[int, Summary] = {}
    for shard in plan.shards:
        name = shard_file(shard)
        if name in present:
            summary = finished_shard(shard, folder) or known.get(name)
            if summary is not None and whole(folder / name, summary):
                finished[shard] = summary
    return finished


def _finished_parts(parts: list[Part], folder: Path) -> Parts:
    present = storage.names(folder / WORK_FOLDER)
    found = {part: finished_part(part, folder) for part in parts if part_file(part) in present}
    return {part: summary for part, summary in found.items() if summary is not None}
