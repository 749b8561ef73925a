"""Module text taken apart into forward and backward, and put together again.

Warp's file for one kernel reads, after the preamble::

    structs · helper functions · their adjoints · kernel forward · kernel backward · [C++ only: entry forward · entry backward]

Forward is the first, second, fourth and sixth of these, so that preamble + forward compiles alone; backward is the rest.
`join` finds the seams again and restores Warp's order. Without a backward kernel everything is forward, and where helpers call
``wp.grad`` the adjoints stay in forward, because the forward pass needs them.
"""

from __future__ import annotations

from dataclasses import dataclass

from warpsmith.core.records import text_format
from warpsmith.core.records.ir import Code
from warpsmith.extraction.warp.codegen import ModuleText


@dataclass(frozen=True, slots=True)
class _Seams:
    """How a kernel's own pieces begin, for one target and direction: the start of the kernel, and of its entry point."""

    kernel: str
    entry: str | None

    def cut(self, text: str) -> tuple[str, str, str]:
        """Return (what stands before the kernel, the kernel, its entry point); missing pieces are empty."""
        head, kernel = _divide(text, self.kernel)
        kernel, entry = _divide(kernel, self.entry)
        return head, kernel, entry


def _divide(text: str, marker: str | None) -> tuple[str, str]:
    """Cut ``text`` before the piece that ``marker`` names; without it nothing stands behind the cut."""
    # The last occurrence, whole to the end of its line: users' own text, such as native snippets, stands before the kernel, and
    # comments that quote Python end in a line number.
    if marker is None or (at := text.rfind(marker)) < 0:
        return text, ""
    if not marker.startswith(text_format.ARGUMENT_STRUCT_PREFIX):
        at = text.rfind("\n\n", 0, at)  # Warp's templates open with an empty line; macros may stand before the name
    return text[:at], text[at:]


def _seams(target: str, name: str) -> tuple[_Seams, _Seams]:
    backward = f" {text_format.kernel_opening(name, target, 'backward')}\n"
    if target == "cuda":
        return _Seams(f" {text_format.kernel_opening(name, target, 'forward')}\n", None), _Seams(backward, None)
    return (
        _Seams(text_format.argument_struct_opening(name), text_format.cpu_entry_opening(name, "forward")),
        _Seams(f"void{backward}", text_format.cpu_entry_opening(name, "backward")),
    )


def split(module: ModuleText, target: str) -> Code:
    """Take ``module`` apart.

    Raises:
        ValueError: if the text does not open with the preamble or lacks the kernel, which means that this Warp writes texts
            in a way that is not known here.
    """
    name = module.kernel_name
    forward_seams, backward_seams = _seams(target, name)
    if not module.text.startswith(module.preamble) or name not in module.text:
        raise ValueError(f"Warp's {target} text of {name} does not have the known layout")
    text = module.text[len(module.preamble) :]
    if backward_seams.kernel not in text:
        return Code(name, text, None)

    head, kernel, entry = forward_seams.cut(text)
    kernel, kernel_backward = _divide(kernel, backward_seams.kernel)
    entry, entry_backward = _divide(entry, backward_seams.entry)
    adjoints = ""
    if module.first_adjoint:
        at = head.index(module.first_adjoint)
        head, adjoints = head[:at], head[at:]
    return Code(name, head + kernel + entry, adjoints + kernel_backward + entry_backward)


def join(code: Code, target: str) -> str:
    """Return the module text, less its preamble, in Warp's order."""
    if code.backward_code is None:
        return code.forward_code
    forward_seams, backward_seams = _seams(target, code.kernel_name)
    head, kernel, entry = forward_seams.cut(code.forward_code)
    adjoints, kernel_backward, entry_backward = backward_seams.cut(code.backward_code)
    return head + adjoints + kernel + kernel_backward + entry + entry_backward
