"""Warp's registries: modules, functions and kernels of this process, and the builtins of the language."""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import warp as wp

from warpsmith.extraction.warp.private import warp_context

Content = TypeVar("Content")


@dataclass
class _Registries:
    """The content of two registries of Warp: the modules by name, and the counters of function names."""

    modules: dict[str, Any]
    counts: dict[str, int]


class PrivateRegistry:
    """Separate registries of Warp for the code inside a ``with`` block: its generated text depends on its source alone.

    Warp's registries have three effects that are prevented here. Helper functions are numbered by a counter of the process
    (``helper_0``, ``helper_1`` …): inside the block the counter starts as it does in a new process. A kernel of
    ``module="unique"`` is replaced by an earlier kernel with the same content, and gets its line numbers: earlier kernels are
    hidden. The registry and references between modules keep every module in memory: `close` drops the modules of the block,
    except for modules of Python packages that were imported inside.

    The block may be entered repeatedly; the registries keep their content in between.
    """

    def __init__(self) -> None:
        self._inside = _Registries({}, dict(_warp_function_counts()))
        self._outside = _Registries({}, {})

    def __enter__(self) -> None:
        self._outside = _swap_registries(self._inside)

    def __exit__(self, *_: object) -> None:
        modules = self._outside.modules
        imported = {
            name: module for name, module in warp_context.user_modules.items() if name in sys.modules and name not in modules
        }
        self._inside = _swap_registries(_Registries(modules | imported, self._outside.counts))
        for name in imported:
            del self._inside.modules[name]

    @staticmethod
    def open(name: str) -> None:
        """Create the Warp module of a Python module, without the scan for the modules that its kernels refer to.

        Warp scans to find out what to rebuild after a change. The scan takes as long as writing the text of a kernel.
        """
        warp_context.get_module(name).defer_reference_scan = True  # from 1.19; earlier releases ignore the attribute

    def close(self) -> None:
        """Drop the modules that were created inside the block."""
        for module in self._inside.modules.values():
            module._detach_references()
        self._inside.modules = {}


@contextlib.contextmanager
def block_dim_option(kernel: Any, block_dim: int | None) -> Iterator[None]:
    """Set the block size of a kernel's module inside the ``with`` block; None leaves it as it is."""
    options = kernel.module.options
    before = options["block_dim"]
    options["block_dim"] = block_dim or before
    try:
        yield
    finally:
        options["block_dim"] = before


@cache
def _warp_function_counts() -> dict[str, int]:
    """Return the counter of function names after Warp was imported: some of Warp's functions are written in Python."""
    counts: dict[str, int] = {}
    for function in (*warp_context.builtin_functions.values(), *vars(wp).values()):
        if isinstance(function, wp.Function) and not function.is_builtin():
            for overload in (function, *function.user_overloads.values(), *function.user_templates.values()):
                key, _, number = overload.native_func.rpartition("_")
                counts[key] = max(counts.get(key, 0), int(number) + 1)
    return counts


def _swap_registries(content: _Registries) -> _Registries:
    """Replace the content of Warp's registries, and return the previous content."""
    modules = _swap(warp_context.user_modules, content.modules)
    return _Registries(modules, _swap(warp_context.function_key_counts, content.counts))


def _swap(live: dict[str, Content], content: dict[str, Content]) -> dict[str, Content]:
    """Replace the content of one of Warp's dictionaries, and return the previous content."""
    before = dict(live)
    live.clear()
    live.update(content)
    return before


def builtin_overloads(key: str) -> list[tuple[tuple[str, ...], str | None]] | None:
    """Return the (argument types, result type) of each overload of a builtin, or None if there is no such builtin.

    Types have Warp's canonical names, generic types the name ``"Any"``. The result type is None if Warp computes it from the
    arguments, and for several results.
    """
    function = warp_context.builtin_functions.get(key)
    if function is None:
        return None
    if not function.is_builtin():  # written in Python: its types are not declared
        return []
    return [
        (tuple(map(_type_name, overload.input_types.values())), _value_name(overload.value_type))
        for overload in _overloads(function)
    ]


def _value_name(warp_type: Any) -> str | None:
    return None if warp_type is None or isinstance(warp_type, list | tuple) else _type_name(warp_type)


def visible_builtins() -> dict[str, str]:
    """Return the group of every builtin of Warp's reference by name: the builtins with an overload that is not hidden."""
    return {
        key: function.group
        for key, function in warp_context.builtin_functions.items()
        if not all(overload.hidden for overload in _overloads(function))
    }


def builtin_names() -> frozenset[str]:
    """Return the names of all builtins that kernels can call, hidden ones, too."""
    return frozenset(warp_context.builtin_functions)


def python_source(key: str) -> str:
    """Return the source of a builtin that is a Python function, whose code is generated into each kernel that calls it.

    The source is empty for native builtins.
    """
    function = warp_context.builtin_functions.get(key)
    return "" if function is None or function.is_builtin() else inspect.getsource(function.func)


def native_names() -> dict[str, tuple[str, ...]]:
    """Return the builtins, including hidden ones, by their C++ name in generated code, such as ``"wp::vec_t"``."""
    keys_by_name: dict[str, dict[str, None]] = {}
    for key, function in warp_context.builtin_functions.items():
        for overload in _overloads(function):
            keys_by_name.setdefault(f"{overload.namespace}{overload.native_func}", {})[key] = None
    return {native: tuple(keys) for native, keys in keys_by_name.items()}


def _overloads(function: Any) -> list[Any]:
    """Return the overloads of a builtin; a builtin that is a Python function is its own only overload."""
    return getattr(function, "overloads", None) or [function]


def _type_name(warp_type: Any) -> str:
    python_names = {float: "float32", int: "int32", bool: "bool", Any: "Any"}
    return python_names.get(warp_type) or str(getattr(warp_type, "__name__", repr(warp_type)))


def is_kernel(value: object) -> bool:
    """Return whether ``value`` is a live Warp kernel."""
    return isinstance(value, wp.Kernel)


def live_kernels(namespaces: Iterable[str] = ()) -> list[Any]:
    """Return the kernels of this process in the order of Warp modules; overloads are not separate items.

    Args:
        namespaces: the names of Python modules whose variables are searched, too: Warp does not register the modules that a
            project creates by ``wp.Module(name)``.
    """
    registered = [kernel for module in warp_context.user_modules.values() for kernel in module._get_live_kernels()]
    variables = [value for name in namespaces for value in vars(sys.modules[name]).values() if is_kernel(value)]
    return list({id(kernel): kernel for kernel in (*registered, *variables)}.values())


def new_overload(kernel: Any, types: tuple[Any, ...]) -> Any:
    """Return an overload of a generic kernel; the kernel does not keep it.

    Raises:
        Exception: any exception of Warp for types that do not fit.
    """
    before = dict(kernel.overloads)
    try:
        return kernel.add_overload(list(types))
    finally:
        kernel.overloads.clear()
        kernel.overloads.update(before)
