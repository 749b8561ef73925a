"""Pairs of captured kernels: each launch that is kept becomes a pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from warpsmith.core.errors import KernelRejected, describe
from warpsmith.core.records.ir import Device
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Origin, Pair, Reject
from warpsmith.extraction.capturing.recorder import KernelLaunches, ObservedLaunch
from warpsmith.extraction.harvest import extract_pair
from warpsmith.extraction.launches.pair_launch import launch_from
from warpsmith.extraction.launches.snapshot import NotExpressible
from warpsmith.extraction.targets.importing import package_version
from warpsmith.extraction.targets.origin import identity_of, origin_of
from warpsmith.extraction.warp import registries


@dataclass(slots=True)
class PairMaker:
    """Pairs of captured kernels; pairs with the same texts, options and launch are yielded once."""

    seen: Counter[str] = field(default_factory=Counter)
    made: set[tuple[str, str, str]] = field(default_factory=set)
    rejected: set[tuple[str, str]] = field(default_factory=set)

    def results(self, kernel: KernelLaunches, module: str, device: Device, include_backward: bool) -> Iterator[Pair | Reject]:
        """Yield the pairs of one kernel, or its reject."""
        package = module.partition(".")[0]
        identity = identity_of(kernel.kernel, package, package_version(package), module)
        origin = origin_of(kernel.kernel, module)
        pairs: dict[int | None, Pair] = {}
        expressed: list[tuple[Pair, Launch]] = []
        reasons: list[str] = []
        try:
            for launch in kernel.launches:
                if launch.block_dim not in pairs:
                    pairs[launch.block_dim] = pair_of(kernel.kernel, launch.block_dim, identity, device, include_backward)
                pair = pairs[launch.block_dim]
                try:
                    expressed.append((pair, _launch(pair, launch)))
                except NotExpressible as error:
                    reasons.append(str(error))
        except KernelRejected as error:
            if (identity, error.reason) not in self.rejected:
                self.rejected.add((identity, error.reason))
                yield Reject(id=identity, seed=None, index=None, stage=error.stage, error=error.reason, origin=origin)
            return
        for pair, inferred in expressed:
            yield from self._placed(pair, inferred, replace(origin, launch="captured"))
        if not expressed and pairs:
            yield from self._placed(next(iter(pairs.values())), None, replace(origin, reason=reasons[0]))

    def _placed(self, pair: Pair, launch: Launch | None, origin: Origin) -> Iterator[Pair]:
        """Yield the pair with its launch and a new id, unless there is the same one already."""
        key = pair.python_source, repr(pair.metadata.module_options), repr(launch)
        if key in self.made:
            return
        self.made.add(key)
        self.seen[pair.id] += 1
        number = self.seen[pair.id]
        yield replace(
            pair,
            id=pair.id if number == 1 else f"{pair.id}#{number}",
            metadata=replace(pair.metadata, launch=launch, origin=origin),
        )


def pair_of(kernel: Any, block_dim: int | None, identity: str, device: Device, include_backward: bool) -> Pair:
    """Return the pair of a kernel for launches with a size of blocks, without a launch.

    Raises:
        KernelRejected: if the kernel cannot become one.
    """
    with registries.block_dim_option(kernel, block_dim):
        try:
            return extract_pair(kernel, device, include_backward, identity=identity)
        except KernelRejected:
            raise
        except Exception as error:
            raise KernelRejected("source", describe(error)) from error


def _launch(pair: Pair, observed: ObservedLaunch) -> Launch:
    if observed.arguments is None:
        raise NotExpressible(observed.reason)
    return launch_from(pair, observed.dim, observed.arguments)
