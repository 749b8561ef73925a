"""Every kernel of an importable target -> pairs; what cannot become one is a reject with its reason."""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.metadata
import importlib.util
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import warp as wp

from warpsmith.core.errors import KernelRejected, TargetError, describe
from warpsmith.core.records.ir import Code, Device
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.core.records.python_source import parse_python
from warpsmith.extraction.extract import extract_ir
from warpsmith.extraction.loading import loaded_kernel
from warpsmith.extraction.same_code import same_code
from warpsmith.extraction.source_repr import type_repr
from warpsmith.extraction.standalone import standalone_source
from warpsmith.extraction.warp import codegen, registry, runtime


@dataclass(frozen=True)
class Target:
    """An imported target.

    Attributes:
        package: the name that ids open with, and ``version`` the one that follows.
        modules: the names of the modules that were imported, in order.
        rejects: the submodules that did not import.
    """

    package: str
    version: str
    modules: tuple[str, ...]
    rejects: tuple[Reject, ...]


def import_target(target: str) -> Target:
    """Import a file, a module or a package with its submodules.

    A module may set ``wp.config`` for the whole process; what it set stays in the options of its own kernels and is undone for
    all others.

    Raises:
        TargetError: if there is no such target, or it does not import.
    """
    with _config_restored():
        if target.endswith(".py") or Path(target).is_file():
            return _import_file(Path(target))
        return _import_module(target)


@contextlib.contextmanager
def _config_restored() -> Iterator[None]:
    runtime.start_runtime()  # first, because it fills in settings of its own, which stay
    before = {name: value for name, value in vars(wp.config).items() if not name.startswith("__")}
    try:
        yield
    finally:
        vars(wp.config).update(before)


def _import_module(target: str) -> Target:
    try:
        module = importlib.import_module(target)
    except Exception as error:
        raise TargetError(
            f"cannot import {target!r}: {describe(error)}; give a file, or a module that Python can import"
        ) from error
    version = _version(target)
    names, rejects = [target], []
    for name in _submodules(target, getattr(module, "__path__", [])):
        try:
            with _config_restored():
                importlib.import_module(name)
            names.append(name)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - anything may happen in a target; a script may just leave
            identity = f"{target}-{version}-{name}"
            rejects.append(Reject(id=identity, seed=None, index=None, stage="import", error=describe(error)))
    return Target(target.partition(".")[0], version, tuple(names), tuple(rejects))


def _submodules(package: str, folders: Iterable[str]) -> Iterator[str]:
    """Yield the modules below a package, folders without an `__init__.py` too, which `pkgutil` would pass over."""
    for folder in map(Path, folders):
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            if "__pycache__" not in parts and parts[-1] not in ("__init__", "__main__"):
                yield ".".join((package, *parts))


def _import_file(path: Path) -> Target:
    if not path.is_file():
        raise TargetError(f"no such file: {path}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise TargetError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    sys.path.insert(0, str(path.parent.resolve()))  # as `python path` would, for the modules beside it
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise TargetError(f"cannot import {path}: {describe(error)}") from error
    return Target(path.stem, "0", (path.stem,), ())


def _version(target: str) -> str:
    root = target.partition(".")[0]
    for distribution in importlib.metadata.packages_distributions().get(root, ()):
        return importlib.metadata.version(distribution)
    return "0"


def kernels_of(target: Target) -> list[Any]:
    """Return the kernels defined in the target's modules, overloads instead of generic kernels, in the order of the source."""
    wanted = {name: position for position, name in enumerate(target.modules)}
    found = [kernel for kernel in registry.live_kernels() if kernel.func.__module__ in wanted]
    concrete = [item for kernel in found for item in (_overloads(kernel) if kernel.is_generic else [kernel])]

    def place(kernel: Any) -> tuple[Any, ...]:
        line = kernel.func.__code__.co_firstlineno
        return wanted[kernel.func.__module__], line, kernel.key, kernel.sig, repr(_captured(kernel.func))

    return sorted(concrete, key=place)


def _overloads(kernel: Any) -> list[Any]:
    """A generic kernel without overloads is returned itself: it becomes a reject that says so."""
    return list(kernel.overloads.values()) or [kernel]


def _captured(function: Any) -> list[str]:
    values = []
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):
            values.append(repr(cell.cell_contents))
    return values


