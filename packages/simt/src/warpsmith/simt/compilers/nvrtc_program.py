"""One program of NVRTC: a text with options in, PTX or a binary out. No driver is needed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from warpsmith.core.errors import WarpsmithError, single_line
from warpsmith.core.installation import install_command

PTX, CUBIN = "PTX", "CUBIN"
"""The results of a compilation, as the names of NVRTC's functions contain them."""

_ERROR = re.compile(r"^.*\berror\b.*$", re.MULTILINE)


class CudaCompileError(WarpsmithError):
    """NVRTC rejected a text or its options.

    Attributes:
        log: the output of the compiler.
    """

    def __init__(self, log: str) -> None:
        self.log = log.strip()
        found = _ERROR.search(self.log)
        super().__init__(single_line(found[0] if found else self.log))

    def __reduce__(self) -> tuple[type[CudaCompileError], tuple[str]]:
        return type(self), (self.log,)  # pickle would pass the message instead


@cache
def nvrtc() -> Any:
    """Return the bindings of NVRTC.

    Raises:
        WarpsmithError: if they or the library are not installed.
    """
    try:
        from cuda.bindings import nvrtc as bindings  # noqa: PLC0415 - platforms without NVRTC have no such package

        bindings.nvrtcVersion()
    except Exception as error:  # noqa: BLE001 - a broken library raises errors of many types
        install = install_command("cuda-bindings>=13.0,<14", "nvidia-cuda-nvrtc>=13.0,<14")
        raise WarpsmithError(f"NVRTC cannot be loaded: {install} ({single_line(str(error))})") from None
    return bindings


@cache
def architectures() -> tuple[int, ...]:
    """Return the compute capabilities that NVRTC compiles for, times ten."""
    _, found = nvrtc().nvrtcGetSupportedArchs()
    return tuple(found)


def compile_program(
    text: str, name: str, options: Sequence[str], headers: Mapping[str, str] | None = None, binary: bool = False
) -> bytes:
    """Compile a text to PTX or, if ``binary``, to a cubin; other arguments and errors are those of `compile_results`."""
    (result,) = compile_results(text, name, options, headers, (CUBIN if binary else PTX,))
    return result


def compile_results(
    text: str,
    name: str,
    options: Sequence[str],
    headers: Mapping[str, str] | None = None,
    results: Sequence[str] = (PTX, CUBIN),
) -> list[bytes]:
    """Compile a text once, and return PTX and binary.

    Args:
        text: CUDA C++.
        name: the name of the text in errors and in line tables.
        options: options of NVRTC.
        headers: texts of files that the text may include, by name.
        results: what to return: `PTX`, `CUBIN`, or both for a real architecture, such as ``sm_90``.

    Raises:
        CudaCompileError: if NVRTC rejects the text or an option.
    """
    if "\0" in text or "\0" in name:
        raise CudaCompileError(f"{name.replace(chr(0), '?')}: error: the text contains a NUL character")
    library = nvrtc()
    files = {name.encode(): content.encode() for name, content in (headers or {}).items()}
    code, program = library.nvrtcCreateProgram(
        text.encode(errors="replace"), name.encode(errors="replace"), len(files), list(files.values()), list(files)
    )
    if code != 0:
        raise CudaCompileError(f"{name}: error: NVRTC does not take the program: {code.name}")
    try:
        arguments = [option.encode(errors="surrogateescape") for option in options]
        (code,) = library.nvrtcCompileProgram(program, len(arguments), arguments)
        if code != 0:
            raise CudaCompileError(_log(program) or f"{name}: error: {code.name}")
        return [_read(program, result) for result in results]
    finally:
        library.nvrtcDestroyProgram(program)


def _log(program: Any) -> str:
    return _read(program, "ProgramLog").rstrip(b"\0 \n").decode(errors="replace")


def _read(program: Any, part: str) -> bytes:
    """Return a part of the result by its name in NVRTC's functions."""
    library = nvrtc()
    code, size = getattr(library, f"nvrtcGet{part}Size")(program)
    content: bytes = b" " * size  # the bindings write into it
    if code == 0 and size:
        (code,) = getattr(library, f"nvrtcGet{part}")(program, content)
    if code != 0:
        raise CudaCompileError(f"error: NVRTC has no {part}: {code.name}")
    return content
