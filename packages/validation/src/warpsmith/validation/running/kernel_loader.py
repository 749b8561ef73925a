"""Load the Python of pairs in a fork of this process that is thrown away and returns text only.

Loading a file runs its Python. The process that reports verdicts therefore never loads one: it would answer for all pairs
with whatever one of them left in it. A fork has no files to write, no other processes and no network, and its time and memory
are limited. What it answers is checked like any other content of a dataset.

A fork costs more than loading a file. Several files may therefore share one, and Warp's code generator is accelerated there,
see `extract_together`. A file that is alone in its fork meets the unmodified Warp.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NoReturn

import msgspec

from warpsmith.core.errors import KernelRejected, signal_name
from warpsmith.core.execution import framing
from warpsmith.core.records.ir import TARGETS, Code, Device, KernelIR
from warpsmith.extraction.accelerate import acceleration
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.extraction.warp.linked import compiled_before
from warpsmith.extraction.warp.runtime import start_runtime
from warpsmith.validation.confinement import prepare_loader
from warpsmith.validation.confinement.machine_problems import MachineProblem, machine_problem_behind
from warpsmith.validation.running.warm_up import KERNEL

LOAD_SECONDS = 20.0
"""The time limit of a fork, in processor time and in wall time; most files take milliseconds."""

MEMORY = 2 << 30
"""Bytes of address space that loading may add to the mapped ones."""

MAX_ANSWER_BYTES = 64 << 20
"""The longest answer of a fork."""

_LAZY = ("warp.fem", "warp.sparse", "warp.utils", "typing_extensions")
"""Modules that a file may import and that this process imports first, so that each fork finds them loaded."""


_ANSWERS = 3
"""The descriptor of a fork's answers. What the Python prints must not get between them, and printing must not fail."""

_NONSENSE = "the process that loaded the Python answered nonsense"


class _Answer(msgspec.Struct, frozen=True):
    """What a fork answers: the texts, or why there are none.

    Attributes:
        kernel_name: the kernel's name in the texts.
        codes: forward and backward code by target.
        note: see `KernelIR`.
        rejected: the stage and the reason of a `KernelRejected`.
        machine: how the machine or the process failed.
    """

    kernel_name: str = ""
    codes: dict[str, tuple[str, str | None]] = {}
    note: str | None = None
    rejected: tuple[str, str] | None = None
    machine: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """What a fork loads.

    Attributes:
        text: a whole Python file, which may be hostile.
        kernel_name: the name of the kernel.
        module_options: Warp module options that differ from Warp's defaults.
        device: see `extract_ir`.
        include_backward: see `extract_ir`.
        linked: the functions of libmathdx that the text may call, see `compiled_before`: a fork writes no files, and cannot
            compile them.
    """

    text: str
    kernel_name: str
    module_options: Mapping[str, Any]
    device: Device
    include_backward: bool
    linked: Mapping[str, int] = field(default_factory=dict)


def extract_in_fork(source: Source, seconds: float = LOAD_SECONDS) -> KernelIR:
    """Load a kernel in a fork that loads no other and return the code that Warp generates for it.

    Raises:
        KernelRejected: if the source does not run, Warp cannot generate the kernel, or the fork exceeds its limits.
        MachineProblem: if the fork cannot be made, was killed by another process, or met a problem of the machine.
    """
    (answer,) = _load([source], seconds)
    if answer.machine:
        raise MachineProblem(f"the process that loads the Python fails: {answer.machine[:200]}")
    if answer.rejected is not None:
        raise KernelRejected(*answer.rejected)
    return _ir(answer, source)


def extract_together(sources: Sequence[Source], seconds: float = LOAD_SECONDS) -> list[KernelIR | None]:
    """Load several kernels in one fork, and return their code, or None for those that have to be loaded alone.

    Warp's code generator is accelerated. A hostile file can change the answers for files of its fork. Trust an answer only if
    it equals a text that this process already has; otherwise call `extract_in_fork`.

    Raises:
        MachineProblem: if the fork cannot be made or was killed by another process.
    """
    try:
        answers = _load(sources, seconds)
        return [
            None if answer.rejected or answer.machine else _ir(answer, source)
            for answer, source in zip(answers, sources, strict=True)
        ]
    except KernelRejected:
        return [None] * len(sources)


