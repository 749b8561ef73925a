"""The one place that touches Warp's private names.

Warp writes the text of a kernel inside ``warp._src``; no public function hands it over without compiling it first. What is
used here was read and checked on each release of `supported.SUPPORTED_WARP`, and any other release is refused when this module
is imported. Nothing of Warp is patched: the text is what ``ModuleBuilder.codegen`` returns, the same call that
``wp.compile_aot_module`` makes. `notes/cpu_ir_format.md` and `notes/cuda_ir_format.md` tell what that text looks like.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import inspect
import math
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import warp as wp

from warpsmith.extraction.steps import Steps
from warpsmith.extraction.supported import check_supported

CUDA_ARCH = 90
"""Compute capability 9.0 stands in for "some CUDA device": only tile operations of MathDx name it in their text."""

check_supported(wp.__version__)

# Imported after the check, so that an unsupported Warp gives the message above and not an AttributeError from below.
_build: Any = importlib.import_module("warp._src.build")
_codegen: Any = importlib.import_module("warp._src.codegen")
_context: Any = importlib.import_module("warp._src.context")
_types: Any = importlib.import_module("warp._src.types")

PRIVATE: dict[str, Any] = {
    "codegen": _codegen,
    "context": _context,
    "types": _types,
    "builtins": importlib.import_module("warp._src.builtins"),
}
"""The modules that `accelerate` replaces functions of, where these are the ones that it knows."""

Struct: Any = _codegen.Struct
"""The class of what ``@wp.struct`` makes; Warp has no public name for it."""

_WARP_HOME = str(Path(wp.config.__file__).parent) + os.sep

NATIVE = Path(_WARP_HOME, "native")
"""The folder of the headers that generated code includes."""

_BUILDER_TAKES_TARGET = "target" in inspect.signature(_context.ModuleBuilder.__init__).parameters  # from 1.19


# --------------------------------------------------------------------------------------------------------- the registries


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
        self._outside = _swap(_context.user_modules, self._modules), _swap(_context.function_key_counts, self._counts)

    def __exit__(self, *_: object) -> None:
        modules, counts = self._outside
        imported = {
            name: module for name, module in _context.user_modules.items() if name in sys.modules and name not in modules
        }
        self._modules = _swap(_context.user_modules, modules | imported)
        self._counts = _swap(_context.function_key_counts, counts)
        for name in imported:
            del self._modules[name]

    @staticmethod
    def open(name: str) -> None:
        """Make the module that kernels of a Python module belong to; it takes no account of the modules that they refer to.

        Warp does that to find out what to build anew when one of these changes, which takes as long as printing a kernel.
        """
        _context.get_module(name).defer_reference_scan = True  # from 1.19; earlier ones look

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
    function = _context.builtin_functions.get(key)
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
        for key, function in _context.builtin_functions.items()
        if not all(overload.hidden for overload in _overloads(function))
    }


def python_source(key: str) -> str:
    """Return the source of a builtin that Warp has written in Python, so that its code joins each kernel that calls it.

    It is the empty string for all others.
    """
    function = _context.builtin_functions.get(key)
    return "" if function is None or function.is_builtin() else inspect.getsource(function.func)


def native_names() -> dict[str, tuple[str, ...]]:
    """Return the builtins, hidden ones too, that a C++ name of generated code, such as ``"wp::vec_t"``, stands for."""
    found: dict[str, dict[str, None]] = {}
    for key, function in _context.builtin_functions.items():
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
    found = _types.concrete_array_type(kind) if hasattr(kind, "ndim") else None
    return found.__name__ if found is not None else None


def live_kernels() -> list[Any]:
    """Return every kernel that exists in this process, generic ones as such, in the order of their Warp modules."""
    return [kernel for module in _context.user_modules.values() for kernel in module._get_live_kernels()]


def start_runtime() -> None:
    """Load Warp's native libraries without their banner; that there is no CUDA driver is no news to who asked for text."""
    if _context.runtime is not None:
        return
    level, stderr = wp.config.log_level, os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        wp.config.log_level = wp.LOG_ERROR
        _context.init()
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        wp.config.log_level = level


def changed_options(module: Any) -> dict[str, Any]:
    """Return the options of a Warp module that differ from Warp's defaults, ``strip_hash`` left out."""
    defaults = _context.Module("defaults", None).options
    return {
        key: value
        for key, value in module.options.items()
        if key != "strip_hash" and (key not in defaults or value != defaults[key])
    }


# ---------------------------------------------------------------------------------------------------------- one kernel's text


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


def generating(kernel: Any, targets: tuple[str, ...], include_backward: bool) -> Steps[dict[str, ModuleText]]:
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
        if _context.runtime is not None:
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
        _context.ModuleBuilder(kernel.module, options | {"output_arch": None}, _context.ModuleHasher([kernel], options))
    return _context.ModuleHasher([kernel], options)


