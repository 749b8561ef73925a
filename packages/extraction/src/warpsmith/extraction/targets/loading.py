"""Live kernels from source text, without traces in Python's or Warp's global state.

Warp reads a kernel's source through ``inspect`` and writes the name of the source file above every helper function. Therefore
all sources have one constant file name, and each has separate registries of Warp.
"""

from __future__ import annotations

import contextlib
import linecache
import sys
from collections.abc import Iterator, Mapping
from types import CodeType, ModuleType
from typing import Any, TypeVar

import warp as wp

from warpsmith.core.errors import KernelRejected, describe
from warpsmith.core.records.ir import Device, KernelIR
from warpsmith.core.records.python_source import source_lines
from warpsmith.extraction.codegen.extract import extract_stepwise
from warpsmith.extraction.warp import registries
from warpsmith.extraction.warp.interleave import Steps
from warpsmith.extraction.warp.objects import is_generic_kernel, overloads_of, registered_name, warp_module

T = TypeVar("T")

FILE_NAME = "kernel.py"
"""The source file that generated text names; a pair's Python in a file of this name generates the same text again."""

MODULE_NAME = "warpsmith_kernel"


def compile_module(source: str) -> CodeType:
    """Compile a whole file; callers that run the code object themselves pass it to `extract_source_stepwise` too."""
    return compile(source, FILE_NAME, "exec", dont_inherit=True)


@contextlib.contextmanager
def loaded_kernel(
    source: str,
    name: str | None = None,
    module_options: Mapping[str, Any] | None = None,
    module_name: str = MODULE_NAME,
) -> Iterator[Any]:
    """Execute ``source`` as a module and yield its kernel, which is valid inside the ``with`` block.

    The source runs in this process: pass only sources that warpsmith wrote or that the user trusts.

    Args:
        source: a whole Python file that defines one kernel; a generic kernel has one overload.
        name: the name of the kernel, required if the file defines several.
        module_options: Warp module options to set, as in a pair's metadata.
        module_name: the name of the module, which does not occur in the text. To launch kernels, use another name each time:
            Warp identifies loaded modules by their name.

    Raises:
        KernelRejected: with stage ``"load"``, if the source does not run or does not define that kernel.
    """
    with contextlib.closing(IsolatedModule(source, module_name)) as module, module:
        yield module.load(name, module_options)


def extract_source_stepwise(
    source: str,
    name: str,
    module_options: Mapping[str, Any],
    device: Device,
    include_backward: bool,
    code: CodeType | None = None,
) -> Steps[KernelIR]:
    """Load a kernel as `loaded_kernel` does and extract it as `extract_ir` does, in steps that can be interleaved.

    Args:
        source: see `loaded_kernel`.
        name: see `loaded_kernel`.
        module_options: see `loaded_kernel`.
        device: see `extract_ir`.
        include_backward: see `extract_ir`.
        code: the result of `compile_module` for ``source``, if the caller has it.

    Raises:
        KernelRejected: see `loaded_kernel` and `extract_ir`.
    """
    with contextlib.closing(IsolatedModule(source, MODULE_NAME)) as module:
        with module:
            kernel = module.load(name, module_options, code)
        yield
        return (yield from module.run_inside(extract_stepwise(kernel, device, include_backward)))


class IsolatedModule:
    """The state of Python and Warp in which one source is loaded: inside the block, kernels of other sources are invisible."""

    def __init__(self, source: str, module_name: str) -> None:
        self._source = source
        self._lines = (len(source), None, source_lines(source), FILE_NAME)
        self._module = ModuleType(module_name)
        self._module.__file__ = FILE_NAME
        self._registry = registries.PrivateRegistry()

    def __enter__(self) -> None:
        self._registry.__enter__()
        linecache.cache[FILE_NAME] = self._lines
        sys.modules[self._module.__name__] = self._module

    def __exit__(self, *_: object) -> None:
        sys.modules.pop(self._module.__name__, None)
        linecache.cache.pop(FILE_NAME, None)
        self._registry.__exit__()

    def load(self, name: str | None, module_options: Mapping[str, Any] | None, code: CodeType | None = None) -> Any:
        """Execute the source and return its kernel; see `loaded_kernel`."""
        self._registry.open(self._module.__name__)
        try:
            exec(code or compile_module(self._source), self._module.__dict__)
        except Exception as error:
            raise KernelRejected("load", describe(error)) from error
        kernel = _find_kernel(self._module, name)
        if module_options:
            wp.set_module_options(dict(module_options), warp_module(kernel))
        return kernel

    def run_inside(self, work: Steps[T]) -> Steps[T]:
        """Do each step of ``work`` inside the block of this module."""
        while True:
            with self:
                try:
                    next(work)
                except StopIteration as end:
                    result: T = end.value
                    return result
            yield

    def close(self) -> None:
        """Drop all objects of Warp that the source created."""
        self._registry.close()


def _find_kernel(module: ModuleType, name: str | None) -> Any:
    kernels = [value for value in vars(module).values() if registries.is_kernel(value)]
    if name is not None:
        kernels = [kernel for kernel in kernels if registered_name(kernel) == name]
    if len(kernels) != 1:
        wanted = f"a kernel named {name!r}" if name else "exactly one kernel"
        raise KernelRejected("load", f"the source defines {len(kernels)} of {wanted}")
    (kernel,) = kernels
    if not is_generic_kernel(kernel):
        return kernel
    overloads = overloads_of(kernel)
    if len(overloads) != 1:
        raise KernelRejected(
            "load", f"generic kernel {registered_name(kernel)!r} declares {len(overloads)} overloads instead of one"
        )
    return overloads[0]
