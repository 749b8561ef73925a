"""The plan of a dataset: its arguments, and which pairs stand in which shard.

The command has a plan without having loaded Warp; what is asked about categories does load it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from warpsmith.core.datasets.manifest import MakeArguments
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.ir import Device
from warpsmith.synthesis.kernel_key import Complexity, KernelKey, Profile

PART_SIZE, LAST_PART_SIZE = 200, 50
"""Pairs that a worker makes at a time: enough to lose no time between, and of the last shard so few that all end together."""


@dataclass(frozen=True, slots=True)
class Part:
    """The pairs of a shard from ``start`` to before ``stop``, counted over the whole dataset."""

    shard: int
    number: int
    start: int
    stop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that decides the bytes of a dataset, apart from the versions of Warp and of the generator.

    Attributes:
        count: how many pairs.
        seed: the seed of all of them.
        device: which code they hold.
        backward: whether they hold adjoints.
        codegen_only: whether kernels are left unbuilt.
        categories: names, in the order of `all_categories`.
        profile: which kernels, see `generate`.
        complexity: how long they get, see there.
        shard_size: pairs a shard.
    """

    count: int
    seed: int
    device: Device
    backward: bool
    codegen_only: bool
    categories: tuple[str, ...]
    shard_size: int
    profile: Profile = "default"
    complexity: Complexity = "medium"

    @property
    def shards(self) -> range:
        """The numbers of the shards."""
        return range(-(-self.count // self.shard_size))

    def parts(self, shard: int) -> list[Part]:
        """The parts of a shard, in order; a part is what one worker makes at a time."""
        places = range(shard * self.shard_size, min((shard + 1) * self.shard_size, self.count))
        size = LAST_PART_SIZE if shard == self.shards[-1] else PART_SIZE
        return [
            Part(shard, number, start, min(start + size, places.stop))
            for number, start in enumerate(range(places.start, places.stop, size))
        ]

    def kernels(self, part: Part) -> list[KernelKey]:
        """The kernels of a part; the chosen categories take turns, a rare one every so many.

        An id means one kernel in every dataset. A selection of core categories takes those indices that have one of them; every
        other category counts for itself.
        """
        from warpsmith.synthesis.writing.catalogue.categories import all_categories, core_categories

        core = [category.name for category in core_categories()]
        every = {category.name: category.every for category in all_categories()}
        turns = math.lcm(*(every[name] for name in self.categories))
        cycle = [(name, turn // every[name]) for turn in range(turns) for name in self.categories if turn % every[name] == 0]
        found = []
        for place in range(part.start, part.stop):
            cycles, position = divmod(place, len(cycle))
            name, number = cycle[position]
            number += cycles * turns // every[name]
            found.append(self.key(number * len(core) + core.index(name)) if name in core else self.key(number, name))
        return found

    def key(self, index: int, category: str = "") -> KernelKey:
        """Return the key of a kernel; ``category`` is empty for a core kernel."""
        return KernelKey(self.seed, index, category=category, profile=self.profile, complexity=self.complexity)

    def arguments(self) -> MakeArguments:
        """Return the plan in the form that the manifest holds it."""
        return MakeArguments(**asdict(self))


def shard_file(shard: int) -> str:
    """The name of a shard's file."""
    return f"pairs-{shard:05}.jsonl"


def part_file(part: Part) -> str:
    """The name of a part's file."""
    return f"pairs-{part.shard:05}-{part.number:03}.jsonl"


def chosen_categories(names: Sequence[str]) -> tuple[str, ...]:
    """Turn what a user asked for, names and groups, into names.

    Raises:
        WarpsmithError: naming what is unknown and what there is.
    """
    from warpsmith.synthesis.writing.catalogue.categories import all_categories

    known = all_categories()
    groups = {category.group for category in known} | {"all"}
    unknown = [name for name in names if name not in groups and name not in {category.name for category in known}]
    if unknown:
        choices = ", ".join(category.name for category in known)
        raise WarpsmithError(
            f"unknown category {', '.join(unknown)}; choose from {choices}, or a group: {', '.join(sorted(groups))}"
        )
    chosen = [item.name for item in known if {item.name, item.group, "all"} & set(names)]
    return tuple(chosen)
