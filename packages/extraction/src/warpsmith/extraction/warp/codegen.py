"""The text that Warp generates for one kernel.

No public function of Warp returns the text without compiling it. The text is the result of ``ModuleBuilder.codegen``, which
``wp.compile_aot_module`` calls too. `notes/reference/generated_code.md` describes the layout.
"""

from __future__ import annotations

import contextlib
import enum
import inspect
import os
import runpy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

import warp as wp

from warpsmith.core.records.text_format import DEFAULT_BLOCK, NO_BFLOAT16
from warpsmith.extraction.warp.interleave import Steps
from warpsmith.extraction.warp.private import warp_codegen, warp_context, warp_types
from warpsmith.extraction.warp.runtime import start_runtime

CUDA_ARCH = 90
"""Compute capability 9.0 represents all CUDA devices: it occurs only in the text of tile operations of MathDx."""

_WARP_FOLDER = str(Path(wp.config.__file__).parent) + os.sep

_DECORATOR_OPTIONS = frozenset(inspect.signature(wp.kernel).parameters)

_BUILDER_TAKES_TARGET = "target" in inspect.signature(warp_context.ModuleBuilder.__init__).parameters  # from 1.19


PlainOption: TypeAlias = bool | int | float | str | None
"""A value of an option that JSON can hold."""

Option: TypeAlias = PlainOption | enum.Enum | tuple[int, ...]
"""A value of an option of a module or a kernel; launch bounds are tuples."""


def changed_options(kernel: Any) -> dict[str, Option]:
    """Return the options of a kernel's module that differ from Warp's defaults, except ``strip_hash``.

    A program may set them for all modules in ``wp.config``, too.
    """
    initial = _initial_config()
    defaults = warp_context.Module("defaults", None).options
    found: dict[str, Option] = {}
    for key, option in kernel.module.options.items():
        inherits = option is None and key in initial
        value = getattr(wp.config, key) if inherits else option
        default = initial.get(key) if inherits or (key in initial and _is_plain(option)) else defaults.get(key)
        if key != "strip_hash" and (key not in defaults or value != default):
            found[key] = value
    return found


@cache
def _initial_config() -> dict[str, Any]:
    """Return the values of ``wp.config`` before a program changes any."""
    return runpy.run_path(wp.config.__file__)


def plain_options(kernel: Any) -> dict[str, PlainOption]:
    """Return the changed options of a kernel's module that JSON can hold."""
    return {key: value for key, value in changed_options(kernel).items() if _is_plain(value)}


def other_options(kernel: Any) -> dict[str, Option]:
    """Return all other changed options of a kernel's module, such as ``deterministic``, whose value is an enumeration."""
    return {key: value for key, value in changed_options(kernel).items() if not _is_plain(value)}


def decorator_options(kernel: Any) -> dict[str, Option]:
    """Return the options of a kernel that ``@wp.kernel`` takes.

    Warp's own modules set others, such as ``max_unroll``, which has no effect: Warp reads it from the module.
    """
    return {key: value for key, value in kernel.options.items() if key in _DECORATOR_OPTIONS}


def _is_plain(value: Option) -> TypeGuard[PlainOption]:
    return isinstance(value, bool | int | float | str | None) and not isinstance(value, enum.Enum)


@dataclass(frozen=True)
class ModuleText:
    """The whole file that Warp generates for one kernel and one target, and the positions at which it is split.

    Attributes:
        kernel_name: the kernel's name in the text.
        text: the whole file.
        preamble: the constant text at the start of the file.
        first_adjoint: the text of the first adjoint function. It is empty if no adjoint belongs to the backward code: without
            helper functions, without a backward kernel, or with helpers that call ``wp.grad`` and need the adjoints in the
            forward pass.
    """

    kernel_name: str
    text: str
    preamble: str
    first_adjoint: str


@contextlib.contextmanager
def _hash_stripped(kernel: Any) -> Iterator[None]:
    """Generate names without a hash inside the block, as ``compile_aot_module(strip_hash=True)`` does."""
    options, hash_before = kernel.module.options, kernel.hash
    stripped_before = options["strip_hash"]
    options["strip_hash"] = True
    try:
        yield
    finally:
        options["strip_hash"] = stripped_before
        kernel.hash = hash_before  # the setter also drops the cached name


def generate_text_stepwise(kernel: Any, targets: tuple[str, ...], include_backward: bool) -> Steps[dict[str, ModuleText]]:
    """Generate the text of ``kernel`` alone for each of ``targets``, in steps.

    One build of the adjoint is used for both targets, unless the kernel contains tiles, whose code depends on the architecture.
    Options are resolved first: the grid-stride option is None by default, which the generator reads as false.

    Args:
        kernel: a Warp kernel, not a generic one.
        targets: ``"cpu"``, ``"cuda"`` or both.
        include_backward: whether to generate the adjoint.

    Raises:
        Exception: any exception of Warp for a kernel that it cannot generate.
    """
    try:
        return (yield from _generating(kernel, targets, include_backward))
    except Exception:
        # The generator calls Warp's native library for half-precision constants and for tiles of MathDx, and fails while the
        # runtime is not started. Starting takes a second and searches for a GPU; other kernels need neither.
        if warp_context.runtime is not None:
            raise
        start_runtime()
        return (yield from _generating(kernel, targets, include_backward))


