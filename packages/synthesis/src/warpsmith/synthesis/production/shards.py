"""Makes the missing shards of a dataset with an executor: chunk by chunk on this machine, a shard per task on a cluster.

Workers write files and return summaries, so that no text travels between processes. Both ways use the same chunk files: one
executor continues what another one started.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from warpsmith.core.datasets.manifest import Versions
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.execution.executor import Executor, Report, ignore
from warpsmith.synthesis.production.chunks import Summary, finished_chunk, finished_shard, join_chunks
from warpsmith.synthesis.production.dataset_plan import Chunk, Plan
from warpsmith.synthesis.production.manifest_writer import versions
from warpsmith.synthesis.production.synthesis_workers import run_in_worker


@dataclass(frozen=True, slots=True)
class Job:
    """Everything that a worker needs to make any chunk of a dataset.

    Attributes:
        plan: the plan of the dataset.
        folder: its folder.
        device: where to build the kernels, such as ``"cpu"`` or ``"cuda:0"``; None if they are not built.
    """

    plan: Plan
    folder: Path
    device: str | None = None


def make_shards(
    job: Job, missing: list[int], chunks: dict[Chunk, Summary], executor: Executor, report: Report
) -> Iterator[tuple[int, Summary]]:
    """Make the ``missing`` shards, and yield each with its summary in the order of completion.

    Args:
        job: the dataset.
        missing: the numbers of the shards.
        chunks: the finished chunks of these shards.
        executor: runs the work.
        report: receives numbers of pairs.

    Raises:
        WarpsmithError: see `Executor.run`; also if kernels would have to be built on the GPUs of a cluster.
    """
    make = _make_on_cluster if executor.remote else _make_locally
    return make(job, missing, chunks, executor, report)


def _make_locally(
    job: Job, missing: list[int], chunks: dict[Chunk, Summary], executor: Executor, report: Report
) -> Iterator[tuple[int, Summary]]:
    planned = {shard: job.plan.chunks(shard) for shard in missing}
    unfinished = [chunk for shard in missing for chunk in planned[shard] if chunk not in chunks]
    for shard in missing:
        yield from _join_if_complete(job, shard, planned[shard], chunks)
    for chunk, summary in executor.run(partial(make_chunk, job), unfinished, report):
        chunks[chunk] = summary
        yield from _join_if_complete(job, chunk.shard, planned[chunk.shard], chunks)


def _join_if_complete(
    job: Job, shard: int, planned: list[Chunk], chunks: dict[Chunk, Summary]
) -> Iterator[tuple[int, Summary]]:
    if all(chunk in chunks for chunk in planned):
        yield shard, join_chunks(job.plan.shard_file(shard), [chunks.pop(chunk) for chunk in planned], job.folder)


def _make_on_cluster(
    job: Job, missing: list[int], chunks: dict[Chunk, Summary], executor: Executor, report: Report
) -> Iterator[tuple[int, Summary]]:
    if job.device not in {None, "cpu"}:
        raise WarpsmithError("--executor ray builds no kernels on GPUs: omit --build, or use --executor local")
    remote_job = Job(job.plan, job.folder.absolute(), job.device)  # nodes have other working directories
    expected = run_in_worker(versions, job.plan.makes_programs, job.plan.ptx is not None)
    task = partial(make_shard, remote_job, expected)
    finished: Counter[int] = Counter()
    for chunk, summary in chunks.items():
        finished[chunk.shard] += summary.pairs
    for shard, summary in executor.run(task, missing, ignore):
        report(summary.pairs - finished[shard])
        yield shard, summary


def make_chunk(job: Job, chunk: Chunk, report: Report) -> Summary:
    """Make a chunk in a worker."""
    from warpsmith.synthesis.production.generate_pairs import generate_chunk  # loads Warp

    return generate_chunk(job.plan, chunk, job.folder, job.device, report)


def make_shard(job: Job, expected: Versions, shard: int, report: Report) -> Summary:
    """Make the unfinished chunks of a shard, and the shard, on any node of a cluster.

    Raises:
        WarpsmithError: if the node has other versions than ``expected``: it would write other bytes.
    """
    if (found := versions(job.plan.makes_programs, job.plan.ptx is not None)) != expected:
        raise WarpsmithError(f"a node of the cluster has {found} and this command {expected}: install the same everywhere")
    if (summary := finished_shard(job.plan.shard_file(shard), job.folder, len(job.plan.positions(shard)))) is not None:
        return summary
    chunks = [finished_chunk(chunk, job.folder) or make_chunk(job, chunk, report) for chunk in job.plan.chunks(shard)]
    return join_chunks(job.plan.shard_file(shard), chunks, job.folder)
