"""Arrays in CUDA: pointers with the lengths of their inner axes as further parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from warpsmith.scoring.cuda_writer.code_pieces import PRODUCT, SUM, UNARY, Code, binary
from warpsmith.scoring.cuda_writer.cuda_types import INT, SCALARS, components, is_builtin_vector, is_float, is_matrix, scalar_of
from warpsmith.scoring.cuda_writer.device_library import Library
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Arrays, Struct
from warpsmith.validation.oracle.values.value_types import Type

_ATOMIC = (np.float32, np.float64, np.int32, np.uint32, np.uint64)
"""The numbers that CUDA's atomic operations take."""


@dataclass(slots=True)
class ArrayParameter:
    """An array that a function receives.

    Attributes:
        name: its name.
        element: the type of its elements.
        dimensions: the number of its axes.
        size_name: returns the name of the parameter with the length of an axis.
        sizes: the axes whose lengths the function uses, with the names.
        is_written: whether the function writes elements.
    """

    name: str
    element: Type | Struct
    dimensions: int
    size_name: Callable[[int], str]
    sizes: dict[int, str] = field(default_factory=dict)
    is_written: bool = False

    def size(self, axis: int) -> Code:
        """Return the length of an axis."""
        if axis not in self.sizes:
            self.sizes[axis] = self.size_name(axis)
        return Code(self.sizes[axis], INT)


@dataclass(frozen=True, slots=True)
class ArrayCode:
    """An array or a part of one.

    Attributes:
        parameter: the parameter that it belongs to.
        pointer: the text of the pointer to its first element.
        axis: the first axis of the parameter that it has.
    """

    parameter: ArrayParameter
    pointer: str
    axis: int = 0

    @property
    def kind(self) -> Arrays:
        """The type."""
        return Arrays(self.parameter.element, self.parameter.dimensions - self.axis)

    def size(self, axis: int) -> Code:
        """Return the length of an axis."""
        if not 0 <= axis < self.kind.dimensions:
            raise Unsupported(f"axis {axis} of {self.kind.dimensions}")
        return self.parameter.size(self.axis + axis)

    def place(self, indices: Sequence[Code]) -> Code:
        """Return the index of an element, or of the first one of a part, in memory."""
        place = indices[0]
        for axis in range(1, self.kind.dimensions):
            length = self.size(axis)
            place = place if length.text == "1" else binary("*", PRODUCT, place, length, INT)
            if axis < len(indices):
                place = place if indices[axis].number == 0 else _sum(place, indices[axis])
        return place

    def part(self, indices: Sequence[Code]) -> ArrayCode:
        """Return the part with some indices."""
        place = self.place(indices)
        return ArrayCode(self.parameter, f"{self.pointer} + {place.within(SUM, right=True)}", self.axis + len(indices))


def _sum(place: Code, index: Code) -> Code:
    """Return the sum of integers, which needs no parentheses."""
    return Code(f"{place.within(SUM)} + {index.within(SUM)}", INT, SUM)


def is_flat(element: Type | Struct, flat: bool) -> bool:
    """Return whether arrays of a type are arrays of numbers in a text; ``flat`` is its idiom."""
    return flat and is_builtin_vector(element) and isinstance(element, Type) and element.shape[0] == 3


def pointer_type(library: Library, element: Type | Struct, flat: bool) -> str:
    """Return the type that a pointer to elements points to."""
    if isinstance(element, Type) and is_flat(element, flat):
        return SCALARS[element.scalar]
    return library.use(element)


def load(library: Library, array: ArrayCode, place: Code, flat: bool) -> Code:
    """Return an element."""
    element = array.parameter.element
    if not (is_flat(element, flat) and isinstance(element, Type)):
        return Code(f"{_named(array.pointer)}[{place.text}]", element)
    scalar, name = SCALARS[element.scalar], library.use(element)
    body = f"return make_{name}(p[3 * i], p[3 * i + 1], p[3 * i + 2]);"
    library.add(element, f"load_{name}", [(f"const {scalar}*", "p"), (INT, "i")], body)
    return Code(f"load_{name}({array.pointer}, {place.text})", element)


def component(array: ArrayCode, place: Code, number: int, flat: bool) -> Code | None:
    """Return a component of an element in an array of numbers; None if the array has vectors, or these no such component."""
    element = array.parameter.element
    if not (is_flat(element, flat) and isinstance(element, Type)) or not 0 <= number < 3:
        return None
    index = binary("*", PRODUCT, Code("3", INT), place, INT)
    index = _sum(index, Code(str(number), INT)) if number else index
    return Code(f"{_named(array.pointer)}[{index.text}]", scalar_of(element))


