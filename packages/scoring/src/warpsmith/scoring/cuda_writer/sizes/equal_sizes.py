"""Sets of sizes of a kernel that are equal: lengths of axes, numbers of threads, and counts among the arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from warpsmith.scoring.cuda_writer.sizes.launch_sizes_code import Source
from warpsmith.scoring.cuda_writer.sizes.thread_index import count_of

_MANY = re.compile(r"(?:num_)?(?:env|world|batch|sim|scene|system|instance|replica)s?(?:es)?")


@dataclass(frozen=True, slots=True)
class Index:
    """A variable while it has one value, or in one loop."""

    name: str
    place: int


@dataclass(slots=True)
class EqualSizes:
    """Sets of equal sizes.

    Attributes:
        length: returns the length of a size in the launch of the pair; None for a name that is none.
        products: dimensions of the launch that are the product of two sizes, the index along which is divided by the second.
        coordinates: the coordinates of the thread, one for each dimension of the launch.
        thread_sizes: the names of the numbers of threads.
        documented: what the documentation of the kernel calls sizes, see `documented_sizes`.
    """

    length: Callable[[Source], int | None]
    products: dict[int, tuple[Source, Source]] = field(default_factory=dict)
    coordinates: Sequence[str] = ()
    thread_sizes: list[str] = field(default_factory=list)
    documented: Mapping[Source, str] = field(default_factory=dict)
    _joined: dict[object, list[str]] = field(default_factory=dict)
    _parent: dict[object, object] = field(default_factory=dict)
    _lengths: dict[object, int] = field(default_factory=dict)
    _sources: dict[object, list[Source]] = field(default_factory=dict)

    def of(self, source: Source) -> list[Source]:
        """Return the sizes that are equal to one, in the order in which the kernel uses them; the size itself among them."""
        return list(self._sources.get(self._root(source), [source]))

    def of_index(self, index: object) -> list[Source]:
        """Return the sizes along which a variable is an index."""
        return list(self._sources.get(self._root(index), []))

    def name_of(self, source: Source, dimensions: Mapping[str, int]) -> str:
        """Return a name for a size after what arrays share it for; empty if only one array has it.

        Args:
            source: the length of an axis.
            dimensions: the number of axes of each array.
        """
        members = self.of(source)
        if documented := self.documented_name(source):
            return documented
        for name, dimension in members:
            if not name:
                return self.thread_sizes[dimension]
        for index in self._joined.get(self._root(source), []):
            if index in self.coordinates:
                return self.thread_sizes[self.coordinates.index(index)]
            if source[1] == 0 and _MANY.fullmatch(index.removesuffix("_id")):
                return count_of(index.removesuffix("_id"))
        if source[1] == 0 and dimensions[source[0]] == 2:
            return "rows"
        names = {name for name, axis in members if name and axis >= 0}
        if len(names) < 2:
            return ""
        words = {name.rpartition(".")[2].partition("_")[0] for name in names}
        outer = self.of((source[0], 0))
        is_table = any(not name and _MANY.fullmatch(self.thread_sizes[axis]) for name, axis in outer)
        if len(words) == 1 and source[1] == 1 and dimensions[source[0]] == 2 and is_table and len(word := words.pop()) > 2:
            return f"num_{word}" if word.endswith("s") else count_of(word)
        return {1: "cols", 2: "rows"}.get(dimensions[source[0]] - source[1], "") if source[1] else ""

    def name_threads(self, names: Sequence[str]) -> None:
        """Give the numbers of threads the names that the documentation has, or else some others."""
        self.thread_sizes = [self.documented_name(("", number)) or name for number, name in enumerate(names)]

    def documented_name(self, source: Source) -> str:
        """Return the name that the documentation has for a size; empty without one."""
        names = (self.documented.get(member, "") for member in self.of(source))
        return next((name for name in names if name.isidentifier()), "")

    def _root(self, item: object) -> object:
        while (parent := self._parent.get(item)) is not None:
            item = parent
        return item

    def join(self, index: object, source: Source) -> None:
        """Add a size to those along which a variable is an index, unless its length differs from theirs."""
        length = self.length(source)
        if length is None or length < 1:
            return
        new = self._root(source)
        if new not in self._lengths:
            self._lengths[new], self._sources[new] = length, [source]
        known = self._root(index)
        if isinstance(index, Index) and index.place >= 0:
            self._joined.setdefault(new, []).append(index.name)
        if known == new or self._lengths.get(known, length) != length:
            return
        self._lengths[known] = length
        self._sources.setdefault(known, []).extend(self._sources.pop(new))
        self._joined.setdefault(known, []).extend(self._joined.pop(new, []))
        self._parent[new] = known
