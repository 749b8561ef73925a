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


def key(kind: Any) -> Any:
    """Return a key that is equal for types between which overload resolution makes no difference.

    All structs have one key, because no builtin has a struct among its parameters.

    Raises:
        NoKey: for tiles, tuples of values, functions and everything else.
    """
    if isinstance(kind, type):
        return kind
    family = type(kind)
    if family in ARRAYS or isinstance(kind, ArrayAnnotation):
        return family, key(kind.dtype), kind.ndim
    if family is Struct:
        return Struct
    raise NoKey


def plain_key(kind: Any) -> Any:
    """Return a key that is equal for types with the same generated text; references and values have different keys.

    Raises:
        NoKey: as `key` does, and for structs, whose names differ between kernels.
    """
    if isinstance(kind, type):
        return kind
    family = type(kind)
    if family is Reference and isinstance(kind.value_type, type):
        return Reference, kind.value_type
    if (family in ARRAYS or isinstance(kind, ArrayAnnotation)) and isinstance(kind.dtype, type):
        return family, kind.dtype, kind.ndim
    raise NoKey


def strip_reference(stock: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return arguments that are not references at once; their classes are collected."""
    plain: set[type] = set()

    def faster(arg: Any) -> Any:
        kind = type(arg)
        if kind is Reference:
            return arg.value_type
        if kind in plain:
            return arg
        if not issubclass(kind, (str, Reference, Sequence)):
            plain.add(kind)
        return stock(arg)

    return faster


def get_arg_type(stock: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the type of a variable, or a type itself; classes of types that are returned unchanged are collected."""
    unchanged: set[type] = set()

    def faster(arg: Any) -> Any:
        kind = arg.type if type(arg) is Var else arg
        if type(kind) is Reference:
            kind = kind.value_type
        if type(kind) in unchanged:
            return kind
        result = stock(arg)
        if result is kind and issubclass(type(kind), (type, ArrayAnnotation, Struct, *ARRAYS)):
            unchanged.add(type(kind))
        return result

    return faster


def type_to_ctype(stock: Callable[..., str]) -> Callable[..., str]:
    """Cache the C++ name of each type."""
    names: dict[Any, str] = {}

    def faster(kind: Any, value_type: bool = False) -> str:
        try:
            cache_key = (plain_key(kind), value_type)
        except NoKey:
            return stock(kind, value_type)
        name = names.get(cache_key)
        if name is None:
            if len(names) >= MAX_ENTRIES:
                names.clear()
            name = names[cache_key] = stock(kind, value_type)
        return name

    return faster