def _generating(kernel: Any, targets: tuple[str, ...], include_backward: bool) -> Steps[dict[str, ModuleText]]:
    with _hash_stripped(kernel):
        options = dict(kernel.module.resolve_options(wp.config))
        if not include_backward:
            options["enable_backward"] = False
        texts: dict[str, ModuleText] = {}
        builder: Any = None
        for target in targets:
            if builder is None or _contains_tiles(builder):
                hasher = _hash(kernel, options)
                yield
                builder = _build_adjoint(kernel, options, hasher, target)
                if not (shared := _shared_functions(builder)):
                    yield
            with _portable_paths(shared):
                texts[target] = _module_text(builder, kernel, target)
        _clear_build(builder)
        return texts


def _clear_build(builder: Any) -> None:
    """Drop what the generator leaves in functions and kernels: statements, and the overloads of generic functions.

    It creates them anew for each text. They take 100 to 1,000 times the memory of the source, and a project keeps its kernels
    until it ends.
    """
    for item in (*builder.kernels, *builder.functions):
        adjoint = item.adj
        adjoint.builder, adjoint.blocks, adjoint.variables, adjoint.symbols = None, [], [], {}
        adjoint.called_user_functions = {}
    for function in builder.functions:
        if function.generic_parent is not None:  # it shares its table with the function that it was made from
            overloads = function.user_overloads
            for types in [types for types, overload in overloads.items() if overload is function]:
                del overloads[types]


def _hash(kernel: Any, options: dict[str, Option]) -> Any:
    """Let Warp collect the objects that the kernel refers to, on which its generator depends."""
    if kernel.module.has_unresolved_static_expressions:
        # Warp builds once to find the values that the hash needs, and again for the text.
        warp_context.ModuleBuilder(kernel.module, options | {"output_arch": None}, warp_context.ModuleHasher([kernel], options))
    return warp_context.ModuleHasher([kernel], options)


def _build_adjoint(kernel: Any, options: dict[str, Option], hasher: Any, target: str) -> Any:
    """Run Warp's generator over the kernel and all functions that it calls."""
    extra = {"target": target} if _BUILDER_TAKES_TARGET else {}
    arch = CUDA_ARCH if target == "cuda" else None
    return warp_context.ModuleBuilder(kernel.module, options | {"output_arch": arch}, hasher, **extra)


def _shared_functions(builder: Any) -> dict[Any, str]:
    """Return the path of each function that is part of Warp, by its adjoint object, which all kernels share."""
    return {
        function.adj: function.adj.filename for function in builder.functions if function.adj.filename.startswith(_WARP_FOLDER)
    }


@contextlib.contextmanager
def _portable_paths(shared: dict[Any, str]) -> Iterator[None]:
    """Give functions of Warp a path relative to Warp instead of the path on this machine.

    Warp writes the path of the source file above every helper function. Sources of pairs have a constant path, see `loading`;
    the few helpers that are Python functions of Warp, such as ``wp.quat_to_rpy``, have Warp's own.
    """
    for adjoint, path in shared.items():
        adjoint.filename = Path("warp", *Path(path).relative_to(_WARP_FOLDER).parts).as_posix()
    try:
        yield
    finally:
        for adjoint, path in shared.items():
            adjoint.filename = path


def _module_text(builder: Any, kernel: Any, target: str) -> ModuleText:
    text: str = builder.codegen(target)
    backward = (builder.options | kernel.options)["enable_backward"]
    uses_grad = any(function.adj.uses_grad_call for function in builder.functions)
    return ModuleText(
        kernel_name=kernel.get_mangled_name(),
        text=text,
        preamble=preamble(target, text, builder.options),
        first_adjoint=_first_adjoint(builder, target) if backward and not uses_grad else "",
    )


def _first_adjoint(builder: Any, target: str) -> str:
    """Return the text of the adjoint that Warp writes first: custom gradients come before generated adjoints."""
    custom = {function.custom_grad_func for function in builder.functions}
    for function in sorted(builder.functions, key=lambda function: function not in custom):
        text: str = builder._codegen_functions([function], target, reverse_only=True)
        if text:
            return text
    return ""


def preamble(target: str, text: str = "", options: Mapping[str, object] | None = None) -> str:
    """Return the constant text at the start of Warp's file for ``target``.

    Args:
        target: ``"cpu"`` or ``"cuda"``.
        text: the generated code; the line that switches bfloat16 off is absent if the code mentions bfloat16.
        options: the module options that may differ from Warp's defaults.
    """
    options = {"block_dim": DEFAULT_BLOCK, **(options or {})}
    switch = "" if "bfloat16" in text else NO_BFLOAT16
    header = warp_codegen.cpu_module_header if target == "cpu" else warp_codegen.cuda_module_header
    extra = options.get(f"extra_{target}_preamble", "")
    result: str = switch + header.format(block_dim=options["block_dim"]) + extra + warp_codegen.codegen_cast_macros
    return result


def _contains_tiles(builder: Any) -> bool:
    adjoints = [item.adj for item in (*builder.kernels, *builder.functions)]
    return any(
        warp_types.is_tile(variable.type) or warp_types.is_tile_stack(variable.type)
        for adjoint in adjoints
        for variable in (*adjoint.args, *adjoint.variables)
    )
