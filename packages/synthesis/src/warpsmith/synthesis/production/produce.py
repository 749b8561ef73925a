"""`produce`: makes the dataset of a plan, continues an interrupted one, or extends one by more pairs."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import filelock
import msgspec
import orjson

from warpsmith.core.datasets.manifest import MANIFEST, NO_ADDITIONS, Manifest, Origin, differing_arguments, read_origin
from warpsmith.core.errors import TargetError, WarpsmithError
from warpsmith.core.execution.executor import Executor
from warpsmith.core.files import storage
from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.records.encoding import encode
from warpsmith.core.terminal import progress
from warpsmith.synthesis.production.chunks import (
    BUILD_FOLDER,
    WORK_FOLDER,
    Summary,
    covers_positions,
    finished_chunk,
    finished_shard,
    matches,
    summary_path,
)
from warpsmith.synthesis.production.dataset_plan import Chunk, Plan, chunk_file
from warpsmith.synthesis.production.manifest_writer import summaries_of, versions, write_manifest
from warpsmith.synthesis.production.shards import Job, make_shards
from warpsmith.synthesis.production.synthesis_workers import run_in_worker

PLAN = "plan.json"
LOCK = "lock"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished run.

    Attributes:
        manifest: the manifest of the dataset.
        made: the number of pairs that this run made; the rest was finished earlier.
        was_complete: whether no shard was missing.
        extended: the number of pairs that an earlier run was about, if it was smaller; None if it was not.
    """

    manifest: Manifest
    made: int
    was_complete: bool
    extended: int | None = None


def produce(plan: Plan, folder: Path, executor: Executor, device: str | None = None) -> Outcome:
    """Make the dataset of ``plan`` in ``folder``, or the missing part of it.

    A folder with fewer pairs of the same plan is extended: its complete shards stay as they are, and a last shard that is
    shorter than the others is made again with the same lines at its beginning.

    Args:
        plan: the plan of the dataset.
        folder: its folder, which is created.
        executor: runs the work; the bytes do not depend on it, and one executor continues what another one started.
        device: where to build the kernels, None if they are not built.

    Raises:
        TargetError: if ``folder`` cannot be written, or another run uses it.
        WarpsmithError: if ``folder`` contains other files, a dataset of other arguments or of more pairs, or the plan is too
            large.
    """
    if problem := plan.problem():
        raise WarpsmithError(problem)
    manifest, earlier = _check_folder(plan, folder)
    work = folder / WORK_FOLDER
    try:
        storage.make_folder(work)
    except TargetError as error:
        reason = getattr(error.__cause__, "strerror", None) or error
        raise TargetError(f"cannot write in {folder}: {reason}; choose another --output") from error
    try:
        with _lock(work):
            if earlier is not None:
                _remove_chunks(earlier, folder)
            outcome = _continue(Job(plan, folder, device), manifest, executor)
            storage.remove_folder(work)
            return replace(outcome, extended=earlier.count if earlier is not None else None)
    except filelock.Timeout:
        raise TargetError(f"another run is at work in {folder}; wait for it, or choose another --output") from None
    except OSError as error:
        if isinstance(error.filename, str) and not Path(error.filename).is_relative_to(folder):
            raise  # the home folder of a builder, or the temporary folder
        raise TargetError(f"cannot write in {folder}: {error.strerror or error}; choose another --output") from error


@contextlib.contextmanager
def _lock(work: Path) -> Iterator[None]:
    """Exclude other runs from a folder. An object store has neither locks nor partial files; two runs write the same bytes."""
    if not storage.is_local(work):
        yield
        return
    with filelock.FileLock(work / LOCK, timeout=0):
        _remove_temporary_files(work.parent)
        yield
        _remove_temporary_files(work.parent)  # of a node that was lost during this run


def _remove_temporary_files(folder: Path) -> None:
    """Remove the files that a killed run had not renamed yet."""
    patterns = [f".{name}.*.tmp" for name in ("pairs-*", "programs-*", "rejects.jsonl", "README.md", MANIFEST)]
    temporary = [path for pattern in patterns for path in folder.glob(pattern)]
    for path in (*temporary, *(folder / WORK_FOLDER).glob(".*.tmp")):
        path.unlink()
    for path in (folder / WORK_FOLDER).glob(f"{BUILD_FOLDER}*"):
        shutil.rmtree(path, ignore_errors=True)


def _remove_chunks(plan: Plan, folder: Path) -> None:
    """Remove the unfinished chunks of the last shard of a smaller plan: a larger plan divides this shard in another way."""
    for path in (folder / WORK_FOLDER).glob(f"{Path(plan.shard_file(plan.shards[-1])).stem}-*"):
        path.unlink()


