"""Source text -> a live kernel, leaving nothing behind.

Warp reads a kernel's source through ``inspect`` and writes the name of the source file above every helper function. Sources are
therefore given one constant file name, and Warp's registries are private to each.
"""

from __future__ import annotations

import contextlib
import linecache
import sys
from collections.abc import Iterator, Mapping
from types import CodeType, ModuleType
from typing import Any

import warp as wp

from warpsmith.extraction import warp_internals
from warpsmith.extraction.errors import KernelRejected, describe

FILE_NAME = "kernel.py"
"""What stands in generated text for the source file; written under this name, a pair's Python gives the same text again."""

MODULE_NAME = "warpsmith_kernel"


def compiled(source: str) -> CodeType:
    """Return the code of a whole file, for who has another use for it besides `loaded_kernel`."""
    return compile(source, FILE_NAME, "exec", dont_inherit=True)


@contextlib.contextmanager
def loaded_kernel(
    source: str,
    name: str | None = None,
    module_options: Mapping[str, Any] | None = None,
    module_name: str = MODULE_NAME,
    code: CodeType | None = None,
) -> Iterator[Any]:
    """Execute ``source`` as a module of its own and yield its kernel; the kernel is gone after the ``with`` block.

    The source runs in this process: give it only what warpsmith wrote or what the user named.

    Args:
        source: a whole Python file that defines one kernel; a generic one with one overload.
        name: which kernel, should there be several.
        module_options: Warp module options to set, those of a pair's metadata.
        module_name: what the module is called; it is not in the text. To launch kernels it has to be another one each time,
            because Warp knows loaded modules by their name.
        code: what `compiled` made of ``source``, if that is at hand.

    Raises:
        KernelRejected: with stage ``"load"``, if the source does not run or does not define that kernel.
    """
    module = ModuleType(module_name)
    module.__file__ = FILE_NAME
    with warp_internals.private_registry():
        linecache.cache[FILE_NAME] = (len(source), None, source.splitlines(keepends=True), FILE_NAME)
        sys.modules[module_name] = module
        try:
            _execute(source, code, module)
            kernel = _find_kernel(module, name)
            if module_options:
                wp.set_module_options(dict(module_options), kernel.module)
            yield kernel
        finally:
            sys.modules.pop(module_name, None)
            linecache.cache.pop(FILE_NAME, None)


def _execute(source: str, code: CodeType | None, module: ModuleType) -> None:
    try:
        exec(code or compiled(source), module.__dict__)
    except Exception as error:
        raise KernelRejected("load", describe(error)) from error


def _find_kernel(module: ModuleType, name: str | None) -> Any:
    kernels = [value for value in vars(module).values() if isinstance(value, wp.Kernel)]
    if name is not None:
        kernels = [kernel for kernel in kernels if kernel.key == name]
    if len(kernels) != 1:
        wanted = f"a kernel named {name!r}" if name else "exactly one kernel"
        raise KernelRejected("load", f"the source defines {len(kernels)} of {wanted}")
    (kernel,) = kernels
    if not kernel.is_generic:
        return kernel
    overloads = list(kernel.overloads.values())
    if len(overloads) != 1:
        raise KernelRejected("load", f"generic kernel {kernel.key!r} declares {len(overloads)} overloads instead of one")
    return overloads[0]
