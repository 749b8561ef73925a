"""Types of arguments: as keys of memos, without references, as C++ names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from warpsmith.extraction.warp.private import PRIVATE

_codegen, _types = PRIVATE["codegen"], PRIVATE["types"]

Reference, Struct, Var = _codegen.Reference, _codegen.Struct, _codegen.Var
ArrayAnnotation = vars(_types)["_ArrayAnnotationBase"]
ARRAYS = (_types.array, _types.indexedarray)

MOST = 20_000
"""Entries of a memo before it starts anew. Kernels of all categories together need less than a quarter of it."""


class NoKey(Exception):
    """A type that memos do not know by its structure."""


def key(kind: Any) -> Any:
    """What two types have in common if Warp cannot tell them apart while it looks for an overload.

    Structs are all the same to it: no builtin names one.

    Raises:
        NoKey: for tiles, tuples of values, functions and all else.
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
    """Like `key`, of types that text may be remembered for: references are told apart from values, structs from each other.

    Raises:
        NoKey: for structs, too, whose names differ from kernel to kernel.
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
    """Nearly all arguments are no references; which classes are not is found out once."""
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
    """A variable has the type that it says, and most types are their own; which classes of types are is found out once."""
    own: set[type] = set()

    def faster(arg: Any) -> Any:
        kind = arg.type if type(arg) is Var else arg
        if type(kind) is Reference:
            kind = kind.value_type
        if type(kind) in own:
            return kind
        found = stock(arg)
        if found is kind and issubclass(type(kind), (type, ArrayAnnotation, Struct, *ARRAYS)):
            own.add(type(kind))
        return found

    return faster


def type_to_ctype(stock: Callable[..., str]) -> Callable[..., str]:
    """The C++ name of a type is the same each time."""
    names: dict[Any, str] = {}

    def faster(kind: Any, value_type: bool = False) -> str:
        try:
            remembered = (plain_key(kind), value_type)
        except NoKey:
            return stock(kind, value_type)
        name = names.get(remembered)
        if name is None:
            if len(names) >= MOST:
                names.clear()
            name = names[remembered] = stock(kind, value_type)
        return name

    return faster
