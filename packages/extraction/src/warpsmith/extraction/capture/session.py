"""`capture`: the launches of the code inside a ``with`` block, and the pairs of the kernels that it launched."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from warpsmith.core.errors import KernelRejected, describe
from warpsmith.core.records import text_format
from warpsmith.core.records.ir import Code, Device
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Origin, Pair, Reject
from warpsmith.extraction.capture.accesses import Accesses, accesses_of
from warpsmith.extraction.capture.inference import infer_launch
from warpsmith.extraction.capture.limits import DEFAULT_LIMITS, Limits
from warpsmith.extraction.capture.recorder import ObservedLaunch, Recorder
from warpsmith.extraction.capture.snapshot import NotExpressible
from warpsmith.extraction.harvest import extract_pair
from warpsmith.extraction.source_repr import type_repr
from warpsmith.extraction.targets import package_version
from warpsmith.extraction.warp import launching, registry


@dataclass(frozen=True, slots=True)
class KernelLaunches:
    """What was observed of one kernel.

    Attributes:
        kernel: the kernel, for a generic one the overload.
        count: how often it was launched.
        launches: the launches that are kept.
    """

    kernel: Any
    count: int
    launches: tuple[ObservedLaunch, ...]

    @property
    def module(self) -> str:
        """The Python module of the kernel."""
        return str(self.kernel.func.__module__)


@dataclass(slots=True)
class Captured:
    """The launches of a program.

    Attributes:
        recorder: what was received.
        main: the name of the program, which replaces ``__main__`` in ids.
    """

    recorder: Recorder
    main: str = "__main__"
    maker: _PairMaker = field(default_factory=lambda: _PairMaker())

    @property
    def kernels(self) -> tuple[KernelLaunches, ...]:
        """The kernels that were launched, in the order of their first launch."""
        found: list[KernelLaunches] = []
        for selection in list(self.recorder.selections.values()):
            by_kernel: dict[Any, list[ObservedLaunch]] = {}
            for kept in selection.kept:
                by_kernel.setdefault(kept.item.kernel, []).append(kept.item)
            for kernel, launches in by_kernel.items():
                found.append(KernelLaunches(kernel, selection.count, tuple(launches)))
        return tuple(found)

    def selected(self, only: Collection[str] = (), names: Collection[str] = ()) -> Iterator[KernelLaunches]:
        """Yield the kernels of packages or modules ``only`` and with ``names``; each empty collection selects all."""
        for kernel in self.kernels:
            module = self._module_name(kernel)
            if only and not any(module == name or module.startswith(f"{name}.") for name in only):
                continue
            if not names or kernel.kernel.func.__name__ in names:
                yield kernel

    def pairs(
        self, device: Device = "cpu", include_backward: bool = True, *, only: Collection[str] = (), names: Collection[str] = ()
    ) -> Iterator[Pair | Reject]:
        """Yield a pair for each launch that is kept, and a reject for each kernel that cannot become one.

        A kernel without a usable launch becomes one pair without launch; ``metadata.origin.reason`` says why.

        Args:
            device: ``"cpu"`` for C++, ``"cuda"`` for CUDA, ``"both"`` for both.
            include_backward: whether to generate the adjoint.
            only: packages or modules; kernels of other modules are left out. Empty for all kernels.
            names: names of kernels; other kernels are left out. Empty for all kernels.
        """
        for kernel in self.selected(only, names):
            yield from self.pairs_of(kernel, device, include_backward)

    def pairs_of(
        self, kernel: KernelLaunches, device: Device = "cpu", include_backward: bool = True
    ) -> Iterator[Pair | Reject]:
        """Yield the pairs of one kernel that no kernel before had in the same form, or its reject."""
        yield from self.maker.results(kernel, self._module_name(kernel), device, include_backward)

    def _module_name(self, kernel: KernelLaunches) -> str:
        return self.main if kernel.module == "__main__" else kernel.module


@contextlib.contextmanager
def capture(
    launches: int = DEFAULT_LIMITS.launches,
    launch_bytes: int = DEFAULT_LIMITS.launch_bytes,
    total_bytes: int = DEFAULT_LIMITS.total_bytes,
) -> Iterator[Captured]:
    """Capture the launches of the code inside a ``with`` block, of this and all other threads of the process.

    The code runs as it does without the block. Adjoint launches of a tape, launches with ``dim`` 0 and launches of other
    processes are not captured.

    Args:
        launches: how many launches of a kernel are kept, the most different ones.
        launch_bytes: the most bytes of one launch's arguments; the arguments of larger launches are not copied.
        total_bytes: the most bytes of copied arguments that are held at a time.

    Yields:
        The launches, which `Captured.pairs` turns into pairs.

    Raises:
        WarpsmithError: if launches are already captured.

    Examples:
        >>> import warp as wp
        >>> from warp.examples.core.example_sph import initialize_particles
        >>> with capture() as captured:
        ...     x = wp.empty(8, dtype=wp.vec3, device="cpu")
        ...     wp.launch(initialize_particles, 8, inputs=[x, 1.0, 2.0, 2.0, 2.0], device="cpu")
        >>> [pair.metadata.launch.dim for pair in captured.pairs()]
        [(8,)]
    """
    recorder = Recorder(Limits(launches, launch_bytes, total_bytes))
    with launching.observed(recorder):
        yield Captured(recorder)


@dataclass(slots=True)
class _PairMaker:
    """Pairs of captured kernels; pairs with the same texts and the same launch are yielded once."""

    seen: Counter[str] = field(default_factory=Counter)
    made: set[tuple[str, str]] = field(default_factory=set)
    rejected: set[tuple[str, str]] = field(default_factory=set)

    def results(self, kernel: KernelLaunches, module: str, device: Device, include_backward: bool) -> Iterator[Pair | Reject]:
        """Yield the pairs of one kernel, or its reject."""
        identity = _identity(kernel.kernel, module)
        pairs: dict[int | None, Pair] = {}
        expressed: list[tuple[Pair, Launch]] = []
        reasons: list[str] = []
        try:
            for launch in kernel.launches:
                if launch.block_dim not in pairs:
                    pairs[launch.block_dim] = _pair(kernel.kernel, launch.block_dim, identity, device, include_backward)
                pair = pairs[launch.block_dim]
                try:
                    expressed.append((pair, _launch(pair, launch)))
                except NotExpressible as error:
                    reasons.append(str(error))
        except KernelRejected as error:
            if (identity, error.reason) not in self.rejected:
                self.rejected.add((identity, error.reason))
                yield Reject(id=identity, seed=None, index=None, stage=error.stage, error=error.reason)
            return
        origin = _origin(kernel.kernel, module)
        for pair, launch in expressed:
            yield from self._placed(pair, launch, replace(origin, launch="captured"))
        if not expressed and pairs:
            yield from self._placed(next(iter(pairs.values())), None, replace(origin, reason=reasons[0]))

    def _placed(self, pair: Pair, launch: Launch | None, origin: Origin) -> Iterator[Pair]:
        """Yield the pair with its launch and a new id, unless there is the same one already."""
        key = pair.python_source, repr(launch)
        if key in self.made:
            return
        self.made.add(key)
        self.seen[pair.id] += 1
        number = self.seen[pair.id]
        yield replace(
            pair,
            id=pair.id if number == 1 else f"{pair.id}#{number}",
            metadata=replace(pair.metadata, launch=launch, origin=origin),
        )


def _pair(kernel: Any, block_dim: int | None, identity: str, device: Device, include_backward: bool) -> Pair:
    with registry.block_dim_option(kernel.module, block_dim):
        try:
            return extract_pair(kernel, device, include_backward, identity=identity)
        except KernelRejected:
            raise
        except Exception as error:
            raise KernelRejected("source", describe(error)) from error


def _launch(pair: Pair, observed: ObservedLaunch) -> Launch:
    if observed.arguments is None:
        raise NotExpressible(observed.reason)
    accesses, dimensions = _accesses(pair)
    return infer_launch(observed.dim, observed.arguments, accesses, dimensions)


def _accesses(pair: Pair) -> tuple[Accesses, int | None]:
    """Return what the kernel of a pair reads and writes, and how many coordinates its threads have."""
    target = "cpu" if pair.cpp_forward is not None else "cuda"
    forward, backward = pair.code(target)
    assert forward is not None
    try:
        accesses = accesses_of(Code(pair.metadata.kernel_name, forward, backward), target)
    except ValueError as error:
        raise NotExpressible(str(error)) from None
    match = text_format.LAUNCH_DIMENSIONS.search(forward)
    return accesses, int(match[1]) if match else None


def _identity(kernel: Any, module: str) -> str:
    package = module.partition(".")[0]
    name = f"{package}-{package_version(package)}-{module}.{kernel.func.__qualname__}"
    if kernel.generic_parent is None:
        return name
    types = ",".join(type_repr(annotation) or repr(annotation) for annotation in kernel.adj.arg_types.values())
    return f"{name}[{types}]"


def _origin(kernel: Any, module: str) -> Origin:
    """Return the source of a kernel: the file below the folder of its package, or only its name."""
    code = kernel.func.__code__
    parts = module.split(".")
    path = Path(code.co_filename)
    depth = len(parts) if path.stem == parts[-1] else len(parts) + 1  # a module, or the __init__.py of a package
    return Origin(file="/".join(path.parts[-depth:] if len(parts) > 1 else path.parts[-1:]), line=_line_of_def(kernel))


def _line_of_def(kernel: Any) -> int:
    """Return the line of ``def``, which comes after the decorators."""
    lines = str(kernel.adj.source).splitlines()
    offset = next((number for number, line in enumerate(lines) if line.lstrip().startswith("def ")), 0)
    return int(kernel.func.__code__.co_firstlineno) + offset
