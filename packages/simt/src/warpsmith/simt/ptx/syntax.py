"""The parts of a PTX module: variables, functions, source locations. Bodies of functions are parsed when they are lowered."""

from __future__ import annotations

from dataclasses import dataclass, field

from warpsmith.core.errors import WarpsmithError

SIZES = {
    **dict.fromkeys(("b8", "u8", "s8", "pred"), 1),
    **dict.fromkeys(("b16", "u16", "s16", "f16", "bf16"), 2),
    **dict.fromkeys(("b32", "u32", "s32", "f32", "f16x2", "bf16x2", "tf32"), 4),
    **dict.fromkeys(("b64", "u64", "s64", "f64", "texref", "samplerref", "surfref"), 8),
    "b128": 16,
}
"""Bytes of each PTX type."""


class PtxError(WarpsmithError):
    """A text that is not PTX; the message contains the line."""


class UnsupportedPtx(WarpsmithError):
    """Valid PTX that the machine does not support; the message names the instruction or directive."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a module or function, or a parameter.

    Attributes:
        space: ``"global"``, ``"const"``, ``"shared"``, ``"local"`` or ``"param"``.
        name: the name in PTX.
        alignment: in bytes.
        size: in bytes; 0 for an external array of unknown size.
        data: the beginning of the initial content, which zeros follow, or None.
        addresses: (offset in the data, name of a variable or function, addend) of each address in the data.
        external: whether the variable is declared only.
        type: the PTX type of the elements.
    """

    space: str
    name: str
    alignment: int
    size: int
    data: bytes | None = None
    addresses: tuple[tuple[int, str, int], ...] = ()
    external: bool = False
    type: str = "b8"


@dataclass(slots=True)
class Function:
    """A kernel or device function.

    Attributes:
        name: the mangled name.
        parameters: in order.
        results: what a device function returns.
        is_kernel: whether it is an ``.entry``.
        start: the offset of the body in the module's text, after its brace; -1 for a declaration.
        end: the offset of the closing brace.
        max_threads: the largest number of threads of a block, from ``.maxntid`` or ``.reqntid``; 0 without a limit.
    """

    name: str
    parameters: tuple[Variable, ...]
    results: tuple[Variable, ...]
    is_kernel: bool
    start: int = -1
    end: int = -1
    max_threads: int = 0


@dataclass(slots=True)
class ModuleSyntax:
    """A parsed module.

    Attributes:
        text: the text without comments; its lines and offsets are those of the original.
        version: of PTX, such as ``"9.0"``.
        target: such as ``"sm_90"``.
        variables: by name.
        functions: by name.
        files: names of CUDA source files by number.
        items: where each declaration, function and directive starts and ends in the text, in order.
    """

    text: str
    version: str
    target: str
    variables: dict[str, Variable] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    files: dict[int, str] = field(default_factory=dict)
    items: list[tuple[int, int]] = field(default_factory=list)

    def line(self, offset: int) -> int:
        """Return the line of an offset, from 1."""
        return self.text.count("\n", 0, offset) + 1