def _load(sources: Sequence[Source], seconds: float) -> list[_Answer]:
    """Return the answers of a fork to ``sources``; see `extract_in_fork` for the exceptions."""
    _prepare_modules(sources)
    reader, writer, nowhere = -1, -1, -1
    try:
        confine = prepare_loader(seconds, MEMORY, keep=(1, 2, _ANSWERS))
        reader, writer = os.pipe2(os.O_CLOEXEC)
        nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        process = os.fork()
        if process == 0:
            _be_the_fork(writer, nowhere, confine, sources)
        os.close(writer)
        writer = -1
        content, status = _answer_of(process, reader, time.monotonic() + seconds + 0.5)  # before the kernel sends SIGKILL
    except OSError as error:
        raise MachineProblem(f"the process that loads the Python cannot be started: {error.strerror}") from error
    finally:
        for descriptor in (reader, writer, nowhere):
            if descriptor >= 0:
                os.close(descriptor)
    if status != 0:
        raise _death(status, seconds)
    try:
        answers = msgspec.json.decode(content, type=list[_Answer])
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise KernelRejected("load", _NONSENSE) from None
    if len(answers) != len(sources):
        raise KernelRejected("load", _NONSENSE)
    return answers


def _prepare_modules(sources: Sequence[Source]) -> None:
    """Load in this process what all forks need, and would otherwise load one by one."""
    _warm_up()
    for module in _LAZY:
        if any(module in source.text for source in sources):
            importlib.import_module(module)


@cache
def _warm_up() -> None:
    """Extract a kernel of our own, which fills the tables that Warp, Python and `accelerate` build when they are first used."""
    start_runtime()  # a fork could neither open what this opens nor make the folders that it makes
    for faster in (contextlib.nullcontext(), _faster()):
        with faster, loaded_kernel(KERNEL) as kernel:
            extract_ir(kernel, "both")
    gc.collect()
    gc.freeze()


def _faster() -> contextlib.AbstractContextManager[None]:
    """Return the block in which Warp's code generator is accelerated, with the caches of this process."""
    kept = acceleration()
    return contextlib.nullcontext() if kept is None else kept.active()


def _be_the_fork(writer: int, nowhere: int, confine: Callable[[], bool], sources: Sequence[Source]) -> NoReturn:
    """Give up all rights, load, write one answer, and end."""
    code = 1
    try:
        gc.disable()  # a collection would touch, and so copy, the memory of this process
        for descriptor, source in ((1, nowhere), (2, nowhere), (_ANSWERS, writer)):
            os.dup2(source, descriptor)
        confine()
        with _faster() if len(sources) > 1 else contextlib.nullcontext():
            answers = [_answer(source) for source in sources]
        left = memoryview(msgspec.json.encode(answers))
        while left:
            left = left[os.write(_ANSWERS, left) :]
        code = 0
    finally:
        os._exit(code)


def _answer(source: Source) -> _Answer:
    try:
        with (
            loaded_kernel(source.text, source.kernel_name, source.module_options) as kernel,
            compiled_before(source.linked),
        ):
            ir = extract_ir(kernel, source.device, source.include_backward)
    except KernelRejected as error:
        if (problem := machine_problem_behind(error)) is not None:
            return _Answer(machine=problem)
        return _Answer(rejected=(error.stage, error.reason))
    codes = {target: (code.forward_code, code.backward_code) for target, code in ir.codes.items()}
    return _Answer(ir.kernel_name, codes, ir.note)


def _answer_of(process: int, reader: int, deadline: float) -> tuple[bytes, int | None]:
    """Return what the fork wrote and its exit status, None if it was killed because it took too long or wrote too much."""
    content, status = b"", None
    try:
        content = framing.read_to_end(deadline, reader, MAX_ANSWER_BYTES)
        with framing.ProcessEnd(process) as end:
            if end.wait(deadline - time.monotonic()):
                status = os.waitpid(process, 0)[1]
    except (TimeoutError, ValueError):
        pass
    finally:
        if status is None:
            framing.kill(process)
    return content, status


def _ir(answer: _Answer, source: Source) -> KernelIR:
    targets = TARGETS[source.device]
    if answer.codes.keys() != set(targets) or not answer.kernel_name.isidentifier():
        raise KernelRejected("load", _NONSENSE)
    codes = {target: Code(answer.kernel_name, *answer.codes[target]) for target in targets}
    return KernelIR(answer.kernel_name, source.device, codes, answer.note)


def _death(status: int | None, seconds: float) -> Exception:
    if status is None or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return KernelRejected("load", f"it took more than {seconds:.0f} s, or gave more than {MAX_ANSWER_BYTES >> 20} MiB")
    if not os.WIFSIGNALED(status):
        return KernelRejected("load", f"the Python ended its process with exit code {os.WEXITSTATUS(status)}")
    number = os.WTERMSIG(status)
    if number == signal.SIGKILL:
        return MachineProblem("another process killed the one that loaded the Python")
    return KernelRejected("load", f"its process ended by {signal_name(number)}")