def _build_adjoint(kernel: Any, options: dict[str, Any], hasher: Any, target: str) -> Any:
    """Run Warp's generator over the kernel and all it calls."""
    extra = {"target": target} if _BUILDER_TAKES_TARGET else {}
    arch = CUDA_ARCH if target == "cuda" else None
    return _context.ModuleBuilder(kernel.module, options | {"output_arch": arch}, hasher, **extra)


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
    switch = "" if "bfloat16" in text else "#define WP_NO_BFLOAT16\n"
    header = _codegen.cpu_module_header if target == "cpu" else _codegen.cuda_module_header
    extra = options.get(f"extra_{target}_preamble", "")
    opening: str = switch + header.format(block_dim=options["block_dim"]) + extra + _codegen.codegen_cast_macros
    return opening


def _holds_tiles(builder: Any) -> bool:
    adjoints = [item.adj for item in (*builder.kernels, *builder.functions)]
    return any(
        _types.is_tile(variable.type) or _types.is_tile_stack(variable.type)
        for adjoint in adjoints
        for variable in (*adjoint.args, *adjoint.variables)
    )


# ----------------------------------------------------------------------------------------------------------------- compilers


def compile_cuda(text: str, folder: Path, arch: int = CUDA_ARCH, binary: bool = False) -> bool:
    """Compile a whole CUDA file with the NVRTC that Warp carries, to PTX or to a binary for one architecture; needs no GPU.

    The lowest optimization level is used: it decides how fast the result is, not what is accepted. The compiler prints its
    errors on the standard streams of the process.

    Args:
        text: preamble and code.
        folder: where source and result are written.
        arch: the compute capability to compile for, times ten.
        binary: make a cubin.

    Returns:
        Whether the compiler accepted it.
    """
    source, result = folder / "pair.cu", folder / ("pair.cubin" if binary else "pair.ptx")
    source.write_text(text, encoding="utf-8")
    try:
        _build.build_cuda(str(source), arch, str(result), pch_dir=_context.runtime.get_nvrtc_pch_dir(), optimization_level=1)
    except Exception:  # noqa: BLE001 - Warp raises bare exceptions here
        return False
    return True


def compile_cpp(
    text: str, result: Path, headers: Path, block_dim: int, flags: tuple[str, ...] = (), pch_folder: Path | None = None
) -> bool:
    """Compile a whole C++ file with the clang that Warp carries, without optimization, to an object that `load_object` takes.

    The compiler prints its errors on the standard streams of the process.

    Args:
        text: the file.
        result: the object to write.
        headers: a folder whose ``builtin.h`` stands in for Warp's and may include that one next.
        block_dim: threads a block.
        flags: more arguments for clang's front end.
        pch_folder: where clang precompiles that header, and finds it the next time.

    Returns:
        Whether the compiler accepted it.
    """
    arguments = ["-I", str(NATIVE), *flags]
    array = (ctypes.c_char_p * (len(arguments) + 1))(*map(os.fsencode, arguments), None)
    precompile = pch_folder is not None
    code: int = _context.runtime.llvm.wp_compile_cpp(
        text.encode(), b"unit.cpp", os.fsencode(headers), os.fsencode(result), False, False, False, True,
        array, 0, False, precompile, os.fsencode(pch_folder) if pch_folder else None, block_dim,
    )  # fmt: skip
    return code == 0


def load_object(path: Path, handle: str) -> None:
    """Link an object into this process under a name of its own.

    Raises:
        OSError: if Warp's linker refuses it.
    """
    if _context.runtime.llvm.wp_load_obj(os.fsencode(path), handle.encode(), wp.config.legacy_cpu_linker) != 0:
        raise OSError(f"{path.name} cannot be loaded")


def look_up(handle: str, symbol: str) -> int:
    """Return the address of a C symbol of a loaded object, 0 if it has none."""
    address: int = _context.runtime.llvm.wp_lookup(handle.encode(), symbol.encode())
    return address


def unload_object(handle: str) -> None:
    """Take a loaded object out of this process again."""
    _context.runtime.llvm.wp_unload_obj(handle.encode())


ArrayDescriptor: Any = _types.array_t
"""The C structure that stands for an array among the arguments of a kernel: data, grad, shape, strides, ndim, flags."""


def launch_bounds(dim: tuple[int, ...], dimensions: int | None) -> Any:
    """Return the C structure that a kernel takes as its first argument, for a launch of ``dim`` threads.

    Args:
        dim: the launch.
        dimensions: how many of them the kernel's ``wp.tid()`` tells apart; threads of the others share their coordinates.
            None: the structure is the same for any number, as before Warp 1.19.
    """
    if dimensions is None:
        return _types.launch_bounds_t(dim)
    kept, others = (*dim, *(1 for _ in range(dimensions - len(dim))))[:dimensions], dim[dimensions:]
    bounds = _types.launch_bounds_t(kept)
    if others:
        bounds.coord_mult = math.prod(others)
        bounds.size *= bounds.coord_mult
    return bounds
