"""Division of a module's text into forward and backward code, and the reverse.

Warp's file for one kernel reads, after the preamble::

    structs · helper functions · their adjoints · kernel forward · kernel backward · [C++ only: entry forward · entry backward]

The forward code is the first, second, fourth and sixth of these parts, so that preamble + forward code compiles alone; the
backward code is the rest. `join` restores Warp's order. Without a backward kernel all text is forward code. If helpers call
``wp.grad``, their adjoints are part of the forward code, because the forward pass needs them.
"""

from __future__ import annotations

from dataclasses import dataclass

from warpsmith.core.records import text_format
from warpsmith.core.records.ir import Code
from warpsmith.extraction.warp.codegen import ModuleText


@dataclass(frozen=True, slots=True)
class _Markers:
    """The texts at which a kernel and its entry point start, for one target and direction."""

    kernel: str
    entry: str | None

    def cut(self, text: str) -> tuple[str, str, str]:
        """Return (the text before the kernel, the kernel, its entry point); missing parts are empty."""
        head, kernel = _divide(text, self.kernel)
        kernel, entry = _divide(kernel, self.entry)
        return head, kernel, entry


def _divide(text: str, marker: str | None) -> tuple[str, str]:
    """Cut ``text`` before the part that ``marker`` identifies; without the marker the second part is empty."""
    # The marker is searched from the end and includes the end of its line: the users' own text, such as native snippets, is
    # located before the kernel, and comments that quote Python end in a line number.
    if marker is None or (at := text.rfind(marker)) < 0:
        return text, ""
    if not marker.startswith(text_format.ARGUMENT_STRUCT_PREFIX):
        at = text.rfind("\n\n", 0, at)  # Warp's templates start with an empty line; macros may precede the name
    return text[:at], text[at:]


def _markers(target: str, name: str) -> tuple[_Markers, _Markers]:
    """Return the markers of the forward and of the backward kernel."""
    backward = f" {text_format.kernel_opening(name, target, 'backward')}\n"
    if target == "cuda":
        return _Markers(f" {text_format.kernel_opening(name, target, 'forward')}\n", None), _Markers(backward, None)
    return (
        _Markers(text_format.argument_struct_opening(name), text_format.cpu_entry_opening(name, "forward")),
        _Markers(f"void{backward}", text_format.cpu_entry_opening(name, "backward")),
    )


def split(module: ModuleText, target: str) -> Code:
    """Divide the text of ``module`` into forward and backward code.

    Raises:
        ValueError: if the text does not start with the preamble or lacks the kernel: this Warp generates an unknown layout.
    """
    name = module.kernel_name
    forward_markers, backward_markers = _markers(target, name)
    if not module.text.startswith(module.preamble) or name not in module.text:
        raise ValueError(f"Warp's {target} text of {name} does not have the known layout")
    text = module.text[len(module.preamble) :]
    if backward_markers.kernel not in text:
        return Code(name, text, None)

    head, kernel, entry = forward_markers.cut(text)
    kernel, kernel_backward = _divide(kernel, backward_markers.kernel)
    entry, entry_backward = _divide(entry, backward_markers.entry)
    adjoints = ""
    if module.first_adjoint:
        at = head.index(module.first_adjoint)
        head, adjoints = head[:at], head[at:]
    return Code(name, head + kernel + entry, adjoints + kernel_backward + entry_backward)


def join(code: Code, target: str) -> str:
    """Return the module's text without its preamble, in Warp's order."""
    if code.backward_code is None:
        return code.forward_code
    forward_markers, backward_markers = _markers(target, code.kernel_name)
    head, kernel, entry = forward_markers.cut(code.forward_code)
    adjoints, kernel_backward, entry_backward = backward_markers.cut(code.backward_code)
    return head + adjoints + kernel + kernel_backward + entry + entry_backward
