"""The paper a category draws its skeleton on: a theme's words become parameters, sizes, thread indices and results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec.structs import replace

from warpsmith.core.records.launch import Argument
from warpsmith.synthesis.language.nodes import (
    Array,
    Assign,
    Comment,
    Constant,
    Distribution,
    Expr,
    Function,
    Hole,
    If,
    Jump,
    Kernel,
    LoadElement,
    Logic,
    Name,
    OpaqueParameter,
    Param,
    Return,
    Scalar,
    Size,
    Steps,
    Stmt,
    Store,
    Threads,
)
from warpsmith.synthesis.language.terms import compare, const, index
from warpsmith.synthesis.language.types import FLOAT, INT, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.vocabulary.words import Quantity, Theme

_CONSTANTS = (
    ("EPSILON", 0.001),
    ("HALF", 0.5),
    ("SCALE", 2.0),
    ("GAMMA", 1.4),
    ("THRESHOLD", 0.75),
    ("ALPHA", 0.1),
    ("OFFSET", 0.25),
    ("PI", 3.14159265),
    ("INV_SQRT2", 0.70710678),
    ("GOLDEN", 1.61803399),
    ("STEP", 0.05),
    ("BLEND", 0.3),
    ("FLOOR", 0.01),
    ("RATE", 1.5),
)

_THREADS = (("i",), ("tid",), ("idx",), ("i",), ("tid",))
_GRIDS = (("i", "j"), ("row", "col"), ("x", "y"), ("i", "j"))
_LENGTHS = {1: (("n", "count", "num_{0}s", "size"),), 2: (("height", "rows", "n"), ("width", "cols", "m"))}
_COMMENTS = ("one thread per {0}", "the last block may be partly empty", "skip threads past the last {0}", "out of range")


class KernelBuilder:
    """Collects the parts of one kernel.

    Attributes:
        rng: the randomness.
        theme: the words.
        length_factor: how many times as many steps as usual the kernel takes; a brief one takes none, or those that fit.
        dims: the dimensions that threads go over, ``("n",)`` or ``("n", "m")``.
        options: the module options that differ from Warp's defaults.

    Args:
        rng: see above.
        theme: see above.
        length_factor: see above.
    """

    def __init__(self, rng: RandomStream, theme: Theme, length_factor: int = 1) -> None:
        self.rng = rng
        self.theme = theme
        self.length_factor = length_factor
        self._inputs: list[Array] = []
        self._outputs: list[Array] = []
        self._scalars: list[Scalar] = []
        self._lengths: list[Scalar] = []
        self._functions: list[Function] = []
        self._constants: list[Constant] = []
        self._sizes: dict[str, int] = {}
        self._dim: tuple[int, ...] = ()
        self._others: list[OpaqueParameter] = []
        self._preface: list[str] = []
        self.options: dict[str, int] = {}
        self._taken: set[str] = set()
        self.dims: tuple[str, ...] = ("n",)

    # ---------------------------------------------------------------------------------------------------------- parameters

    def add_input(self, *types: Type, dims: tuple[str, ...] = ()) -> Array:
        """An array to read, of one of ``types``: one of the theme that is not used yet; one element a thread by default."""
        quantity = self._fresh(self.theme.inputs, types)
        high = quantity.high + (1.0 if quantity.distribution == "near_identity" else 0.0)
        array = Array(
            quantity.name, quantity.type, dims or self.dims, quantity.low, high, quantity.distribution, "input", quantity.local
        )
        self._inputs.append(array)
        return array

    def has_input(self, *types: Type) -> bool:
        """Whether the theme has an unused input of one of ``types``."""
        return any(item.type in types and item.name not in self._taken for item in self.theme.inputs)

    def available_types(self, types: Sequence[Type]) -> list[Type]:
        """Those of ``types`` that the theme has inputs and results of."""
        made = {result.type for result in self.theme.results}
        return [dtype for dtype in types if self.has_input(dtype) and dtype in made]

    def add_scalar(self, *types: Type) -> Scalar:
        """A parameter that is a value, of one of ``types``."""
        quantity = self._fresh(self.theme.scalars, types)
        scalar = Scalar(quantity.name, quantity.type, quantity.low, quantity.high, quantity.distribution)
        self._scalars.append(scalar)
        return scalar

    def add_scalars(self, count: int, *types: Type) -> None:
        """Up to ``count`` parameters, as many as the theme has."""
        for _ in range(count):
            if any(item.type in types and item.name not in self._taken for item in self.theme.scalars):
                self.add_scalar(*types)

    def _fresh(self, quantities: Sequence[Quantity], types: Sequence[Type]) -> Quantity:
        fitting = [item for item in quantities if item.type in types and item.name not in self._taken]
        if not fitting:  # the theme has said all it has: say it once more under another name
            again = self.rng.choice([item for item in quantities if item.type in types])
            letter = next(letter for letter in "bcdefgh" if f"{again.name}_{letter}" not in self._taken)
            fitting = [replace(again, name=f"{again.name}_{letter}", local=f"{again.local}_{letter}")]
        quantity = self.rng.choice(fitting)
        self._taken.add(quantity.name)
        return quantity

    def add_output(
        self,
        dtype: Type,
        dims: tuple[str, ...] = (),
        *,
        start: float = 0.0,
        role: Literal["output", "inout"] = "output",
        name: str = "",
    ) -> Array:
        """An array to write; ``start`` is what it holds before the launch."""
        results = [result for result in self.theme.results if result.type is dtype and result.name not in self._taken]
        if name or not results:
            name = name or f"{self.theme.item}_out_{len(self._outputs)}"
            local = name.rstrip("s")
        else:
            result = self.rng.choice(results)
            name, local = result.name, result.local
        self._taken.add(name)
        array = Array(name, dtype, dims or self.dims, start, start, "fill", role, local)
        self._outputs.append(array)
        return array

    def add_array(
        self,
        name: str,
        element: Type,
        low: float,
        high: float,
        dims: tuple[str, ...] = (),
        distribution: Distribution = "uniform",
    ) -> Array:
        """An array to read that the theme has no words for."""
        array = Array(self.choose_name(name), element, dims or self.dims, low, high, distribution, "input", name)
        self._inputs.append(array)
        return array

    def add_opaque(self, name: str, annotation: str, **about: Any) -> str:
        """A parameter that is neither value nor array; ``about`` is the rest of its `Argument`. Return its name."""
        name = self.choose_name(name)
        fields: dict[str, Any] = {"role": "input", "shape": (), "domain": None} | about
        self._others.append(OpaqueParameter(name, annotation, Argument(name=name, **fields)))
        return name

    def lengths(self, *dims: str) -> tuple[int, ...]:
        """The lengths of dimensions that were drawn."""
        return tuple(self._sizes[symbol] for symbol in dims)

    def define(self, text: str) -> None:
        """Put a struct, a function or another definition before the kernel."""
        self._preface.append(text.strip("\n"))

    def set_option(self, key: str, value: int) -> None:
        """Set a module option."""
        self.options[key] = value

    def add_constants(self, count: int) -> None:
        """Module constants, written ``NAME = wp.constant(0.5)`` or plainly."""
        wrapped = self.rng.chance(0.6)
        for name, value in self.rng.sample(_CONSTANTS, count):
            self._constants.append(Constant(name, const(value), wrapped))

    # ------------------------------------------------------------------------------------------------------------- threads

    def choose_name(self, *candidates: str) -> str:
        """One of ``candidates`` that nothing in the sketch is called yet; one that doubles another is the last resort."""
        free = [name for name in candidates if name not in self._taken] or [f"{candidates[0]}_{len(self._taken)}"]
        plain = [name for name in free if name not in {f"{other}{other}" for other in candidates}]
        name = self.rng.choice(plain or free)
        self._taken.add(name)
        return name

    def draw_size(self, symbol: str, low: int, high: int) -> int:
        """Draw the length of an array dimension."""
        return self._sizes.setdefault(symbol, self.rng.between(low, high))

    def add_length(self, symbol: str, low: int, high: int, *names: str) -> Scalar:
        """A parameter that carries the length of an array dimension."""
        size = self.draw_size(symbol, low, high)
        scalar = Scalar(self.choose_name(*names), INT, size, size, "fill", symbol)
        self._lengths.append(scalar)
        return scalar

    @property
    def is_brief(self) -> bool:
        """Whether the kernel is an idiom and nothing besides."""
        return self.length_factor == 0

    def open_threads(self, guarded: bool = False) -> tuple[tuple[Stmt, ...], tuple[Name, ...]]:
        """The opening of a kernel, thread indices and an early return out of bounds, and the indices.

        A brief kernel has a thread for each element and no early return, unless it has to be ``guarded``.
        """
        low, high, steps = (24, 96, (8, 16, 32, 1)) if len(self.dims) == 1 else (8, 24, (4, 8, 1))
        sizes = [self.draw_size(symbol, low, high) for symbol in self.dims]
        bare = self.is_brief and not guarded
        step = 1 if bare else self.rng.choice(steps)
        self._dim = tuple(-(-size // step) * step for size in sizes)
        results = {item.local for item in self.theme.inputs} | {item.local for item in self.theme.results}
        ways = _THREADS if len(self.dims) == 1 else _GRIDS
        names = self.rng.choice([way for way in ways if results.isdisjoint(way)])
        self._taken.update(names)
        indices = tuple(index(name, size, symbol) for name, size, symbol in zip(names, sizes, self.dims, strict=True))
        if bare:
            return (Threads(indices),), indices
        guards = tuple(self._guard(i, i.extent, words) for i, words in zip(indices, _LENGTHS[len(self.dims)], strict=True))
        outside = guards[0] if len(guards) == 1 else Logic("or", guards)
        comment = (Comment(self.rng.choice(_COMMENTS).format(self.theme.item)),) if self.rng.chance(0.15) else ()
        return (Threads(indices), *comment, If(outside, (Jump("return"),))), indices

    def _guard(self, i: Name, symbol: str, names: tuple[str, ...]) -> Expr:
        """``i >= n`` or ``i >= positions.shape[0]``."""
        arrays = [array for array in self._inputs if symbol in array.dims]
        if arrays and self.rng.chance(0.2):
            array = arrays[0]
            size = self._sizes[symbol]
            return compare(">=", i, Size(array.name, array.dims.index(symbol), size, size, symbol))
        size = self._sizes[symbol]
        scalar = self.add_length(symbol, size, size, *(name.format(self.theme.item) for name in names))
        return compare(">=", i, Name(scalar.name, INT, size, size))

    # --------------------------------------------------------------------------------------------------------------- parts

    def load_elements(self, *arrays: Array, at: tuple[Expr, ...]) -> tuple[LoadElement, ...]:
        """Read an element of each array at the same place."""
        return tuple(LoadElement(array.name, at) for array in arrays)

    def add_helper(self, result: Type, *params: Type) -> None:
        """A helper function, ``@wp.func``: perhaps a step, and a return. Its name comes from what it turns out to return."""
        words = self.rng.sample(_WORDS["vector" if any(dtype.shape for dtype in params) else "scalar"], len(params))
        bounds = ((-5.0, 5.0), (-2.0, 2.0), (0.0, 4.0), (0.1, 4.0))
        arguments = tuple(
            Scalar(word, dtype, *(self.rng.choice(bounds) if not dtype.shape else (-5.0, 5.0)))
            for word, dtype in zip(words, params, strict=True)
        )
        step = (Steps(1, (FLOAT, result), 2),) if self.rng.chance(0.5) else ()
        body = (*step, Return(Hole(result, size=2)))
        self._functions.append(
            Function(f"helper_{len(self._functions)}", arguments, result, body, annotated=self.rng.chance(0.4))
        )

    # -------------------------------------------------------------------------------------------------------------- kernel

    def build_kernel(self, verb: str, body: tuple[Stmt, ...], dim: tuple[int, ...] = ()) -> Kernel:
        """The skeleton, with parameters in the order people use: inputs, values, lengths, results."""
        subject = self._outputs[0].local
        if subject.startswith(verb):  # accumulate_heat, not accumulate_accumulated_heat
            subject = subject.partition("_")[2] or "values"
        name = f"{verb}_{subject}"
        params: tuple[Param, ...] = (*self._others, *self._inputs, *self._scalars, *self._lengths, *self._outputs)
        if not self._others and self.rng.chance(0.2):
            params = (*self._lengths, *self._inputs, *self._outputs, *self._scalars)
        return Kernel(
            name,
            params,
            body,
            tuple(self._sizes.items()),
            dim or self._dim,
            tuple(self._functions),
            tuple(self._constants),
            preface=tuple(self._preface),
            options=tuple(self.options.items()),
        )


def reorder_parameters(params: Sequence[Param], rng: RandomStream) -> tuple[Param, ...]:
    """Parameters in an order that people use, too: inputs in any, and half of the time results or values before them."""
    inputs = [param for param in params if isinstance(param, Array) and param.role == "input"]
    outputs = [param for param in params if isinstance(param, Array) and param.role != "input"]
    others = [param for param in params if isinstance(param, OpaqueParameter)]
    lengths = [param for param in params if isinstance(param, Scalar) and param.extent]
    values = [param for param in params if isinstance(param, Scalar) and not param.extent]
    groups: list[Sequence[Param]] = [others, rng.shuffled(inputs), values, lengths, outputs]
    return tuple(param for group in (rng.shuffled(groups) if rng.chance(0.5) else groups) for param in group)


def assign(name: str, dtype: Type, size: int = 2) -> Assign:
    """``name = …``."""
    return Assign(name, Hole(dtype, size=size))


def store_result(array: Array, at: tuple[Expr, ...], *uses: str, size: int = 2) -> Store:
    """``array[at] = …`` of the named variables and of what nothing has read."""
    return Store(array.name, at, Hole(array.element, size=size, uses=uses, gather=True))


_WORDS = {
    "scalar": ("x", "y", "a", "b", "s", "t", "value", "scale", "k", "radius", "strength", "bias"),
    "vector": ("a", "b", "u", "v", "p", "q", "direction", "offset", "origin"),
}
