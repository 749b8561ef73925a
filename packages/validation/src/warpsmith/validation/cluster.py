"""Judges a dataset on a Ray cluster: one shard a task, in a limited child on the node that it lands on, as on one machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from warpsmith.core.commands.terminal import progress
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.execution import cluster
from warpsmith.validation.dataset_run import Found, Job, chosen_lines, judge_shard
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.sandbox.pool import WorkerPool


def on_cluster(
    dataset: Dataset,
    levels: Sequence[Level],
    sample: int | None,
    _workers: int,
    again: bool,
    module: str,
    address: str | None = None,
    at_most: int | None = None,
) -> Iterator[Found]:
    """Judge shards on the cluster at ``address``, ``at_most`` so many at a time, see `run.Executor` and `cluster.run`."""
    chosen = None if sample is None else chosen_lines(dataset, sample)
    folder = dataset.folder.absolute()  # a node's working folder is another one
    jobs = (
        Job(
            replace(dataset, folder=folder, shards=(folder / shard.name,), manifest=None),
            levels,
            None if chosen is None else {folder / shard.name: chosen[shard]},
            again,
            module,
        )
        for shard in dataset.shards
    )
    found: dict[Path, Found] = {}
    with progress(f"validate {levels[-1].name}", len(dataset.shards), "shards") as advance:
        for job, result in cluster.run(judge_alone, jobs, address, at_most):
            (shard,) = job.dataset.shards
            found[shard] = result
            advance()
    yield from (found[folder / shard.name] for shard in dataset.shards)


def judge_alone(job: Job) -> Found:
    """Judge the one shard of a job, with a child of its own."""
    (shard,) = job.dataset.shards
    with WorkerPool(1, job.levels, job.module) as children:
        return judge_shard(job, shard, children, lambda _: None)
