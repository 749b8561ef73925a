"""Types of arguments as cache keys, without references, and as C++ names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from warpsmith.extraction.warp.private import PRIVATE

_codegen, _types = PRIVATE["codegen"], PRIVATE["types"]

Reference, Struct, Var = _codegen.Reference, _codegen.Struct, _codegen.Var
ArrayAnnotation = vars(_types)["_ArrayAnnotationBase"]
ARRAYS = (_types.array, _types.indexedarray)

MAX_ENTRIES = 20_000
"""Entries of a cache before it is cleared. Kernels of all categories together need less than a quarter."""


class NoKey(Exception):
    """A type without a cache key."""


def key(warp_type: Any) -> Any:
    """Return a key that is equal for types between which overload resolution makes no difference.

    All structs have one key, because no builtin has a struct among its parameters.

    Raises:
        NoKey: for tiles, tuples of values, functions and everything else.
    """
    if isinstance(warp_type, type):
        return warp_type
    family = type(warp_type)
    if family in ARRAYS or isinstance(warp_type, ArrayAnnotation):
        return family, key(warp_type.dtype), warp_type.ndim
    if family is Struct:
        return Struct
    raise NoKey


def plain_key(warp_type: Any) -> Any:
    """Return a key that is equal for types with the same generated text; references and values have different keys.

    Raises:
        NoKey: as `key` does, and for structs, whose names differ between kernels.
    """
    if isinstance(warp_type, type):
        return warp_type
    family = type(warp_type)
    if family is Reference and isinstance(warp_type.value_type, type):
        return Reference, warp_type.value_type
    if (family in ARRAYS or isinstance(warp_type, ArrayAnnotation)) and isinstance(warp_type.dtype, type):
        return family, warp_type.dtype, warp_type.ndim
    raise NoKey


def strip_reference(stock: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return arguments that are not references at once; their classes are collected."""
    plain: set[type] = set()

    def faster(arg: Any) -> Any:
        cls = type(arg)
        if cls is Reference:
            return arg.value_type
        if cls in plain:
            return arg
        if not issubclass(cls, (str, Reference, Sequence)):
            plain.add(cls)
        return stock(arg)

    return faster


def get_arg_type(stock: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the type of a variable, or a type itself; classes of types that are returned unchanged are collected."""
    unchanged: set[type] = set()

    def faster(arg: Any) -> Any:
        warp_type = arg.type if type(arg) is Var else arg
        if type(warp_type) is Reference:
            warp_type = warp_type.value_type
        if type(warp_type) in unchanged:
            return warp_type
        result = stock(arg)
        if result is warp_type and issubclass(type(warp_type), (type, ArrayAnnotation, Struct, *ARRAYS)):
            unchanged.add(type(warp_type))
        return result

    return faster


def type_to_ctype(stock: Callable[..., str]) -> Callable[..., str]:
    """Cache the C++ name of each type."""
    names: dict[Any, str] = {}

    def faster(warp_type: Any, value_type: bool = False) -> str:
        try:
            cache_key = (plain_key(warp_type), value_type)
        except NoKey:
            return stock(warp_type, value_type)
        name = names.get(cache_key)
        if name is None:
            if len(names) >= MAX_ENTRIES:
                names.clear()
            name = names[cache_key] = stock(warp_type, value_type)
        return name

    return faster
