"""A file with kernels: CUDA that NVRTC compiles, or PTX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt.compilers.cuda_headers import INCLUDED, header_folders
from warpsmith.simt.compilers.ptx_compiler import compile_cubin, compile_ptx
from warpsmith.simt.compilers.resource_usage import ResourceUsage, resource_usage
from warpsmith.simt.launches.kernel_signatures import Declared, declared_kernels

_TARGET = re.compile(r"^\s*\.target\s+sm_(\d+)", re.MULTILINE)

PTX_SUFFIX = ".ptx"


@dataclass(frozen=True)
class KernelSource:
    """A file with kernels.

    Attributes:
        name: the name of the file in findings.
        text: its content.
        ptx: its kernels as PTX.
        arch: the architecture of the PTX, times ten.
        options: the options of NVRTC.
        declared: the kernels that a CUDA file declares, by name.
    """

    name: str
    text: str
    ptx: str
    arch: int
    options: tuple[str, ...] = ()
    declared: dict[str, list[tuple[Declared, ...]]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path, arch: int = 90, options: Sequence[str] = ()) -> KernelSource:
        """Read a file, and compile it unless it contains PTX.

        Args:
            path: a CUDA file, or a file ``*.ptx``.
            arch: the compute capability to compile for, times ten. PTX names its own.
            options: options of NVRTC.

        Raises:
            CudaCompileError: if NVRTC rejects the text.
            WarpsmithError: if the file cannot be read.
        """
        text = _read(path)
        if path.suffix == PTX_SUFFIX:
            target = _TARGET.search(text)
            return cls(str(path), text, text, int(target[1]) if target else arch)
        return cls.from_text(text, str(path), arch, _with_folder(path, options))

    @classmethod
    def from_text(cls, text: str, name: str = "kernel.cu", arch: int = 90, options: Sequence[str] = ()) -> KernelSource:
        """Compile CUDA C++.

        Args:
            text: device code.
            name: the name of the text in findings.
            arch: the compute capability, times ten.
            options: options of NVRTC.

        Raises:
            CudaCompileError: if NVRTC rejects the text.
        """
        ptx = compile_ptx(text, arch, options, name, headers=_needs_headers(text))
        return cls(name, text, ptx, arch, tuple(options), declared_kernels(text))

    @cached_property
    def resources(self) -> dict[str, ResourceUsage]:
        """What each kernel needs of a multiprocessor; nothing for PTX, which NVRTC does not compile."""
        if self.ptx is self.text:
            return {}
        return resource_usage(compile_cubin(self.text, self.arch, self.options, self.name, headers=_needs_headers(self.text)))


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode(errors="replace").replace("\r\n", "\n")
    except OSError as error:
        raise WarpsmithError(f"{path} cannot be read: {error.strerror}") from None


def _with_folder(path: Path, options: Sequence[str]) -> tuple[str, ...]:
    """Add the folder of the file, where compilers look for files in quotation marks first."""
    return (f"-I{path.absolute().parent}", *options)


def _needs_headers(text: str) -> bool:
    return bool(header_folders()) and INCLUDED.search(text) is not None
