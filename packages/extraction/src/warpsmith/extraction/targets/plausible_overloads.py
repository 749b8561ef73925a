"""Plausible types for generic kernels for which the program declares no overload.

Warp creates the overloads of a generic kernel when the program launches it. Without a launch the types are unknown; the guess
is the first combination of common types for which Warp can generate the kernel.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import warp as wp

from warpsmith.core.errors import KernelRejected
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.warp import registries
from warpsmith.extraction.warp.objects import argument_types
from warpsmith.extraction.warp.type_properties import array_class, fits, is_generic

_ELEMENTS = (wp.float32, wp.vec3f, wp.mat33f, wp.int32, wp.quatf, wp.transformf, wp.vec2f, wp.float64, wp.mat22f)
"""The types of elements that are tried, the most common first."""

_SCALARS = (wp.float32, wp.int32)
"""The types of factors and indices beside them."""

_MAX_ATTEMPTS = 128
"""How many combinations are tried. A combination that does not fit takes a few milliseconds."""

Types = tuple[Any, ...]


def guessed_overload(kernel: Any) -> Any:
    """Return an overload of a generic kernel with plausible types; the kernel is unchanged.

    Raises:
        KernelRejected: if Warp can generate the kernel for none of the combinations that are tried.
    """
    for types in itertools.islice(_combinations(list(argument_types(kernel).values())), _MAX_ATTEMPTS):
        overload = registries.new_overload(kernel, types)
        try:
            extract_ir(overload, "cpu", include_backward=False)
        except KernelRejected:
            continue
        return overload
    raise KernelRejected("codegen", "a generic kernel without overloads, and no common types fit: use wp.overload()")


def _combinations(annotations: list[Any]) -> Iterator[Types]:
    """Yield types for all arguments: one element type for all generic ones, then scalars for some of these."""
    generic = [position for position, annotation in enumerate(annotations) if is_generic(annotation)]
    seen: set[str] = set()
    for scalars in _subsets(generic):
        for element, scalar in itertools.product(_ELEMENTS, _SCALARS if scalars else _SCALARS[:1]):
            types = list(annotations)
            for position in generic:
                types[position] = _fitting(annotations[position], scalar if position in scalars else element)
            if None not in types and repr(types) not in seen:
                seen.add(repr(types))
                yield tuple(types)


def _subsets(positions: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield subsets of the arguments, small ones first, and of these the last arguments first: factors come last."""
    for size in range(len(positions)):
        yield from itertools.combinations(reversed(positions), size)


def _fitting(annotation: Any, wanted: Any) -> Any:
    """Return ``annotation`` with the wanted type, or with the first that fits; None if none does."""
    array = array_class(annotation)
    template = annotation if array is None else annotation.dtype
    for element in (wanted, *_ELEMENTS):
        if fits(element, template):
            return element if array is None else getattr(wp, array)(dtype=element, ndim=annotation.ndim)
    return None
