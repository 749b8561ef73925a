"""The part of the scorer inside the worker for candidates that compiles plain CUDA texts. It runs none of them.

NVRTC reads many texts in one unit. Clang compiles each text to a separate object, so that the process that runs a text can
receive its machine code and no other.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from warpsmith.core.errors import single_line
from warpsmith.core.records import text_format
from warpsmith.core.records.jsonl import Line
from warpsmith.extraction.warp import runtime
from warpsmith.scoring.judging.forward_sharing import outside_bodies
from warpsmith.scoring.judging.worker_messages import (
    MACHINE,
    UNSUPPORTED,
    MachineCode,
    PlainTextToCompile,
    Rejection,
    Reply,
)
from warpsmith.scoring.plain import plain_names
from warpsmith.scoring.plain.plain_unit import NATIVE, cuda_text, cuda_unit, emulation_text
from warpsmith.validation.compiling import nvrtc
from warpsmith.validation.compiling.batch import CompileError, compile_parts, first_error
from warpsmith.validation.compiling.clang import HeaderFolder, compile_text
from warpsmith.validation.confinement.machine_problems import MachineProblem

_EMULATION = HeaderFolder("plain", NATIVE, ("-ftrivial-auto-var-init=pattern",))
"""The emulation of CUDA for texts without Warp's headers; variables without a value contain a pattern."""

_NAME = re.compile(r"[A-Za-z_]\w*")
_WORDS = (
    plain_names.TYPE_WORDS
    | plain_names.TYPES
    | plain_names.QUALIFIERS
    | plain_names.FUNCTION_WORDS
    | plain_names.MEMORY
    | plain_names.CONSTANTS
)

_UNKNOWN = re.compile(r'the global scope has no "(\w+)"')
"""NVRTC's error for a name that CUDA does not have."""

_PROBED = 64
"""How many names are looked up at once; NVRTC stops after 100 errors."""

_unknown_names: set[str] = set()
"""Names that CUDA does not have."""


@dataclass(frozen=True, slots=True)
class PlainText:
    """A text that the policy accepts.

    Attributes:
        key: a C++ name, unique in a unit.
        text: the text.
        kernel: the name of its kernel.
        types: the C types of the kernel's parameters.
    """

    key: str
    text: str
    kernel: str
    types: Sequence[str]

    @property
    def names(self) -> set[str]:
        """The names that the text may declare outside of functions."""
        bare = text_format.COMMENT_OR_LITERAL.sub(" ", self.text)
        return set(_NAME.findall(outside_bodies(bare))) - _WORDS


def compile_plain(_: Sequence[Line], *, texts: Sequence[object]) -> Reply:
    """Compile texts.

    Args:
        texts: `PlainTextToCompile` as JSON.

    Returns:
        For each text its machine code or its rejection.
    """
    received = enumerate(msgspec.convert(texts, list[PlainTextToCompile]))
    keyed = [PlainText(f"K{number}", text.text, text.kernel, text.types) for number, text in received]
    return {"texts": compiled(keyed, Path.cwd())}


def compiled(texts: Sequence[PlainText], scratch: Path) -> list[MachineCode | Rejection]:
    """Compile texts with NVRTC and with Clang; what the machine lacks is not their fault."""
    runtime.start_runtime()
    try:
        errors = _cuda_errors(texts, scratch)
    except (MachineProblem, OSError, MemoryError) as problem:
        return [_of_machine(problem) for _ in texts]
    return [_compiled(text, errors.get(text.key), scratch) for text in texts]


def _compiled(text: PlainText, error: str | None, scratch: Path) -> MachineCode | Rejection:
    if error is not None:
        return Rejection("compile", single_line(error))
    result = scratch / "plain.o"
    try:
        compile_text(emulation_text(text.text, text.kernel, text.types), result, scratch, headers=_EMULATION)
        return MachineCode(base64.b64encode(result.read_bytes()).decode())
    except CompileError as failure:
        return Rejection(UNSUPPORTED, single_line(f"the emulation does not support: {first_error(str(failure))}"))
    except (MachineProblem, OSError, MemoryError) as problem:
        return _of_machine(problem)
    finally:
        result.unlink(missing_ok=True)


def _of_machine(problem: Exception) -> Rejection:
    return Rejection(MACHINE, single_line(f"{type(problem).__name__}: {problem}"))


def _cuda_errors(texts: Sequence[PlainText], scratch: Path) -> dict[str, str]:
    """Return NVRTC's errors by key. Texts with a name of CUDA, which a namespace would hide, are compiled alone."""

    def compile_unit(unit: Sequence[PlainText]) -> None:
        (alone,) = unit if len(unit) == 1 else (None,)
        nvrtc.compile_plain(cuda_text(alone.text) if alone else cuda_unit((text.key, text.text) for text in unit), scratch)

    together = [text for text in texts if len(texts) > 1 and _are_unknown(text.names, scratch)]
    wrong = compile_parts(together, compile_unit).keys() | {text.key for text in texts if text not in together}
    checked = {text.key: nvrtc.check_text(cuda_text(text.text), scratch) for text in texts if text.key in wrong}
    return {key: error for key, error in checked.items() if error is not None}


def _are_unknown(found: set[str], scratch: Path) -> bool:
    """Return whether none of the names means something in CUDA."""
    unchecked = sorted(found - _unknown_names)
    for start in range(0, len(unchecked), _PROBED):
        probe = "".join(f"namespace {{ using ::{name}; }}\n" for name in unchecked[start : start + _PROBED])
        try:
            nvrtc.compile_plain(probe, scratch)
        except CompileError as failure:
            _unknown_names.update(_UNKNOWN.findall(str(failure)))
    return found <= _unknown_names - {"main"}
