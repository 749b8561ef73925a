"""Pairs of live kernels: of one kernel, or of every kernel of an importable target."""

from __future__ import annotations

import ast
import contextlib
import ctypes
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, TypeAlias

import warp as wp

from warpsmith.core.errors import KernelRejected
from warpsmith.core.records.ir import Device, KernelIR
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.core.records.python_source import parse_python
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.codegen.packed_code import PackedCode
from warpsmith.extraction.codegen.same_code import same_code
from warpsmith.extraction.kernel_ptx import require_ptx, with_ptx
from warpsmith.extraction.launches.launch_source import LaunchSource
from warpsmith.extraction.launches.pair_launch import given_launch
from warpsmith.extraction.plain_texts import with_plain
from warpsmith.extraction.source.standalone import standalone_source
from warpsmith.extraction.targets.importing import Target
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.extraction.targets.origin import identity_of, module_of, origin_of, qualified_name
from warpsmith.extraction.targets.plausible_overloads import guessed_overload
from warpsmith.extraction.warp import codegen, registries
from warpsmith.extraction.warp.linked import compiled_in_forks
from warpsmith.extraction.warp.objects import (
    is_generic_kernel,
    overloads_of,
    python_function,
    registered_name,
    signature_code,
)
from warpsmith.extraction.warp.syntax_trees import drop_tree

Options: TypeAlias = dict[str, bool | int | float | str | None]

_NO_LAUNCHES = LaunchSource()

_NUMBER = re.compile(r"#\d+$")
"""The end of the id of a further kernel with the same name."""

_M_MMAP_THRESHOLD = -3
"""The number of the parameter in glibc's malloc.h."""


def kernels_of(target: Target, names: Collection[str] = ()) -> list[Any]:
    """Return the kernels defined in the target's modules, in the order of the source.

    A generic kernel is represented by its overloads, or by itself if it has none.

    Args:
        target: the imported target.
        names: the names of the wanted functions; all if empty.
    """
    positions = {name: position for position, name in enumerate(target.modules)}
    kernels = [
        kernel
        for kernel in registries.live_kernels(target.modules)
        if python_function(kernel).__module__ in positions and (not names or python_function(kernel).__name__ in names)
    ]
    concrete = [item for kernel in kernels for item in (_overloads(kernel) if is_generic_kernel(kernel) else [kernel])]

    def source_order(kernel: Any) -> tuple[Any, ...]:
        function = python_function(kernel)
        place = positions[function.__module__], function.__code__.co_firstlineno
        return *place, registered_name(kernel), signature_code(kernel), repr(_captured(function))

    return sorted(concrete, key=source_order)


def _overloads(kernel: Any) -> list[Any]:
    """Return the overloads of a generic kernel; without any, the kernel itself, which becomes a reject."""
    return overloads_of(kernel) or [kernel]


def _captured(function: Any) -> list[str]:
    values = []
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):
            values.append(repr(cell.cell_contents))
    return values


def harvest(
    target: Target,
    device: Device,
    include_backward: bool,
    names: Collection[str] = (),
    *,
    guess_overloads: bool = False,
    launches: LaunchSource = _NO_LAUNCHES,
    finished: Sequence[str] = (),
) -> Iterator[Pair | Reject]:
    """Yield a pair or a reject for every kernel of the target.

    Args:
        target: the imported target.
        device: see `extract_pair`.
        include_backward: see `extract_pair`.
        names: the names of the wanted kernels; all if empty.
        guess_overloads: whether a generic kernel without overloads gets plausible types; the origin of its pair says so.
        launches: the source of launches; by default pairs have none.
        finished: the ids of the first results, which an earlier run has yielded and this one leaves out.

    Raises:
        WarpsmithError: if the user's file of launches does not fit a kernel.
    """
    _return_large_blocks()
    for kernel in registries.live_kernels(target.modules):
        drop_tree(kernel)
    yield from target.rejects[len(finished) :]
    seen = Counter(_NUMBER.sub("", identity) for identity in finished)

    def numbered(kernel: Any) -> str:
        """Return the id of a kernel, with a number for further kernels of one closure."""
        identity = identity_of(kernel, target.package, target.version, module_of(kernel))
        seen[identity] += 1
        return identity if seen[identity] == 1 else f"{identity}#{seen[identity]}"

    for kernel in kernels_of(target, names)[max(len(finished) - len(target.rejects), 0) :]:
        identity, origin = "", origin_of(kernel, module_of(kernel))
        try:
            wanted, reason = _concrete(kernel, guess_overloads)
            identity = numbered(wanted)
            pairs = [extract_pair(wanted, device, include_backward, identity=identity)]
        except KernelRejected as error:
            name = identity or numbered(kernel)
            yield Reject(id=name, seed=None, index=None, stage=error.stage, error=error.reason, origin=origin)
            continue
        finally:
            drop_tree(kernel)
        yield launches.added_to(pairs.pop(), wanted, replace(origin, reason=reason))  # no variable keeps the texts


@cache
def _return_large_blocks() -> None:
    """Let the C library return memory from 128 KiB, its initial limit, to the system as soon as it is free.

    Otherwise glibc raises the limit to the largest block that it has freed, see mallopt(3). The texts of one kernel may take
    20 MB; after three of them the gaps between blocks take three times the memory of the blocks.
    """
    with contextlib.suppress(AttributeError, OSError):  # another C library
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, 128 * 1024)


def _concrete(kernel: Any, guess_overloads: bool) -> tuple[Any, str]:
    """Return a kernel with concrete types, and a remark about them; a generic kernel has no overload here."""
    if not is_generic_kernel(kernel):
        return kernel, ""
    if not guess_overloads:
        raise KernelRejected("codegen", "a generic kernel without overloads: use wp.overload(), or --guess-overloads")
    return guessed_overload(kernel), "the types are guessed: the program declares no overload"