def harvest(target: Target, device: Device, include_backward: bool, wanted: Collection[str] = ()) -> Iterator[Pair | Reject]:
    """Yield a pair or a reject for every kernel of the target, or only for those with a name in ``wanted``."""
    yield from target.rejects
    seen: Counter[str] = Counter()
    for kernel in kernels_of(target):
        if wanted and kernel.func.__name__ not in wanted:
            continue
        identity = _identity(kernel, target)
        seen[identity] += 1
        if seen[identity] > 1:  # one kernel of a closure for each value that it captured
            identity = f"{identity}#{seen[identity]}"
        try:
            yield make_pair(kernel, identity, device, include_backward)
        except KernelRejected as error:
            yield Reject(id=identity, seed=None, index=None, stage=error.stage, error=error.reason)


def _identity(kernel: Any, target: Target) -> str:
    name = f"{target.package}-{target.version}-{kernel.func.__module__}.{kernel.func.__qualname__}"
    if kernel.generic_parent is None:
        return name
    types = ",".join(type_repr(kind) or repr(kind) for kind in kernel.adj.arg_types.values())
    return f"{name}[{types}]"


def extract_pair(kernel: Any, device: Device = "cpu", include_backward: bool = True, *, identity: str | None = None) -> Pair:
    """Return the pair of a live kernel.

    The Python of the pair is a whole file that runs alone. The generated code comes from that file, and the file is accepted
    only if it generates the same code as the kernel in place. ``launch`` is null: no launch is inferred.

    Args:
        kernel: a Warp kernel; of a generic kernel, an overload.
        device: ``"cpu"`` for C++, ``"cuda"`` for CUDA, ``"both"`` for both.
        include_backward: whether to generate the adjoint.
        identity: the id of the pair; the kernel's module and qualified name if None.

    Raises:
        KernelRejected: if the kernel cannot be written as one file, or Warp cannot generate it.
    """
    return make_pair(kernel, identity or f"{kernel.func.__module__}.{kernel.func.__qualname__}", device, include_backward)


def make_pair(kernel: Any, identity: str, device: Device, include_backward: bool) -> Pair:
    """Turn a live kernel into a pair whose Python stands alone; the code is generated from that Python.

    The kernel is generated where it stands, too: the file has to give the same code.

    Raises:
        KernelRejected: if the kernel cannot be written as one file, or Warp cannot generate it.
    """
    if kernel.is_generic:
        raise KernelRejected("codegen", "a generic kernel without overloads: name the types with wp.overload()")
    original = extract_ir(kernel, device, include_backward)
    source = standalone_source(kernel)
    options = codegen.changed_options(kernel.module)
    if not include_backward:
        options["enable_backward"] = False
    if not all(isinstance(value, bool | int | float | str | None) for value in options.values()):
        raise KernelRejected("source", f"module options that are not plain values: {', '.join(options)}")
    with loaded_kernel(source, module_options=options) as loaded:
        ir = extract_ir(loaded, device, include_backward)
    if not all(_same(code, original.codes[target]) for target, code in ir.codes.items()):
        raise KernelRejected("source", "written as one file, the kernel does not generate the code that it generates in place")
    return Pair.from_ir(
        ir,
        identity=identity,
        python_source=source,
        category="harvested",
        warp_version=wp.__version__,
        module_options=options,
        features=features_of(source),
        description=_first_sentence(kernel.func.__doc__),
    )


def _same(code: Code, original: Code) -> bool:
    return same_code(code.forward_code, original.forward_code) and same_code(code.backward_code, original.backward_code)


def features_of(source: str) -> tuple[str, ...]:
    """Return the names of Warp that a source uses as ``wp.name``, sorted."""
    nodes = (node for node in ast.walk(parse_python(source)) if isinstance(node, ast.Attribute))
    return tuple(sorted({node.attr for node in nodes if isinstance(node.value, ast.Name) and node.value.id in ("wp", "warp")}))


def _first_sentence(docstring: str | None) -> str:
    return (docstring or "").strip().partition("\n")[0]
