"""`capture`: the launches of the code inside a ``with`` block, and the pairs of the kernels that it launched."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from warpsmith.core.records.ir import Device
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.core.records.tape_recording import RecordedProgram
from warpsmith.extraction.capturing.captured_pairs import PairMaker
from warpsmith.extraction.capturing.recorder import KernelLaunches, Recorder
from warpsmith.extraction.capturing.tapes.gradient_recorder import GradientRecorder
from warpsmith.extraction.capturing.tapes.recordings import recorded_programs
from warpsmith.extraction.launches.launch_limits import DEFAULT_LIMITS, Limits
from warpsmith.extraction.targets.origin import is_in
from warpsmith.extraction.warp import launch_hooks
from warpsmith.extraction.warp.objects import python_function


@dataclass(slots=True)
class Captured:
    """The launches of a program.

    Attributes:
        recorder: what was received.
        main: the name of the program, which replaces ``__main__`` in ids.
    """

    recorder: Recorder
    main: str = "__main__"
    _maker: PairMaker = field(default_factory=PairMaker)

    @property
    def kernels(self) -> tuple[KernelLaunches, ...]:
        """The kernels that were launched, in the order of their first launch."""
        return self.recorder.kernels()

    def selected(self, only: Collection[str] = (), names: Collection[str] = ()) -> Iterator[KernelLaunches]:
        """Yield the kernels of packages or modules ``only`` and with ``names``; each empty collection selects all."""
        for kernel in self.kernels:
            module = self._module_name(kernel)
            if only and not is_in(module, only):
                continue
            if not names or python_function(kernel.kernel).__name__ in names:
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
        yield from self._maker.results(kernel, self._module_name(kernel), device, include_backward)

    def programs(self, only: Collection[str] = ()) -> Iterator[RecordedProgram]:
        """Yield the backward passes of tapes that were recorded, if `capture` was asked to.

        Args:
            only: packages or modules; a program without a kernel of them is left out. Empty for all programs.
        """
        if isinstance(self.recorder, GradientRecorder):
            for program in recorded_programs(self.recorder.tapes, self.main):
                if not only or any(is_in(module, only) for module in program.recording.modules):
                    yield program

    def _module_name(self, kernel: KernelLaunches) -> str:
        return self.main if kernel.module == "__main__" else kernel.module


@contextlib.contextmanager
def capture(
    launches: int = DEFAULT_LIMITS.launches,
    launch_bytes: int = DEFAULT_LIMITS.launch_bytes,
    total_bytes: int = DEFAULT_LIMITS.total_bytes,
    *,
    tape: bool = False,
) -> Iterator[Captured]:
    """Capture the launches of the code inside a ``with`` block, of this and all other threads of the process.

    The code runs as it does without the block. Launches with ``dim`` 0 and launches of other processes are not captured.

    Args:
        launches: how many launches of a kernel are kept, the most different ones.
        launch_bytes: the most bytes of one launch's arguments; the arguments of larger launches are not copied.
        total_bytes: the most bytes of copied arguments that are held at a time.
        tape: whether to record backward passes of tapes, too, which `Captured.programs` returns.

    Yields:
        The launches, which `Captured.pairs` turns into pairs.

    Raises:
        WarpsmithError: if launches are already captured.

    Examples:
        >>> import warp as wp
        >>> wp.config.log_level = wp.LOG_ERROR
        >>> from warp.examples.core.example_sph import initialize_particles
        >>> with capture() as captured:
        ...     x = wp.empty(8, dtype=wp.vec3, device="cpu")
        ...     wp.launch(initialize_particles, 8, inputs=[x, 1.0, 8.0, 8.0, 8.0], device="cpu")
        >>> [pair.metadata.launch.dim for pair in captured.pairs()]
        [(8,)]
    """
    limits = Limits(launches, launch_bytes, total_bytes)
    recorder = GradientRecorder(limits) if tape else Recorder(limits)
    with launch_hooks.observed(recorder):
        yield Captured(recorder)