def _check_folder(plan: Plan, folder: Path) -> tuple[Manifest | None, Plan | None]:
    """Check that ``folder`` is empty or contains a dataset of ``plan``, or a smaller one.

    Returns:
        The manifest if the dataset is complete, and the plan of the smaller dataset if it is one.

    Raises:
        WarpsmithError: if the folder contains anything else.
    """
    try:
        manifest = Manifest.read(folder)
        origin = manifest or read_origin(folder / WORK_FOLDER / PLAN, Origin)
        files = sorted(path.name for path in folder.iterdir() if path.name != WORK_FOLDER) if folder.exists() else []
    except OSError as error:
        raise TargetError(f"cannot read in {folder}: {error.strerror or error}; choose another --output") from error
    if origin is None:
        if files:
            names = ", ".join(files[:3])
            raise WarpsmithError(
                f"{folder} contains no dataset but is not empty ({names}): choose another --output, or empty it"
            )
        return None, None
    count = origin.arguments.get("count") if isinstance(origin.arguments, dict) else None
    earlier = replace(plan, count=count) if isinstance(count, int) and 0 < count != plan.count else None
    if differences := list(_differences(origin, _origin(earlier or plan), folder)):
        raise WarpsmithError(
            f"{folder} contains another dataset: {'; '.join(differences)}. Choose another --output, or delete it"
        )
    if earlier is not None and earlier.count > plan.count:
        raise WarpsmithError(
            f"{folder} contains a dataset of {earlier.count:,} pairs, which does not shrink to {plan.count:,}: choose another "
            f"--output, or a --count of {earlier.count:,} or more"
        )
    return manifest, earlier


def _origin(plan: Plan) -> Origin:
    installed = run_in_worker(versions, plan.makes_programs, plan.ptx is not None)
    return Origin(arguments=msgspec.to_builtins(plan), versions=installed)


def _differences(found: Origin, expected: Origin, folder: Path) -> Iterator[str]:
    """Yield each argument and version of ``found`` that differs from ``expected``.

    Raises:
        WarpsmithError: if ``found`` has no arguments or no versions.
    """
    found_fields, expected_fields = (orjson.loads(msgspec.json.encode(origin)) for origin in (found, expected))
    for group, values in expected_fields.items():
        found_values = found_fields.get(group)
        if found_values is None:
            raise WarpsmithError(f"the manifest in {folder} has no {group}; choose another --output, or empty the folder")
        yield from differing_arguments({**NO_ADDITIONS, **found_values}, values)


def _continue(job: Job, manifest: Manifest | None, executor: Executor) -> Outcome:
    """Make the missing shards and write the manifest."""
    plan, folder = job.plan, job.folder
    shards = _finished_shards(plan, folder, manifest)
    if manifest is not None and len(shards) == len(plan.shards):
        return Outcome(manifest, made=0, was_complete=True)
    for summary in shards.values():  # some are only in the manifest, which is deleted below
        write_atomic(summary_path(folder, summary.file), encode(summary))
    write_atomic(folder / WORK_FOLDER / PLAN, msgspec.json.encode(_origin(plan)))
    (folder / MANIFEST).unlink(missing_ok=True)  # after the plan is written, so that one of the two always exists

    missing = [shard for shard in plan.shards if shard not in shards]
    chunks = _finished_chunks(plan, missing, folder)
    finished = sum(summary.pairs for summary in (*shards.values(), *chunks.values()))
    with progress("synthesize", plan.count, "pairs", finished) as advance:
        shards |= make_shards(job, missing, chunks, executor, advance)
    manifest = write_manifest(plan, [shards[shard] for shard in plan.shards], folder)
    return Outcome(manifest, made=manifest.pairs - finished, was_complete=not missing)


def _finished_shards(plan: Plan, folder: Path, manifest: Manifest | None) -> dict[int, Summary]:
    known = summaries_of(manifest, folder) if manifest else {}
    present = storage.names(folder)
    finished: dict[int, Summary] = {}
    for shard in plan.shards:
        name = plan.shard_file(shard)
        if name in present:
            positions = len(plan.positions(shard))
            summary = finished_shard(name, folder, positions) or known.get(name)
            if summary is not None and covers_positions(summary, positions) and matches(folder / name, summary):
                finished[shard] = summary
    return finished


def _finished_chunks(plan: Plan, missing: list[int], folder: Path) -> dict[Chunk, Summary]:
    present = storage.names(folder / WORK_FOLDER)
    chunks = [chunk for shard in missing for chunk in plan.chunks(shard) if chunk_file(chunk) in present]
    summaries = {chunk: finished_chunk(chunk, folder) for chunk in chunks}
    return {chunk: summary for chunk, summary in summaries.items() if summary is not None}