def store(library: Library, array: ArrayCode, place: Code, value: str, flat: bool) -> str:
    """Return the statement that stores an element."""
    array.parameter.is_written = True
    element = array.parameter.element
    if not (is_flat(element, flat) and isinstance(element, Type)):
        return f"{_named(array.pointer)}[{place.text}] = {value};"
    scalar, name = SCALARS[element.scalar], library.use(element)
    body = [f"p[3 * i{f' + {number}' if number else ''}] = v.{axis};" for number, axis in enumerate("xyz")]
    library.add(None, f"store_{name}", [(f"{scalar}*", "p"), (INT, "i"), (element, "v")], *body)
    return f"store_{name}({array.pointer}, {place.text}, {value});"


def address(array: ArrayCode, place: Code, flat: bool) -> str:
    """Return the address of an element."""
    if is_flat(array.parameter.element, flat) and place.text != "0":
        three = binary("*", PRODUCT, Code("3", INT), place, INT)
        return f"&{_named(array.pointer)}[{three.text}]"
    return f"&{_named(array.pointer)}[{place.text}]"


def _named(pointer: str) -> str:
    return f"({pointer})" if " " in pointer else pointer


def atomic(library: Library, name: str, array: ArrayCode, place: Code, value: Code, flat: bool) -> Code:
    """Return an atomic operation on an element; its value is the old element if the element is a number."""
    array.parameter.is_written = True
    element = array.parameter.element
    if not isinstance(element, Type) or value.kind != element:
        raise Unsupported(f"an atomic operation on {element} with {value.kind}")
    where = address(array, place, flat)
    if not element.shape:
        return _of_number(library, name, where, value, element)
    if name not in ("atomic_add", "atomic_sub") or not is_float(scalar_of(element)):
        raise Unsupported(f"{name} of {element}")
    by_numbers = is_flat(element, flat)
    _components(library, name, element, by_numbers)
    return Code(f"{name}{3 if by_numbers else ''}({where}, {value.text})", Type(type(None)))


def _components(library: Library, name: str, element: Type, flat: bool) -> None:
    sign = "-" if name == "atomic_sub" else ""
    if flat:
        body = [f"atomicAdd(&p[{number}], {sign}v.{axis});" for number, axis in enumerate("xyz")]
        library.add(None, f"{name}3", [(f"{SCALARS[element.scalar]}*", "p"), (element, "v")], *body)
        return
    kind = library.use(element)
    if is_matrix(element):
        body = [f"for (int i = 0; i < {element.shape[0]}; ++i)", f"\tfor (int j = 0; j < {element.shape[1]}; ++j)"]
        body += [f"\t\tatomicAdd(&p->m[i][j], {sign}v.m[i][j]);"]
    elif len(places := components(element)) > 4:
        body = [f"for (int i = 0; i < {len(places)}; ++i)", f"\tatomicAdd(&p->c[i], {sign}v.c[i]);"]
    else:
        body = [f"atomicAdd(&p->{place[1:]}, {sign}v{place});" for place in places]
    library.add(None, name, [(f"{kind}*", "p"), (element, "v")], *body)


def _of_number(library: Library, name: str, where: str, value: Code, element: Type) -> Code:
    if element.scalar not in _ATOMIC:
        raise Unsupported(f"{name} of {element}")
    if name == "atomic_add":
        return Code(f"atomicAdd({where}, {value.text})", element)
    if name == "atomic_sub":
        function, operand = ("atomicAdd", f"-{value.within(UNARY)}") if is_float(element) else ("atomicSub", value.text)
        return Code(f"{function}({where}, {operand})", element)
    if name in ("atomic_min", "atomic_max", "atomic_and", "atomic_or", "atomic_xor", "atomic_exch"):
        if is_float(element) and name != "atomic_exch":
            return _float_extreme(library, name, where, value, element)
        return Code(f"atomic{name.removeprefix('atomic_').capitalize()}({where}, {value.text})", element)
    raise Unsupported(name)


def _float_extreme(library: Library, name: str, where: str, value: Code, element: Type) -> Code:
    if SCALARS[element.scalar] != "float" or name not in ("atomic_min", "atomic_max"):
        raise Unsupported(f"{name} of {element}")
    body = [
        "int* address = (int*)p;",
        "int old = *address;",
        f"while ({'v <' if name == 'atomic_min' else 'v >'} __int_as_float(old)) {{",
        "\tint assumed = old;",
        "\told = atomicCAS(address, assumed, __float_as_int(v));",
        "\tif (old == assumed) break;",
        "}",
        "return __int_as_float(old);",
    ]
    library.add(element, f"{name}_float", [("float*", "p"), ("float", "v")], *body)
    return Code(f"{name}_float({where}, {value.text})", element)
