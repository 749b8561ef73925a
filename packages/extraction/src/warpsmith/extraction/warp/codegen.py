"""The text that Warp generates for one kernel.

No public function of Warp returns it without compiling it first. The text is what ``ModuleBuilder.codegen`` returns, the same
call that ``wp.compile_aot_module`` makes. `notes/cpu_ir_format.md` and `notes/cuda_ir_format.md` describe it.
"""

from __future__ import annotations

import contextlib
import inspect
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import warp as wp

from warpsmith.core.records.text_format import NO_BFLOAT16
from warpsmith.extraction.interleave import Steps
from warpsmith.extraction.warp.private import warp_codegen, warp_context, warp_types
from warpsmith.extraction.warp.runtime import start_runtime

CUDA_ARCH = 90
"""Compute capability 9.0 represents all CUDA devices: only tile operations of MathDx name it in their text."""

_WARP_HOME = str(Path(wp.config.__file__).parent) + os.sep

_BUILDER_TAKES_TARGET = "target" in inspect.signature(warp_context.ModuleBuilder.__init__).parameters  # from 1.19


def changed_options(module: Any) -> dict[str, Any]:
    """Return the options of a Warp module that differ from Warp's defaults, ``strip_hash`` left out."""
    defaults = warp_context.Module("defaults", None).options
    return {
        key: value
        for key, value in module.options.items()
        if key != "strip_hash" and (key not in defaults or value != defaults[key])
    }


@dataclass(frozen=True)
class ModuleText:
    """The whole file Warp writes for one kernel and one device, and what is needed to take it apart.

    Attributes:
        text: the file.
        preamble: the constant text it opens with.
        first_adjoint: the text of the first adjoint function, or ``""`` where there is none that may be moved: no helper
            functions, no backward kernel, or helpers that call ``wp.grad`` and so need the adjoints in the forward pass.
    """

    kernel_name: str
    text: str
    preamble: str
    first_adjoint: str


@contextlib.contextmanager
def _hash_stripped(kernel: Any) -> Iterator[None]:
    """Let names carry no hash for a while, as ``compile_aot_module(strip_hash=True)`` does, and put all back afterwards."""
    options, hash_before = kernel.module.options, kernel.hash
    stripped_before = options["strip_hash"]
    options["strip_hash"] = True
    try:
        yield
    finally:
        options["strip_hash"] = stripped_before
        kernel.hash = hash_before  # the setter also drops the cached name


def generate_text_stepwise(kernel: Any, targets: tuple[str, ...], include_backward: bool) -> Steps[dict[str, ModuleText]]:
    """Ask Warp for the text of ``kernel`` alone, for each of ``targets`` (``"cpu"``, ``"cuda"``).

    One build of the adjoint serves both targets unless the kernel holds tiles, whose code differs by architecture.
    Options are resolved first: unresolved ones lose the grid-stride loop, because its default, None, reads as false.

    Raises:
        Exception: whatever Warp raises for a kernel it cannot generate.
    """
    try:
        return (yield from _generating(kernel, targets, include_backward))
    except Exception:
        # The generator asks Warp's native library in two cases, half-precision constants and tiles of MathDx, and stumbles over
        # None while Warp is not started. Starting it takes a second and looks for a GPU, which all other kernels do without.
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
        builder = None
        for target in targets:
            if builder is None or _holds_tiles(builder):
                hasher = _hash(kernel, options)
                yield
                builder = _build_adjoint(kernel, options, hasher, target)
                if not (shared := _shared_functions(builder)):
                    yield
            with _portable_paths(shared):
                texts[target] = _module_text(builder, kernel, target)
        return texts


def _hash(kernel: Any, options: dict[str, Any]) -> Any:
    """Let Warp look at what the kernel refers to, which its generator goes by."""
    if kernel.module.has_unresolved_static_expressions:
        # Warp builds once to find the values that the hash needs, then once more for the text; so do we.
        warp_context.ModuleBuilder(kernel.module, options | {"output_arch": None}, warp_context.ModuleHasher([kernel], options))
    return warp_context.ModuleHasher([kernel], options)


def _build_adjoint(kernel: Any, options: dict[str, Any], hasher: Any, target: str) -> Any:
    """Run Warp's generator over the kernel and all it calls."""
    extra = {"target": target} if _BUILDER_TAKES_TARGET else {}
    arch = CUDA_ARCH if target == "cuda" else None
    return warp_context.ModuleBuilder(kernel.module, options | {"output_arch": arch}, hasher, **extra)


def _shared_functions(builder: Any) -> dict[Any, str]:
    """Return the path of each function that comes with Warp, by its adjoint, which is the same object for all kernels."""
    return {
        function.adj: function.adj.filename for function in builder.functions if function.adj.filename.startswith(_WARP_HOME)
    }


@contextlib.contextmanager
def _portable_paths(shared: dict[Any, str]) -> Iterator[None]:
    """Let `_shared_functions` be written under a path inside Warp, not under where this machine keeps it.

    Warp writes the path of its source file above every helper. Sources of pairs have a constant one, see `loading`; the few
    helpers written in Python that Warp brings itself, such as ``wp.quat_to_rpy``, are the exception.
    """
    for adjoint, path in shared.items():
        adjoint.filename = Path("warp", *Path(path).relative_to(_WARP_HOME).parts).as_posix()
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
    """Return the text of the adjoint that Warp emits first: those that are custom gradients, then the others."""
    custom = {function.custom_grad_func for function in builder.functions}
    for function in sorted(builder.functions, key=lambda function: function not in custom):
        text: str = builder._codegen_functions([function], target, reverse_only=True)
        if text:
            return text
    return ""


def preamble(target: str, text: str = "", options: dict[str, Any] | None = None) -> str:
    """Return the constant text that Warp's file for ``target`` opens with.

    ``text`` is the generated code: one that mentions bfloat16 lacks the line that switches bfloat16 off. ``options`` are
    the resolved module options, Warp's defaults where None.
    """
    options = options or {"block_dim": 256}
    switch = "" if "bfloat16" in text else NO_BFLOAT16
    header = warp_codegen.cpu_module_header if target == "cpu" else warp_codegen.cuda_module_header
    extra = options.get(f"extra_{target}_preamble", "")
    opening: str = switch + header.format(block_dim=options["block_dim"]) + extra + warp_codegen.codegen_cast_macros
    return opening


def _holds_tiles(builder: Any) -> bool:
    adjoints = [item.adj for item in (*builder.kernels, *builder.functions)]
    return any(
        warp_types.is_tile(variable.type) or warp_types.is_tile_stack(variable.type)
        for adjoint in adjoints
        for variable in (*adjoint.args, *adjoint.variables)
    )
