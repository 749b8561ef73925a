"""The sizes of a kernel that are equal: lengths of axes, numbers of threads, and counts among the arguments.

Two sizes are equal if their numbers are, and if the Python shows that they belong together: one variable is the index along
both, or is kept below one of them and is the index along the other. Numbers that are equal by chance stay apart.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from warpsmith.scoring.cuda_writer.sizes.launch_sizes_code import NUMBER, Source
from warpsmith.validation.oracle.interpreter.module_values import dotted
from warpsmith.validation.oracle.interpreter.syntax_walks import walk

_COLUMNS = frozenset("w width cols columns nx n_cols num_cols ncols image_width img_width".split())
_ROWS = frozenset("h height rows ny n_rows num_rows nrows image_height img_height".split())
"""Names of counts that say which axis of a table they belong to."""

_LIMITS = ("min", "clamp")
_MANY = re.compile(r"(?:num_)?(?:env|world|batch|sim|scene|system|instance|replica)s?(?:es)?")


@dataclass(frozen=True, slots=True)
class _Index:
    """A variable while it has one value, or in one loop."""

    name: str
    place: int


@dataclass(slots=True)
class EqualSizes:
    """Sets of equal sizes.

    Attributes:
        length: returns the length of a size in the launch of the pair; None for a name that is none.
        products: dimensions of the launch that are the product of two sizes, the index along which is divided by the second.
        thread_sizes: the names of the numbers of threads.
    """

    length: Callable[[Source], int | None]
    products: dict[int, tuple[Source, Source]] = field(default_factory=dict)
    thread_sizes: list[str] = field(default_factory=list)
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
        for name, dimension in members:
            if not name and (found := self.thread_sizes[dimension]) and not found.startswith("n_"):
                return found
        for index in self._joined.get(self._root(source), []):
            if source[1] == 0 and _MANY.fullmatch(index.removesuffix("_id")):
                return f"num_{index.removesuffix('_id')}s"
        if source[1] == 0 and dimensions[source[0]] == 2:
            return "rows"
        names = {name for name, axis in members if name and axis >= 0}
        if len(names) < 2:
            return ""
        words = {name.rpartition(".")[2].partition("_")[0] for name in names}
        outer = self.of((source[0], 0))
        is_table = any(not name and _MANY.fullmatch(self.thread_sizes[axis]) for name, axis in outer)
        if len(words) == 1 and source[1] == 1 and dimensions[source[0]] == 2 and is_table and len(word := words.pop()) > 2:
            return f"num_{word}" if word.endswith("s") else f"num_{word}s"
        return {1: "cols", 2: "rows"}.get(dimensions[source[0]] - source[1], "") if source[1] else ""

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
        if isinstance(index, _Index) and index.place >= 0:
            self._joined.setdefault(new, []).append(index.name)
        if known == new or self._lengths.get(known, length) != length:
            return
        self._lengths[known] = length
        self._sources.setdefault(known, []).extend(self._sources.pop(new))
        self._joined.setdefault(known, []).extend(self._joined.pop(new, []))
        self._parent[new] = known


class _Reader:
    """Reads a kernel."""

    def __init__(
        self,
        sizes: EqualSizes,
        arrays: set[str],
        constants: Mapping[str, int],
        coordinates: Sequence[str],
        stores: dict[str, int],
    ) -> None:
        self._constants = constants
        self._sizes, self._arrays, self._stores = sizes, arrays, stores
        self._known: dict[str, _Index] = {}
        self._values: dict[str, ast.expr] = {}
        self._coordinates = list(coordinates)
        for name in coordinates:
            self._known[name] = _Index(name, 0)

    def block(self, body: Sequence[ast.stmt]) -> None:
        """Read statements in order."""
        for statement in body:
            match statement:
                case ast.For(ast.Name(name), iterated, inner):
                    self._uses(iterated)
                    self._known[name] = _Index(name, statement.lineno)
                    match iterated:
                        case ast.Call(ast.Name("range"), [stop] | [_, stop]):
                            self._limit(self._known[name], stop)
                    self.block(inner)
                    self._known.pop(name, None)
                case ast.If(test, inner, other):
                    self._uses(test)
                    self.block(inner)
                    self.block(other)
                case ast.While(test, inner):
                    self._uses(test)
                    self.block(inner)
                case ast.Assign([ast.Name(name)], value):
                    self._uses(value)
                    self._assigned(name, value, statement.lineno)
                case _:
                    self._uses(statement)
                    for part in walk(statement):
                        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and part.id not in self._coordinates:
                            self._known.pop(part.id, None)

    def _assigned(self, name: str, value: ast.expr, line: int) -> None:
        if self._stores.get(name) != 1:
            self._known.pop(name, None)
            return
        self._values[name] = value
        if isinstance(value, ast.Name) and value.id in self._known:
            self._known[name] = self._known[value.id]
            return
        index = self._known.setdefault(name, _Index(name, line))
        for limit in self._limits(value):
            self._limit(index, limit)

    def _limits(self, value: ast.expr) -> Iterator[ast.expr]:
        """Yield the sizes below which an expression is kept."""
        match value:
            case ast.BinOp(_, ast.Mod(), ast.Name() | ast.Subscript()):
                yield value.right
            case ast.BinOp(ast.Name(name), ast.FloorDiv(), ast.Name(divisor)):
                match self._values.get(name):
                    case ast.BinOp(_, ast.Mod(), ast.BinOp(first, ast.Mult(), ast.Name(second))) if second == divisor:
                        yield first
            case ast.Call(function, arguments) if dotted(function).rpartition(".")[2] in _LIMITS:
                for argument in arguments:
                    match argument:
                        case ast.BinOp(limit, ast.Sub(), ast.Constant(1)):
                            yield limit
                        case ast.Call():
                            yield from self._limits(argument)
            case ast.Call(function, [ast.Call() as inner, *_]) if dotted(function).rpartition(".")[2] == "max":
                yield from self._limits(inner)

    def _limit(self, index: object, limit: ast.expr) -> None:
        if (source := self._source(limit)) is not None:
            self._sizes.join(index, source)

    def _source(self, node: ast.expr) -> Source | None:
        match node:
            case ast.Call(ast.Attribute(_, "static"), [inner]):
                return self._source(inner)
            case ast.Name(name) if name in self._values and not self._is_argument(name):
                return self._source(self._values[name])
            case ast.Name() | ast.Attribute() if self._is_argument(dotted(node)):
                return (dotted(node), -1)
            case ast.Name(name) if name not in self._stores and name in self._constants:
                return (f"{self._constants[name]} {name}", NUMBER)
            case ast.Subscript(ast.Attribute(base, "shape"), ast.Constant(int() as axis)) if dotted(base) in self._arrays:
                return (dotted(base), axis)
        return None

    def _is_argument(self, name: str) -> bool:
        return name not in self._stores and self._sizes.length((name, -1)) is not None

    def _uses(self, node: ast.AST) -> None:
        for part in walk(node):
            match part:
                case ast.Subscript(ast.Name() | ast.Attribute() as base, indices) if dotted(base) in self._arrays:
                    self._access(dotted(base), indices.elts if isinstance(indices, ast.Tuple) else [indices])
                case ast.Call(ast.Attribute(_, name), [ast.Name() | ast.Attribute() as base, *indices]) if (
                    name.startswith("atomic_") and dotted(base) in self._arrays
                ):
                    self._access(dotted(base), indices[:-1])
                case ast.Compare(ast.Name(name), [ast.Lt() | ast.GtE()], [limit]) if name in self._known:
                    self._limit(self._known[name], limit)
                case ast.Compare(limit, [ast.Gt() | ast.LtE()], [ast.Name(name)]) if name in self._known:
                    self._limit(self._known[name], limit)

    def _access(self, array: str, indices: Sequence[ast.expr]) -> None:
        for axis, index in enumerate(indices):
            if isinstance(index, ast.Name) and index.id in self._known:
                self._sizes.join(self._known[index.id], (array, axis))
            else:
                for limit in self._limits(index):
                    self._sizes.join(_Index(array, -axis), (array, axis))
                    self._limit(_Index(array, -axis), limit)

    def threads(self) -> None:
        """Take the numbers of threads as the lengths along the coordinates, unless the Python keeps these below others."""
        for dimension, name in enumerate(self._coordinates):
            self._sizes.join(_Index(name, 0), ("", dimension))

    def names(self, counts: Sequence[str], tables: Mapping[str, int]) -> None:
        """Take the only count whose name says which axis it belongs to as the length of this axis.

        With two of them, such as ``cols`` and ``cols_in``, the tables have several widths.
        """
        words = [set(count.lower().split("_")) for count in counts]
        for count in counts:
            axes = _COLUMNS if count.lower() in _COLUMNS else _ROWS
            if sum(bool(axes & each) for each in words) > 1:
                continue
            if len(self._sizes.of((count, -1))) > 1:
                continue
            axis = -1 if count.lower() in _COLUMNS else -2 if count.lower() in _ROWS else 0
            for array, dimensions in tables.items():
                if (
                    axis
                    and dimensions >= 2
                    and self._sizes.length((array, dimensions + axis)) == self._sizes.length((count, -1))
                ):
                    index = _Index(count, -1)
                    self._sizes.join(index, (array, dimensions + axis))
                    self._sizes.join(index, (count, -1))

    def products(self) -> None:
        """Find the dimension whose index is divided into two indices whose sizes are known."""
        for dimension, coordinate in enumerate(self._coordinates):
            for name, value in self._values.items():
                match value:
                    case ast.BinOp(ast.Name(index), ast.FloorDiv(), divisor) if index == coordinate:
                        inner, sizes = self._source(divisor), self._sizes.of_index(self._known[name])
                        if inner is None or not sizes:
                            continue
                        lengths = [self._sizes.length(size) or 0 for size in (("", dimension), sizes[0], inner)]
                        if lengths[0] == lengths[1] * lengths[2]:
                            self._sizes.products[dimension] = (sizes[0], inner)


def equal_sizes(
    body: Sequence[ast.stmt],
    arrays: Mapping[str, int],
    counts: Sequence[str],
    constants: Mapping[str, int],
    coordinates: Sequence[str],
    stores: dict[str, int],
    length: Callable[[Source], int | None],
) -> EqualSizes:
    """Return the sizes of a kernel that are equal.

    Args:
        body: its statements.
        arrays: the number of axes of each of its arrays.
        counts: its arguments that may be sizes.
        constants: the integers that the file names.
        coordinates: the coordinates of the thread, one for each dimension of the launch.
        stores: how often each variable is assigned.
        length: see `EqualSizes`.
    """
    sizes = EqualSizes(length)
    for _ in range(2):  # a limit may follow the accesses
        reader = _Reader(sizes, set(arrays), constants, coordinates, stores)
        reader.block(body)
        reader.threads()
    reader.names(counts, arrays)
    reader.products()
    return sizes
