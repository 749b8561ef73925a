"""Warp's registries: modules, functions and kernels of this process, and the builtins of the language."""

from __future__ import annotations

import inspect
import sys
from typing import Any

import warp as wp

from warpsmith.extraction.warp.private import warp_codegen, warp_context, warp_types

Struct: Any = warp_codegen.Struct
"""The class of what ``@wp.struct`` makes; Warp has no public name for it."""


class PrivateRegistry:
    """Registries of Warp for the code inside a ``with`` block alone, so that its text depends on its source alone.

    Three traps are closed here. A counter of the process names helper functions ``helper_0``, ``helper_1`` …: it starts anew. A
    kernel of ``module="unique"`` turns into an older twin of the same content, with the twin's line numbers: older ones are
    hidden. And every module ever made stays in memory through the registry and through edges to other modules: `close` drops
    those made inside, except for the modules of Python packages that were imported on the way.

    The block may be entered as often as needed; each time it finds what it left.
    """

    def __init__(self) -> None:
        self._modules: dict[str, Any] = {}
        self._counts: dict[str, int] = {}
        self._outside: tuple[dict[str, Any], dict[str, int]] = ({}, {})

    def __enter__(self) -> None:
        self._outside = _swap(warp_context.user_modules, self._modules), _swap(warp_context.function_key_counts, self._counts)

    def __exit__(self, *_: object) -> None:
        modules, counts = self._outside
        imported = {
            name: module for name, module in warp_context.user_modules.items() if name in sys.modules and name not in modules
        }
        self._modules = _swap(warp_context.user_modules, modules | imported)
        self._counts = _swap(warp_context.function_key_counts, counts)
        for name in imported:
            del self._modules[name]

    @staticmethod
    def open(name: str) -> None:
        """Make the module that kernels of a Python module belong to; it takes no account of the modules that they refer to.

        Warp does that to find out what to build anew when one of these changes, which takes as long as printing a kernel.
        """
        warp_context.get_module(name).defer_reference_scan = True  # from 1.19; earlier ones look

    def close(self) -> None:
        """Let go of the modules that were made inside."""
        for module in self._modules.values():
            module._detach_references()
        self._modules = {}


def _swap(live: dict[str, Any], content: dict[str, Any]) -> dict[str, Any]:
    """Give a dictionary that Warp holds another content, and return what it held."""
    before = dict(live)
    live.clear()
    live.update(content)
    return before


def builtin_overloads(key: str) -> list[tuple[tuple[str, ...], str | None]] | None:
    """Return the (argument types, result type) of a builtin's overloads by Warp's canonical names, or None if there is none.

    Generic types are ``"Any"``; a result that Warp works out from the arguments is None, and so are several at once.
    """
    function = warp_context.builtin_functions.get(key)
    if function is None:
        return None
    if not function.is_builtin():  # written in Python: Warp finds its types out from its text
        return []
    return [
        (tuple(map(_type_name, overload.input_types.values())), _value_name(overload.value_type))
        for overload in _overloads(function)
    ]


def _value_name(kind: Any) -> str | None:
    return None if kind is None or isinstance(kind, list | tuple) else _type_name(kind)


def visible_builtins() -> dict[str, str]:
    """Return the group of every builtin that Warp shows in its reference, by name: one with an overload that is not hidden."""
    return {
        key: function.group
        for key, function in warp_context.builtin_functions.items()
        if not all(overload.hidden for overload in _overloads(function))
    }


def python_source(key: str) -> str:
    """Return the source of a builtin that Warp has written in Python, so that its code joins each kernel that calls it.

    It is the empty string for all others.
    """
    function = warp_context.builtin_functions.get(key)
    return "" if function is None or function.is_builtin() else inspect.getsource(function.func)


def native_names() -> dict[str, tuple[str, ...]]:
    """Return the builtins, hidden ones too, that a C++ name of generated code, such as ``"wp::vec_t"``, stands for."""
    found: dict[str, dict[str, None]] = {}
    for key, function in warp_context.builtin_functions.items():
        for overload in _overloads(function):
            found.setdefault(f"{overload.namespace}{overload.native_func}", {})[key] = None
    return {native: tuple(keys) for native, keys in found.items()}


def _overloads(function: Any) -> list[Any]:
    """The overloads of a builtin; one that Warp has written in Python has none and stands for itself."""
    return getattr(function, "overloads", None) or [function]


def _type_name(kind: Any) -> str:
    python_names = {float: "float32", int: "int32", bool: "bool", Any: "Any"}
    return python_names.get(kind) or str(getattr(kind, "__name__", repr(kind)))


def array_class(kind: Any) -> str | None:
    """Return which of Warp's array classes an annotation is of, such as ``"indexedarray"``; None for other types."""
    found = warp_types.concrete_array_type(kind) if hasattr(kind, "ndim") else None
    return found.__name__ if found is not None else None


def is_kernel(value: object) -> bool:
    """Return whether ``value`` is a live Warp kernel."""
    return isinstance(value, wp.Kernel)


def live_kernels() -> list[Any]:
    """Return every kernel that exists in this process, generic ones as such, in the order of their Warp modules."""
    return [kernel for module in warp_context.user_modules.values() for kernel in module._get_live_kernels()]
