"""Runs a plan on a Ray cluster: one shard a task, whatever node it lands on.

A task makes what is missing of its shard, writes it and reports a summary, so that no text passes through the command. It keeps
parts as the processes of one machine do: what one executor began, another continues, and a shard whose node died goes on from
its parts.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from pathlib import Path

from warpsmith.core.commands.terminal import Advance
from warpsmith.core.datasets.manifest import Versions
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.execution import cluster
from warpsmith.synthesis.production.chunks import Summary, finished_part, finished_shard, join_parts
from warpsmith.synthesis.production.local import Workers, ask, settle_memory
from warpsmith.synthesis.production.manifest import versions
from warpsmith.synthesis.production.plan import Part, Plan


def on_cluster(
    plan: Plan,
    missing: dict[int, list[Part]],
    parts: dict[Part, Summary],
    folder: Path,
    workers: Workers,
    advance: Advance,
    address: str | None = None,
    at_most: int | None = None,
) -> Iterator[tuple[int, Summary]]:
    """Have the cluster at ``address`` make shards, ``at_most`` so many at a time, see `run.Executor` and `cluster.run`."""
    if workers.device not in {None, "cpu"}:
        raise WarpsmithError("--executor ray builds no kernels on GPUs: add --codegen-only, or use --executor local")
    found = {shard: sum(parts[part].pairs for part in needed if part in parts) for shard, needed in missing.items()}
    task = functools.partial(make_shard, plan, folder.absolute(), workers, ask(versions))
    for shard, summary in cluster.run(task, missing, address, at_most):
        advance(summary.pairs - found[shard])
        yield shard, summary


def make_shard(plan: Plan, folder: Path, workers: Workers, expected: Versions, shard: int) -> Summary:
    """Make a shard or what is missing of it, on whatever node this is.

    Raises:
        WarpsmithError: if the node has other versions than those ``expected``: it would write other bytes.
    """
    if versions() != expected:
        raise WarpsmithError(f"a node of the cluster has {versions()} and this command {expected}: install the same everywhere")
    _prepare(workers.accelerate)
    return finished_shard(shard, folder) or join_parts(
        shard, [finished_part(part, folder) or _make(plan, part, folder, workers) for part in plan.parts(shard)], folder
    )


def _make(plan: Plan, part: Part, folder: Path, workers: Workers) -> Summary:
    from warpsmith.synthesis.production.generate_pairs import make_part

    return make_part(plan, part, folder, lambda _: None, workers.device)


@functools.cache
def _prepare(accelerate: bool) -> contextlib.ExitStack:
    """Make a process ready, once, as those of one machine are."""
    from warpsmith.extraction.accelerate import accelerated

    for_good = contextlib.ExitStack()
    for_good.enter_context(accelerated(accelerate))
    settle_memory()
    return for_good
