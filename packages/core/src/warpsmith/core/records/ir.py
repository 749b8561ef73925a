"""Generated code of one kernel as plain data: `Code` for one target, `KernelIR` for all targets of a device."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from warpsmith.core.errors import WarpsmithError

Device = Literal["cpu", "cuda", "both"]
"""The devices to generate code for, as users name them."""

TARGETS: dict[Device, tuple[str, ...]] = {"cpu": ("cpu",), "cuda": ("cuda",), "both": ("cpu", "cuda")}
"""The targets of each device. A target has one text: C++ for ``"cpu"``, CUDA for ``"cuda"``."""


@dataclass(frozen=True, slots=True)
class Code:
    """Generated code of one kernel for one target.

    Attributes:
        kernel_name: the name inside the text, as in ``<kernel_name>_cuda_kernel_forward``.
        forward_code: structs, helper functions, the forward kernel and, for C++, its entry point.
        backward_code: the adjoints of these, or None if the kernel has no backward pass.
    """

    kernel_name: str
    forward_code: str
    backward_code: str | None


@dataclass(frozen=True, slots=True)
class KernelIR:
    """Generated code of one kernel.

    Attributes:
        kernel_name: the kernel's name in the generated text.
        device: ``"cpu"``, ``"cuda"`` or ``"both"``.
        codes: the code by target, ``"cpu"`` and/or ``"cuda"``.
        note: the reason why backward code was requested but is absent, or None.

    Examples:
        >>> ir = KernelIR("scale", "cuda", {"cuda": Code("scale", "forward text", None)}, None)
        >>> ir.forward_code
        'forward text'
        >>> ir.has_backward
        False
    """

    kernel_name: str
    device: Device
    codes: Mapping[str, Code]
    note: str | None

    @property
    def forward_code(self) -> str:
        """Forward code of the only target."""
        return self._only().forward_code

    @property
    def backward_code(self) -> str | None:
        """Adjoint code of the only target, or None."""
        return self._only().backward_code

    @property
    def cpp(self) -> Code:
        """C++ code, for ``device="cpu"`` or ``"both"``."""
        return self.codes["cpu"]

    @property
    def cuda(self) -> Code:
        """CUDA code, for ``device="cuda"`` or ``"both"``."""
        return self.codes["cuda"]

    @property
    def has_backward(self) -> bool:
        """Whether any target has backward code."""
        return any(code.backward_code is not None for code in self.codes.values())

    def _only(self) -> Code:
        if self.device == "both":
            raise WarpsmithError('device="both" has two targets: use .cpp.forward_code or .cuda.forward_code')
        return self.codes[self.device]
