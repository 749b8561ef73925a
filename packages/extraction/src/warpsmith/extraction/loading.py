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
from typing import Any, TypeVar

import warp as wp

from warpsmith.core.errors import KernelRejected, describe
from warpsmith.core.records.ir import Device, KernelIR
from warpsmith.extraction.extract import extract_stepwise
from warpsmith.extraction.interleave import Steps
from warpsmith.extraction.warp import registry

T = TypeVar("T")

FILE_NAME = "kernel.py"
"""What stands in generated text for the source file; written under this name, a pair's Python gives the same text again."""

MODULE_NAME = "warpsmith_kernel"


def compile_module(source: str) -> CodeType:
    """Return the code of a whole file, for who has another use for it besides `loaded_kernel`."""
    return compile(source, FILE_NAME, "exec", dont_inherit=True)


@contextlib.contextmanager
def loaded_kernel(
    source: str,
    name: str | None = None,
    module_options: Mapping[str, Any] | None = None,
    module_name: str = MODULE_NAME,
) -> Iterator[Any]:
    """Execute ``source`` as a module of its own and yield its kernel; the kernel is gone after the ``with`` block.

    The source runs in this process: give it only what warpsmith wrote or what the user named.

    Args:
        source: a whole Python file that defines one kernel; a generic one with one overload.
        name: which kernel, should there be several.
        module_options: Warp module options to set, those of a pair's metadata.
        module_name: what the module is called; it is not in the text. To launch kernels it has to be another one each time,
            because Warp knows loaded modules by their name.

    Raises:
        KernelRejected: with stage ``"load"``, if the source does not run or does not define that kernel.
    """
    with contextlib.closing(IsolatedModule(source, module_name)) as world, world:
        yield world.load(name, module_options)


def extract_source_stepwise(
    source: str,
    name: str,
    module_options: Mapping[str, Any],
    device: Device,
    include_backward: bool,
    code: CodeType | None = None,
) -> Steps[KernelIR]:
    """Do what `extract_ir` does with what `loaded_kernel` yields, step by step; many may go side by side.

    Args:
        source: see `loaded_kernel`.
        name: see `loaded_kernel`.
        module_options: see `loaded_kernel`.
        device: see `extract_ir`.
        include_backward: see `extract_ir`.
        code: what `compile_module` made of ``source``, if that is at hand.

    Raises:
        KernelRejected: see `loaded_kernel` and `extract_ir`.
    """
    with contextlib.closing(IsolatedModule(source, MODULE_NAME)) as world:
        with world:
            kernel = world.load(name, module_options, code)
        yield
        return (yield from world.run_inside(extract_stepwise(kernel, device, include_backward)))


class IsolatedModule:
    """What Python and Warp know of, while they look at one source: it, and nothing made of another."""

    def __init__(self, source: str, module_name: str) -> None:
        self._source = source
        self._lines = (len(source), None, source.splitlines(keepends=True), FILE_NAME)
        self._module = ModuleType(module_name)
        self._module.__file__ = FILE_NAME
        self._registry = registry.PrivateRegistry()

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
            wp.set_module_options(dict(module_options), kernel.module)
        return kernel

    def run_inside(self, work: Steps[T]) -> Steps[T]:
        """Do each step of ``work`` in this world."""
        while True:
            with self:
                try:
                    next(work)
                except StopIteration as end:
                    made: T = end.value
                    return made
            yield

    def close(self) -> None:
        """Let go of all that was made of the source."""
        self._registry.close()


def _find_kernel(module: ModuleType, name: str | None) -> Any:
    kernels = [value for value in vars(module).values() if registry.is_kernel(value)]
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
