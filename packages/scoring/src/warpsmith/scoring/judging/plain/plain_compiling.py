"""PTX of plain CUDA texts: NVRTC compiles each text as a program, in a fork with limits, and the SIMT machine lowers it."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from warpsmith.core.errors import WarpsmithError, single_line
from warpsmith.scoring.judging.worker_messages import MACHINE, UNSUPPORTED, Rejection
from warpsmith.scoring.plain import program_unit
from warpsmith.scoring.plain.mangling import kernel_names
from warpsmith.scoring.plain.plain_signature import Signature
from warpsmith.scoring.plain.plain_unit import CONSTANTS, PREAMBLE, STANDARD
from warpsmith.simt.compilers.cuda_headers import INCLUDED, header_folders, includes_cuda_headers, replacements
from warpsmith.simt.compilers.nvrtc_program import CudaCompileError, compile_program
from warpsmith.simt.compilers.resource_usage import ResourceUsage, resource_usage
from warpsmith.simt.launches.kernel_signatures import declared_kernels
from warpsmith.simt.launches.module import Module
from warpsmith.simt.lowering.lowered_program import Program
from warpsmith.simt.machine.engine import start_machine
from warpsmith.simt.machine.operation_units import operation_table
from warpsmith.simt.ptx.syntax import PtxError, UnsupportedPtx
from warpsmith.validation.running.fork_runner import MachineText, run_forked
from warpsmith.validation.running.shared_memory import Arena
from warpsmith.validation.running.shared_message import SharedMessage

COMPILE_SECONDS = 10.0
"""The time limit for one text, which takes some 30 ms."""

CODE_BYTES = 4 << 20
"""The longest code, as a message."""

STATIC_SHARED = 48 << 10
"""Bytes of shared memory that CUDA allows a kernel to declare."""

NAME = "answer"
"""The name of a text in errors and in line tables."""

_OPTIONS = ("--std=c++17", "--device-as-default-execution-space", "--generate-line-info", "-w")
_FAST = "--minimal"
"""The option for texts without headers of CUDA: leaves out types of textures, which take NVRTC 10 ms."""

_SLOW = re.compile(r"cooperative_groups.*|(?:cub|cuda|nv|thrust)/.*|type_traits|utility|array|tuple|complex")
"""Headers that NVRTC reads for seconds. They are precompiled."""

_PRECOMPILED_LIMIT = 4
_FOLDER = "precompiled"


@dataclass(frozen=True, slots=True)
class Target:
    """What a text is compiled for.

    Attributes:
        arch: the compute capability, times ten.
        is_binary: whether the result is a binary for a device of this architecture; otherwise it is PTX.
        optimize: whether NVRTC optimizes. Otherwise all variables are in memory, where the machine sees whether they are set.
        fuse: whether products and sums may be rounded together. The reference rounds them separately.
    """

    arch: int = 90
    is_binary: bool = False
    optimize: bool = True
    fuse: bool = False

    @property
    def options(self) -> list[str]:
        """The options of NVRTC."""
        kind, fused = ("sm" if self.is_binary else "compute"), str(self.fuse).lower()
        return [f"--gpu-architecture={kind}_{self.arch}", f"--fmad={fused}", *([] if self.optimize else ["--device-debug"])]


MACHINE_PTX = Target()
"""PTX for the SIMT machine."""


@dataclass(frozen=True, slots=True)
class PlainKernel:
    """A compiled text.

    Attributes:
        module: its PTX.
        program: the lowered kernel.
        sizes: the bytes of its parameters.
    """

    module: Module
    program: Program
    sizes: tuple[int, ...]


def compile_kernels(texts: Sequence[tuple[str, Signature]], target: Target = MACHINE_PTX) -> list[PlainKernel | Rejection]:
    """Compile texts, each with the signature of its kernel; what the machine lacks is not their fault."""
    compiled = compile_texts([text for text, _ in texts], target)
    return [
        _of_host(code, text[1]) if isinstance(code, Rejection) else _kernel(*text, code.decode())
        for text, code in zip(texts, compiled, strict=True)
    ]


def compile_texts(texts: Sequence[str], target: Target) -> list[bytes | Rejection]:
    """Return the code of texts for a target; each is compiled in a fork."""
    arena = Arena()
    slots = [SharedMessage(arena, CODE_BYTES) for _ in texts]
    try:
        _load()
        jobs = [[_Job(text, slot, target).run] for text, slot in zip(texts, slots, strict=True)]
        problems = run_forked(jobs, COMPILE_SECONDS, compiles=True)
        return [_code(slot, problem) for slot, problem in zip(slots, problems, strict=True)]
    except (WarpsmithError, OSError, MemoryError) as problem:
        return [Rejection(MACHINE, single_line(f"{type(problem).__name__}: {problem}")) for _ in texts]


def kernel_in_binary(signature: Signature, binary: bytes) -> tuple[str, ResourceUsage] | Rejection:
    """Return the mangled name of the kernel in a binary, and what it needs of a multiprocessor."""
    try:
        usages = resource_usage(binary)
    except WarpsmithError as error:
        return Rejection(MACHINE, single_line(str(error)))
    found = [name for name in kernel_names(signature) if name in usages]
    return (found[0], usages[found[0]]) if found else Rejection("compile", "the binary does not contain the kernel")


class _Job:
    """The compilation of a text in a fork, which leaves code or an error in shared memory."""

    def __init__(self, text: str, slot: SharedMessage, target: Target) -> None:
        self._text, self._slot, self._target = text, slot, target
        self._headers = {**replacements(text), PREAMBLE: _preamble("std" in text)}
        self._options = [
            *_OPTIONS,
            *target.options,
            *([f"-I{folder}" for folder in header_folders()] if includes_cuda_headers(text) else [_FAST]),
        ]
        self._first = f'#include "{PREAMBLE}"\n'
        slow = tuple(sorted({name for name in INCLUDED.findall(text) if _SLOW.fullmatch(name)}))
        if target == MACHINE_PTX and slow and (file := _precompiled(slow, "std" in text)):
            self._options.append(f"--use-pch={file}")
            self._first = _prefix(slow)
        if program_unit.is_program(text):
            self._headers[program_unit.HEADER] = _runtime(text)
            self._first += f'#include "{program_unit.HEADER}"\n'

    def run(self) -> None:
        """Compile."""
        try:
            unit = f'{self._first}#line 1 "{NAME}"\n{self._text}\n'
            code = compile_program(unit, NAME, self._options, self._headers, binary=self._target.is_binary)
            answer = ("code", base64.b64encode(code if self._target.is_binary else code.rstrip(b"\0")).decode())
        except CudaCompileError as error:
            answer = ("compile", str(error))
        except (WarpsmithError, OSError, MemoryError) as error:
            answer = (MACHINE, f"{type(error).__name__}: {error}")
        if not self._slot.write(answer):
            self._slot.write(("compile", "the compiled text is too long"))


@cache
def _load() -> None:
    """Load NVRTC and the machine, which forks then find loaded."""
    start_machine()
    compile_program("__global__ void nothing() { }", NAME, (*_OPTIONS, *MACHINE_PTX.options, _FAST))


def _runtime(text: str) -> str:
    types = "#include <cuda_runtime.h>\n" if includes_cuda_headers(text) else program_unit.TYPES
    return types + program_unit.RUNTIME


@cache
def _preamble(has_std: bool) -> str:
    return CONSTANTS + (STANDARD if has_std else "")


def _prefix(headers: Sequence[str]) -> str:
    includes = "".join(f"#include <{name}>\n" for name in headers)
    return f'{includes}#include "{PREAMBLE}"\n#pragma nv_hdrstop\n'


_files: dict[tuple[tuple[str, ...], bool], Path] = {}


def _precompiled(headers: tuple[str, ...], has_std: bool) -> Path | None:
    """Precompile headers in this process, whose forks can use the file; return it, or None if there are enough of them."""
    key = headers, has_std
    if key not in _files and len(_files) < _PRECOMPILED_LIMIT:
        folder = Path.cwd() / _FOLDER
        folder.mkdir(exist_ok=True)
        file = folder / f"{len(_files)}.pch"
        text = _prefix(headers)
        options = [*_OPTIONS, *MACHINE_PTX.options, *(f"-I{folder}" for folder in header_folders()), f"--create-pch={file}"]
        try:
            compile_program(f"{text}\n", NAME, options, {**replacements(text), PREAMBLE: _preamble(has_std)})
        except CudaCompileError:
            return None
        _files[key] = file
    return _files.get(key)


def _code(slot: SharedMessage, problem: str | None) -> bytes | Rejection:
    """Return the code that a fork has left, or why there is none."""
    if isinstance(problem, MachineText):
        return Rejection(MACHINE, single_line(problem))
    if problem is not None:
        return Rejection("compile", single_line(f"the compiler stopped: {problem}"))
    kind, content = slot.read(tuple[str, str]) or (MACHINE, "the compiler left no answer")
    return base64.b64decode(content) if kind == "code" else Rejection(kind, single_line(content))


def _of_host(rejection: Rejection, signature: Signature) -> Rejection:
    """Return a rejection that says which function is missing, if the text cannot be called."""
    if not rejection.reason.startswith("host("):
        return rejection
    reason = f"no function '{signature.name}' can be called with the parameters of the prompt"
    return Rejection(rejection.stage, f"{reason}: {rejection.reason.partition('error: ')[2]}")


def _kernel(text: str, signature: Signature, ptx: str) -> PlainKernel | Rejection:
    """Return the lowered kernel of a text, or why there is none."""
    try:
        module = Module(ptx)
        wanted = (program_unit.HOST_KERNEL,) if signature.is_host else kernel_names(signature)
        found = [name for name in wanted if name in module.kernels]
        if not found:
            return Rejection("compile", single_line(_mismatch(text, signature)))
        program = module.program(found[0])
        for name in module.kernels if signature.is_host else found:
            operation_table(module.program(name).operations)
    except UnsupportedPtx as reason:
        return Rejection(UNSUPPORTED, single_line(f"the SIMT machine does not support this: {reason}"))
    except PtxError as reason:
        return Rejection("compile", single_line(str(reason)))
    largest = max(module.program(name).shared_size for name in (module.kernels if signature.is_host else found))
    if largest > STATIC_SHARED:
        return Rejection("compile", f"the kernel declares {largest} bytes of shared memory, more than {STATIC_SHARED}")
    return PlainKernel(module, program, tuple(parameter.size for parameter in module.kernels[found[0]].parameters))


def _mismatch(text: str, signature: Signature) -> str:
    """Return how the kernels of a text differ from the one that it has to define."""
    declared = declared_kernels(text)
    if signature.name not in declared:
        names = ", ".join(name[:60] for name in declared if name)
        return f"no kernel is called '{signature.name}'{f', but {names}' if names else ''}"
    parameters = declared[signature.name][0]
    if len(parameters) != len(signature.parameters):
        return f"the kernel has {len(parameters)} parameters, expected {len(signature.parameters)}"
    return f"the types of the kernel's parameters are not those of {' '.join(signature.text.split('__global__')[-1].split())}"
