"""`KernelBuilder`: turns a theme's words into parameters, sizes, thread indices and results of a skeleton."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec.structs import replace

from warpsmith.core.records.launch import Argument
from warpsmith.synthesis.language.nodes import (
    Array,
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
    Threads,
)
from warpsmith.synthesis.language.terms import compare, const, index
from warpsmith.synthesis.language.types import FLOAT, INT, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.vocabulary.words import Quantity, Theme
from warpsmith.synthesis.writing.skeletons.names import (
    CONSTANTS,
    GRID_INDICES,
    GUARD_COMMENTS,
    HELPER_PARAMETERS,
    LENGTH_NAMES,
    THREAD_INDICES,
)


class KernelBuilder:
    """Collects the parts of one kernel.

    Attributes:
        rng: the randomness.
        theme: the words.
        length_factor: the factor by which the number of steps is multiplied; 0 stands for a brief kernel.
        dims: the dimensions of the threads, ``("n",)`` or ``("n", "m")``.
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
        self._opaque: list[OpaqueParameter] = []
        self._preface: list[str] = []
        self.options: dict[str, int] = {}
        self._taken: set[str] = set()
        self.dims: tuple[str, ...] = ("n",)

    # ---------------------------------------------------------------------------------------------------------- parameters

    def add_input(self, *types: Type, dims: tuple[str, ...] = ()) -> Array:
        """Add an array to read: an unused input of the theme of one of ``types``, with one element per thread by default."""
        quantity = self._choose_quantity(self.theme.inputs, types)
        high = quantity.high + (1.0 if quantity.distribution == "near_identity" else 0.0)
        array = Array(
            quantity.name, quantity.type, dims or self.dims, quantity.low, high, quantity.distribution, "input", quantity.local
        )
        self._inputs.append(array)
        return array

    def has_input(self, *types: Type) -> bool:
        """Return whether the theme has an unused input of one of ``types``."""
        return any(item.type in types and item.name not in self._taken for item in self.theme.inputs)

    def available_types(self, types: Sequence[Type]) -> list[Type]:
        """Return the ``types`` of which the theme has inputs and results."""
        result_types = {result.type for result in self.theme.results}
        return [dtype for dtype in types if self.has_input(dtype) and dtype in result_types]

    def add_scalar(self, *types: Type) -> Scalar:
        """Add a parameter that is a single value, of one of ``types``."""
        quantity = self._choose_quantity(self.theme.scalars, types)
        scalar = Scalar(quantity.name, quantity.type, quantity.low, quantity.high, quantity.distribution)
        self._scalars.append(scalar)
        return scalar

    def add_scalars(self, count: int, *types: Type) -> None:
        """Add up to ``count`` scalar parameters, as many as the theme has."""
        for _ in range(count):
            if any(item.type in types and item.name not in self._taken for item in self.theme.scalars):
                self.add_scalar(*types)

    def _choose_quantity(self, quantities: Sequence[Quantity], types: Sequence[Type]) -> Quantity:
        fitting = [item for item in quantities if item.type in types and item.name not in self._taken]
        if not fitting:  # all words of the theme are in use: repeat one under another name
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
        """Add an array to write; ``start`` is the value of its elements before the launch."""
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
        """Add an array to read that the theme does not contain."""
        array = Array(self.choose_name(name), element, dims or self.dims, low, high, distribution, "input", name)
        self._inputs.append(array)
        return array

    def add_opaque(self, name: str, annotation: str, **about: Any) -> str:
        """Add a parameter of another type and return its name; ``about`` contains the other fields of its `Argument`."""
        name = self.choose_name(name)
        fields: dict[str, Any] = {"role": "input", "shape": (), "domain": None} | about
        self._opaque.append(OpaqueParameter(name, annotation, Argument(name=name, **fields)))
        return name

    def lengths(self, *dims: str) -> tuple[int, ...]:
        """Return the lengths of dimensions."""
        return tuple(self._sizes[symbol] for symbol in dims)

    def define(self, text: str) -> None:
        """Put a struct, a function or another definition before the kernel."""
        self._preface.append(text.strip("\n"))

    def set_option(self, key: str, value: int) -> None:
        """Set a module option."""
        self.options[key] = value

    def add_constants(self, count: int) -> None:
        """Add module constants, written ``NAME = wp.constant(0.5)`` or as plain assignments."""
        wrapped = self.rng.chance(0.6)
        for name, value in self.rng.sample(CONSTANTS, count):
            self._constants.append(Constant(name, const(value), wrapped))

    # ------------------------------------------------------------------------------------------------------------- threads

    def choose_name(self, *candidates: str) -> str:
        """Choose an unused name among ``candidates``; a name that doubles another candidate is the last resort."""
        free = [name for name in candidates if name not in self._taken] or [f"{candidates[0]}_{len(self._taken)}"]
        plain = [name for name in free if name not in {f"{other}{other}" for other in candidates}]
        name = self.rng.choice(plain or free)
        self._taken.add(name)
        return name

    def draw_size(self, symbol: str, low: int, high: int) -> int:
        """Draw the length of an array dimension, unless it has one."""
        return self._sizes.setdefault(symbol, self.rng.between(low, high))

    def add_length(self, symbol: str, low: int, high: int, *names: str) -> Scalar:
        """Add a parameter that carries the length of an array dimension."""
        size = self.draw_size(symbol, low, high)
        scalar = Scalar(self.choose_name(*names), INT, size, size, "fill", symbol)
        self._lengths.append(scalar)
        return scalar

    @property
    def is_brief(self) -> bool:
        """Whether the kernel consists of a template with few or no steps."""
        return self.length_factor == 0

    def open_threads(self, guarded: bool = False) -> tuple[tuple[Stmt, ...], tuple[Name, ...]]:
        """Write the opening of a kernel: thread indices, and an early return for threads out of range; return the indices, too.

        A brief kernel has one thread for each element and no early return, unless ``guarded`` is set.
        """
        low, high, steps = (24, 96, (8, 16, 32, 1)) if len(self.dims) == 1 else (8, 24, (4, 8, 1))
        sizes = [self.draw_size(symbol, low, high) for symbol in self.dims]
        bare = self.is_brief and not guarded
        step = 1 if bare else self.rng.choice(steps)
        self._dim = tuple(-(-size // step) * step for size in sizes)
        results = {item.local for item in self.theme.inputs} | {item.local for item in self.theme.results}
        ways = THREAD_INDICES if len(self.dims) == 1 else GRID_INDICES
        names = self.rng.choice([way for way in ways if results.isdisjoint(way)])
        self._taken.update(names)
        indices = tuple(index(name, size, symbol) for name, size, symbol in zip(names, sizes, self.dims, strict=True))
        if bare:
            return (Threads(indices),), indices
        guards = tuple(
            self._write_guard(i, i.extent, words) for i, words in zip(indices, LENGTH_NAMES[len(self.dims)], strict=True)
        )
        outside = guards[0] if len(guards) == 1 else Logic("or", guards)
        comment = (Comment(self.rng.choice(GUARD_COMMENTS).format(self.theme.item)),) if self.rng.chance(0.15) else ()
        return (Threads(indices), *comment, If(outside, (Jump("return"),))), indices

    def _write_guard(self, i: Name, symbol: str, names: tuple[str, ...]) -> Expr:
        """Write ``i >= n`` or ``i >= positions.shape[0]``."""
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
        """Read an element of each array at the same indices."""
        return tuple(LoadElement(array.name, at) for array in arrays)

    def add_helper(self, result: Type, *params: Type) -> None:
        """Add a helper function, ``@wp.func``: possibly a step, and a return. Filling names it after its result."""
        words = self.rng.sample(HELPER_PARAMETERS["vector" if any(dtype.shape for dtype in params) else "scalar"], len(params))
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
        """Build the skeleton, with parameters in a common order: inputs, values, lengths, results."""
        subject = self._outputs[0].local
        if subject.startswith(verb):  # accumulate_heat, not accumulate_accumulated_heat
            subject = subject.partition("_")[2] or "values"
        name = f"{verb}_{subject}"
        params: tuple[Param, ...] = (*self._opaque, *self._inputs, *self._scalars, *self._lengths, *self._outputs)
        if not self._opaque and self.rng.chance(0.2):
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
    """Return the parameters in another common order: inputs shuffled, and results or values before them half of the time."""
    inputs = [param for param in params if isinstance(param, Array) and param.role == "input"]
    outputs = [param for param in params if isinstance(param, Array) and param.role != "input"]
    opaque = [param for param in params if isinstance(param, OpaqueParameter)]
    lengths = [param for param in params if isinstance(param, Scalar) and param.extent]
    values = [param for param in params if isinstance(param, Scalar) and not param.extent]
    groups: list[Sequence[Param]] = [opaque, rng.shuffled(inputs), values, lengths, outputs]
    return tuple(param for group in (rng.shuffled(groups) if rng.chance(0.5) else groups) for param in group)
