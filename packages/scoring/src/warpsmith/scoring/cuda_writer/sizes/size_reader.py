"""The equal sizes of a kernel, as its Python shows them.

Two sizes are equal if their numbers are, and if the Python shows that they belong together: one variable is the index along
both, or is kept below one of them and is the index along the other. Numbers that are equal by chance stay apart.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from warpsmith.core.records.syntax_walks import walk
from warpsmith.scoring.cuda_writer.sizes.called_functions import Functions, called_body
from warpsmith.scoring.cuda_writer.sizes.equal_sizes import EqualSizes, Index
from warpsmith.scoring.cuda_writer.sizes.launch_sizes_code import NUMBER, Source
from warpsmith.validation.oracle.interpreter.module_values import dotted

_COLUMNS = frozenset("w width cols columns nx n_cols num_cols ncols image_width img_width".split())
_ROWS = frozenset("h height rows ny n_rows num_rows nrows image_height img_height".split())
"""Names of counts that say which axis of a table they belong to."""

_LIMITS = ("min", "clamp")
_DEEPEST = 4
"""How many calls deep functions are read."""


class _Reader:
    """Reads a kernel."""

    def __init__(
        self,
        sizes: EqualSizes,
        arrays: set[str],
        constants: Mapping[str, int],
        coordinates: Sequence[str],
        stores: dict[str, int],
        functions: Functions,
    ) -> None:
        self._constants, self._functions = constants, functions
        self._calls, self._depth = 0, 0
        self._sizes, self._arrays, self._stores = sizes, arrays, dict(stores)
        self._known: dict[str, Index] = {}
        self._values: dict[str, ast.expr] = {}
        self._coordinates = list(coordinates)
        for name in coordinates:
            self._known[name] = Index(name, 0)

    def block(self, body: Sequence[ast.stmt]) -> None:
        """Read statements in order."""
        for statement in body:
            match statement:
                case ast.For(ast.Name(name), iterated, inner):
                    self._uses(iterated)
                    self._known[name] = Index(name, statement.lineno)
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
        index = self._known.setdefault(name, Index(name, line))
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
            case ast.Call():
                match called_body(value, self._functions, 0):
                    case [ast.Return(ast.expr() as result)] | [ast.Expr(ast.Constant()), ast.Return(ast.expr() as result)]:
                        yield from self._limits(result)

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
                case ast.Call(ast.Name(), arguments) if any(dotted(each) in self._arrays for each in arguments):
                    self._called(part)
                case ast.Compare(ast.Name(name), [ast.Lt() | ast.GtE()], [limit]) if name in self._known:
                    self._limit(self._known[name], limit)
                case ast.Compare(limit, [ast.Gt() | ast.LtE()], [ast.Name(name)]) if name in self._known:
                    self._limit(self._known[name], limit)

    def _called(self, call: ast.Call) -> None:
        """Read a function that receives arrays, with the names of the caller."""
        if self._depth == _DEEPEST:
            return
        self._calls += 1
        body = called_body(call, self._functions, self._calls)
        self._depth += 1
        for part in walk(ast.Module(body, [])):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                self._stores[part.id] = self._stores.get(part.id, 0) + 1
        self.block(body)
        self._depth -= 1

    def _access(self, array: str, indices: Sequence[ast.expr]) -> None:
        for axis, index in enumerate(indices):
            if isinstance(index, ast.Name) and index.id in self._known:
                self._sizes.join(self._known[index.id], (array, axis))
            else:
                for limit in self._limits(index):
                    self._sizes.join(Index(array, -axis), (array, axis))
                    self._limit(Index(array, -axis), limit)

    def threads(self) -> None:
        """Take the numbers of threads as the lengths along the coordinates, unless the Python keeps these below others."""
        for dimension, name in enumerate(self._coordinates):
            self._sizes.join(Index(name, 0), ("", dimension))

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
                    index = Index(count, -1)
                    self._sizes.join(index, (array, dimensions + axis))
                    self._sizes.join(index, (count, -1))

    def documented(self, counts: Sequence[str]) -> None:
        """Take sizes with one name in the documentation as equal, together with the argument of this name."""
        for source, name in self._sizes.documented.items():
            index = Index(name, -1)
            self._sizes.join(index, source)
            if name in counts:
                self._sizes.join(index, (name, -1))

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
    functions: Functions,
    documented: Mapping[Source, str],
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
        functions: the functions of the file, which may use arrays of the kernel.
        documented: see `EqualSizes`.
    """
    sizes = EqualSizes(length, coordinates=coordinates, documented=documented)
    for _ in range(2):  # a limit may follow the accesses
        reader = _Reader(sizes, set(arrays), constants, coordinates, stores, functions)
        reader.block(body)
        reader.threads()
    reader.documented(counts)
    reader.names(counts, arrays)
    reader.products()
    return sizes
