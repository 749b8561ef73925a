"""Records of programs from their keys: each program is written and run on the CPU. Loads Warp: only workers import this."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from types import ModuleType
from typing import Any

import warp as wp

from warpsmith.core.errors import KernelRejected, WarpsmithError, describe
from warpsmith.core.records.ir import Code, Device
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.core.records.program_record import ProgramMetadata, ProgramRecord, ProgramResult
from warpsmith.extraction.capturing.captured_pairs import pair_of
from warpsmith.extraction.capturing.program_execution import PROGRAM_FILE, loaded_program
from warpsmith.extraction.capturing.program_recorder import ProgramRecorder
from warpsmith.extraction.capturing.recorder import ObservedLaunch
from warpsmith.extraction.harvest import features_of
from warpsmith.extraction.launches.argument_accesses import Accesses, accesses_of
from warpsmith.extraction.launches.launch_limits import Limits
from warpsmith.extraction.launches.pair_launch import launch_from
from warpsmith.extraction.launches.snapshot import NotExpressible
from warpsmith.extraction.targets.origin import origin_of
from warpsmith.extraction.warp import launch_hooks
from warpsmith.extraction.warp.objects import registered_name
from warpsmith.synthesis.programs.host_figures import figures_of
from warpsmith.synthesis.programs.program_key import PROGRAM_VERSION, ProgramKey
from warpsmith.synthesis.programs.program_writer import WrittenProgram, write_program

LIMITS = Limits(launches=1, launch_bytes=8 << 20, total_bytes=64 << 20)
"""One launch of each kernel becomes the launch of its pair."""


@dataclass(frozen=True, slots=True)
class ProgramOptions:
    """What decides the bytes of a program besides its key.

    Attributes:
        device: the targets of the generated code.
        backward: whether the kernels have adjoints.
    """

    device: Device
    backward: bool


def program_record(key: ProgramKey, options: ProgramOptions) -> ProgramRecord | Reject:
    """Write and run the program of a key; a program that fails, or whose kernel becomes no pair, is a reject."""
    try:
        program = write_program(key)
    except WarpsmithError:
        raise  # a mistake in the catalogue is no property of one program
    except (ValueError, TypeError, LookupError, SyntaxError) as error:
        return _reject(key, "generate", describe(error))
    recorder = ProgramRecorder(LIMITS)
    try:
        with loaded_program(program.source) as loaded:
            with _compiler(), launch_hooks.observed(recorder), _adjoints(loaded.module, program.uses_tape):
                loaded.run()
            pairs = _pairs(key, program, recorder, loaded.name, options)
            results = tuple(_results(recorder, pairs, options.device))
    except KernelRejected as error:
        return _reject(key, error.stage, f"{program.text.domain}/{program.text.scheme}: {error.reason}")
    return ProgramRecord(
        id=key.id,
        python_source=program.source,
        kernels=tuple(pairs),
        launches=tuple(recorder.launches),
        order=tuple(recorder.order),
        results=results,
        metadata=_metadata(key, program, recorder, options),
    )


def _pairs(
    key: ProgramKey, program: WrittenProgram, recorder: ProgramRecorder, module: str, options: ProgramOptions
) -> list[Pair]:
    """Return the pairs of the kernels that a program launches.

    Raises:
        KernelRejected: if a kernel becomes none.
    """
    pairs = [
        _captured(f"{key.id}/{registered_name(kernel.kernel)}", kernel.launches[0], module, program, options)
        for kernel in recorder.kernels()
    ]
    if not pairs:
        raise KernelRejected("run", "the program launches no kernel")
    return pairs


def _captured(identity: str, observed: ObservedLaunch, module: str, program: WrittenProgram, options: ProgramOptions) -> Pair:
    """Return the pair of a kernel with a launch of the program."""
    pair = pair_of(observed.kernel, observed.block_dim, identity, options.device, options.backward)
    origin = replace(origin_of(observed.kernel, module), file=PROGRAM_FILE)
    launch = None
    try:
        if observed.arguments is not None:
            launch = launch_from(pair, observed.dim, observed.arguments)
        origin = replace(origin, launch="captured") if launch is not None else replace(origin, reason=observed.reason)
    except NotExpressible as error:
        origin = replace(origin, reason=str(error))
    metadata = replace(
        pair.metadata, launch=launch, origin=origin, domain=program.text.domain, generator_version=PROGRAM_VERSION
    )
    return replace(pair, metadata=metadata)


def _results(recorder: ProgramRecorder, pairs: list[Pair], device: Device) -> Iterator[ProgramResult]:
    target = "cuda" if device == "cuda" else "cpu"
    for pair in pairs:
        name = pair.metadata.kernel_name
        kernel = pair.id.rpartition("/")[2]
        try:
            accesses = accesses_of(Code(name, pair.code(target)[0] or "", None), target)
        except ValueError:
            accesses = Accesses()  # a layout that is not analyzed
        yield from recorder.results(kernel, accesses)


def _metadata(key: ProgramKey, program: WrittenProgram, recorder: ProgramRecorder, options: ProgramOptions) -> ProgramMetadata:
    figures = figures_of(program.source)
    text = program.text
    return ProgramMetadata(
        domain=text.domain,
        scheme=f"{text.domain}/{text.scheme}",
        parts=text.parts,
        form=program.style.form,
        description=f"{text.purpose[0].upper()}{text.purpose[1:]}.",
        device=options.device,
        has_backward=options.backward,
        seed=key.seed,
        index=key.index,
        features=features_of(program.source),
        lines=figures.lines,
        host_lines=figures.host_lines,
        launches=len(recorder.order),
        backward_passes=recorder.backward_passes,
        structure=figures.structure,
        warp_version=wp.__version__,
        generator_version=PROGRAM_VERSION,
    )


@cache
def _cache_folder() -> Any:
    return tempfile.TemporaryDirectory(prefix="warpsmith-programs-")  # removed when the process ends


@contextlib.contextmanager
def _adjoints(module: ModuleType, needed: bool) -> Iterator[None]:
    """Let Warp compile adjoints for programs with tapes only; afterwards, generated code has them again."""
    if needed:
        yield
        return
    wp.set_module_options({"enable_backward": False}, module)
    try:
        yield
    finally:
        wp.set_module_options({"enable_backward": True}, module)


@contextlib.contextmanager
def _compiler() -> Iterator[None]:
    """Let Warp compile without optimizations, into a folder of this process."""
    config: Any = wp.config
    names = ("kernel_cache_dir", "optimization_level", "log_level")
    before = {name: getattr(config, name) for name in names}
    values = (_cache_folder().name, 0, wp.LOG_ERROR)
    for name, value in zip(names, values, strict=True):
        setattr(config, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(config, name, value)


def _reject(key: ProgramKey, stage: str, error: str) -> Reject:
    return Reject(id=key.id, seed=key.seed, index=key.index, stage=stage, error=error)