def extract_pair(
    kernel: Any,
    device: Device = "cpu",
    include_backward: bool = True,
    *,
    identity: str | None = None,
    dim: int | Sequence[int] | None = None,
    inputs: Sequence[Any] | None = None,
    plain: bool = False,
    ptx: str | None = None,
) -> Pair:
    """Return the pair of a live kernel.

    The Python of the pair is a whole file that runs alone. The generated code comes from that file, and the file is accepted
    only if it generates the same code as the kernel in its own module.

    With ``dim`` and ``inputs`` the pair has the launch that describes them: shapes and values from the arguments, which are
    only read, and roles from the generated code. Without them its ``launch`` is null.

    Args:
        kernel: a Warp kernel; of a generic kernel, an overload, or the kernel itself with ``inputs``.
        device: ``"cpu"`` for C++, ``"cuda"`` for CUDA, ``"both"`` for both.
        include_backward: whether to generate the adjoint.
        identity: the id of the pair; None for the kernel's module and qualified name.
        dim: the dimensions of a launch.
        inputs: all arguments of the launch as ``wp.launch`` takes them, inputs and then outputs.
        plain: whether the pair gets stand-alone CUDA, which needs a launch; `metadata.plain` says why it has none.
        ptx: the architecture of the PTX that the pair gets, such as ``"sm_80"``; None without.

    Raises:
        KernelRejected: if the kernel cannot be written as one file, or Warp cannot generate it.
        WarpsmithError: if ``device`` is unknown, ``kernel`` is not a Warp kernel, only one of ``dim`` and ``inputs`` is given,
            the inputs do not fit the kernel, or the record of a launch cannot describe them.

    Examples:
        >>> from warp.examples.core.example_sph import kick
        >>> pair = extract_pair(kick, device="cuda")
        >>> pair.metadata.kernel_name, pair.metadata.has_backward
        ('kick', True)
        >>> import warp as wp
        >>> wp.config.log_level = wp.LOG_ERROR
        >>> v, a = wp.ones(8, dtype=wp.vec3, device="cpu"), wp.ones(8, dtype=wp.vec3, device="cpu")
        >>> launch = extract_pair(kick, dim=8, inputs=[v, a, 0.1]).metadata.launch
        >>> launch.dim, [argument.role for argument in launch.args]
        ((8,), ['inout', 'input', 'input'])
    """
    given = given_launch(kernel, dim, inputs)
    pair = _extracted(kernel if given is None else given.kernel, device, include_backward, identity)
    pair = pair if given is None else given.added_to(pair)
    return _with_texts(pair, ptx, plain)


def _with_texts(pair: Pair, ptx: str | None, plain: bool) -> Pair:
    """Return a pair with its PTX and stand-alone CUDA, see `extract_pair`."""
    if ptx is not None:
        require_ptx(ptx, pair.metadata.device)
        made = with_ptx(pair, ptx)
        if isinstance(made, Reject):
            raise KernelRejected(made.stage, made.error)
        pair = made
    return with_plain(pair) if plain else pair


def _extracted(kernel: Any, device: Device, include_backward: bool, identity: str | None) -> Pair:
    """Return the pair of a kernel, without launch."""
    if registries.is_kernel(kernel) and is_generic_kernel(kernel):
        raise KernelRejected("codegen", "a generic kernel without overloads: name the types with wp.overload()")
    with compiled_in_forks():
        codes = extract_ir(kernel, device, include_backward).codes
        original = {name: PackedCode.pack(code) for name, code in codes.items()}
        del codes
        options = codegen.plain_options(kernel)
        if not include_backward:
            options["enable_backward"] = False
        source, ir = _faithful(kernel, original, device, options, include_backward)
    return Pair.from_ir(
        ir,
        identity=identity or f"{module_of(kernel)}.{qualified_name(kernel)}",
        python_source=source,
        category="harvested",
        warp_version=wp.__version__,
        module_options=options,
        features=features_of(source),
        description=_first_sentence(python_function(kernel).__doc__),
    )


def _faithful(
    kernel: Any, original: Mapping[str, PackedCode], device: Device, options: Options, include_backward: bool
) -> tuple[str, KernelIR]:
    """Return a file that generates the code of ``original``, and the code that it generates.

    Raises:
        KernelRejected: if there is no such file.
    """
    try:
        return _written(kernel, original, device, options, include_backward, replace_statics=False)
    except KernelRejected as error:
        try:
            return _written(kernel, original, device, options, include_backward, replace_statics=True)
        except KernelRejected:
            raise error from None  # of the file with the expressions of the project


def _written(
    kernel: Any,
    original: Mapping[str, PackedCode],
    device: Device,
    options: Options,
    include_backward: bool,
    *,
    replace_statics: bool,
) -> tuple[str, KernelIR]:
    source = standalone_source(kernel, replace_statics=replace_statics)
    with loaded_kernel(source, module_options=options) as loaded:
        ir = extract_ir(loaded, device, include_backward)
    if not all(same_code(code, original[target].unpack()) for target, code in ir.codes.items()):
        raise KernelRejected("source", "written as one file, the kernel does not generate the code that it generates in place")
    return source, ir


def features_of(source: str) -> tuple[str, ...]:
    """Return the sorted names of Warp that ``source`` uses, as in ``wp.name``."""
    nodes = (node for node in ast.walk(parse_python(source)) if isinstance(node, ast.Attribute))
    return tuple(sorted({node.attr for node in nodes if isinstance(node.value, ast.Name) and node.value.id in ("wp", "warp")}))


def _first_sentence(docstring: str | None) -> str:
    return (docstring or "").strip().partition("\n")[0]
