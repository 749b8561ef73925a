"""The plan of a dataset: its arguments, and the pairs of each shard. Warp is loaded only to expand categories."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from warpsmith.core.datasets.manifest import MakeArguments
from warpsmith.core.errors import WarpsmithError
from warpsmith.synthesis.kernel_key import Complexity, KernelKey, Profile
from warpsmith.synthesis.programs.program_key import ProgramKey

CHUNK_SIZE, LAST_CHUNK_SIZE = 200, 50
"""Pairs of a chunk: enough to keep workers busy; fewer in the last shard, so that all workers finish at about the same time."""

MAX_PAIRS = 100_000_000
"""The most pairs of a dataset, some 2 TB of text."""

MAX_PAIRS_PER_SHARD = 1_000_000
"""The most pairs of a shard, which is held in memory when it is joined."""

MAX_SHARDS = 100_000
"""The most shards of a dataset: names have five digits, and are read in alphabetical order."""

LARGEST_SEED = 2**63 - 1


Key: TypeAlias = KernelKey | ProgramKey
"""The key of a kernel or of a program."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Part of a shard that one worker makes at a time: the pairs from ``start`` to before ``stop`` of the whole dataset.

    The names of its files begin with ``prefix``.
    """

    shard: int
    number: int
    start: int
    stop: int
    prefix: str = "pairs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(MakeArguments):
    """The arguments of a dataset, from which its shards, chunks and keys follow.

    The versions of Warp and of the generator decide the bytes, too.
    """

    profile: Profile = "default"
    complexity: Complexity = "medium"

    @property
    def prefix(self) -> str:
        """What the names of the shards begin with."""
        return "pairs"

    @property
    def makes_programs(self) -> bool:
        """Whether the dataset consists of programs."""
        return False

    def problem(self) -> str | None:
        """Return why no dataset has these numbers, None if one can have them."""
        ranges = (
            ("the number of pairs", self.count, 1, MAX_PAIRS),
            ("the number of pairs per shard", self.shard_size, 1, MAX_PAIRS_PER_SHARD),
            ("the seed", self.seed, 0, LARGEST_SEED),
        )
        for name, value, low, high in ranges:
            if not low <= value <= high:
                return f"{name} is not from {low} to {high:,}"
        if len(self.shards) > MAX_SHARDS:
            return f"there would be {len(self.shards):,} shards, more than {MAX_SHARDS:,}: choose a larger --shard-size"
        return None

    @property
    def shards(self) -> range:
        """The numbers of the shards."""
        return range(-(-self.count // self.shard_size))

    def positions(self, shard: int) -> range:
        """Return the positions of the pairs of a shard in the dataset."""
        return range(shard * self.shard_size, min((shard + 1) * self.shard_size, self.count))

    def chunks(self, shard: int) -> list[Chunk]:
        """Return the chunks of a shard, in order."""
        positions = self.positions(shard)
        size = LAST_CHUNK_SIZE if shard == self.shards[-1] else CHUNK_SIZE
        return [
            Chunk(shard, number, start, min(start + size, positions.stop), self.prefix)
            for number, start in enumerate(range(positions.start, positions.stop, size))
        ]

    def shard_file(self, shard: int) -> str:
        """Return the file name of a shard."""
        return shard_file(shard, self.prefix)

    def keys(self, positions: range) -> Sequence[Key]:
        """Return the keys of the kernels at ``positions``; the chosen categories take turns, a rare one less often.

        An id means the same kernel in every dataset. A selection of core categories uses those indices that belong to one of
        them; every other category has a separate numbering.
        """
        from warpsmith.synthesis.writing.catalogue.categories import all_categories, core_categories  # load Warp

        core = [category.name for category in core_categories()]
        every = {category.name: category.every for category in all_categories()}
        turns = math.lcm(*(every[name] for name in self.categories))
        cycle = [(name, turn // every[name]) for turn in range(turns) for name in self.categories if turn % every[name] == 0]
        keys = []
        for position in positions:
            cycles, offset = divmod(position, len(cycle))
            name, number = cycle[offset]
            number += cycles * turns // every[name]
            keys.append(self.key(number * len(core) + core.index(name)) if name in core else self.key(number, name))
        return keys

    def key(self, index: int, category: str = "") -> KernelKey:
        """Return the key of a kernel of this dataset, see `KernelKey`."""
        return KernelKey(self.seed, index, category=category, profile=self.profile, complexity=self.complexity)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramPlan(Plan):
    """The arguments of a dataset of programs; its categories are the domains of the programs.

    Attributes:
        programs: always true; it tells the manifest from that of a dataset of kernels.
    """

    programs: Literal[True] = True

    @property
    def prefix(self) -> str:
        """What the names of the shards begin with."""
        return "programs"

    @property
    def makes_programs(self) -> bool:
        """Whether the dataset consists of programs."""
        return True

    def keys(self, positions: range) -> Sequence[Key]:
        """Return the keys of the programs at ``positions``."""
        return [ProgramKey(self.seed, position) for position in positions]


def shard_file(shard: int, prefix: str = "pairs") -> str:
    """Return the file name of a shard."""
    return f"{prefix}-{shard:05}.jsonl"


def chunk_file(chunk: Chunk) -> str:
    """Return the file name of a chunk."""
    return f"{chunk.prefix}-{chunk.shard:05}-{chunk.number:03}.jsonl"


def program_categories() -> tuple[str, ...]:
    """Return the names of the domains of programs."""
    from warpsmith.synthesis.programs.program_catalogue import program_domains  # reads files

    return tuple(domain.name for domain in program_domains())


def chosen_categories(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the categories that ``names`` selects, which are categories and groups.

    Raises:
        WarpsmithError: if a name is unknown.
    """
    from warpsmith.synthesis.writing.catalogue.categories import all_categories  # loads Warp

    known = all_categories()
    groups = {category.group for category in known} | {"all"}
    unknown = [name for name in names if name not in groups and name not in {category.name for category in known}]
    if unknown:
        choices = ", ".join(category.name for category in known)
        raise WarpsmithError(
            f"unknown category {', '.join(unknown)}; choose from {choices}, or a group: {', '.join(sorted(groups))}"
        )
    return tuple(category.name for category in known if {category.name, category.group, "all"} & set(names))
