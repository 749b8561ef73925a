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

    def cut(self, text: str) -> tuple[int, int]:
        """Return the positions at which the kernel and its entry point start, the end of the text for missing parts."""
        kernel = _find_start(text, self.kernel, 0, len(text))
        return kernel, _find_start(text, self.entry, kernel, len(text))


def _find_start(text: str, marker: str | None, first: int, last: int) -> int:
    """Return where in ``text[first:last]`` the part starts that ``marker`` identifies; ``last`` without the marker."""
    # The marker is searched from the end and includes the end of its line: the users' own text, such as native snippets, is
    # located before the kernel, and comments that quote Python end in a line number.
    if marker is None or (at := text.rfind(marker, first, last)) < 0:
        return last
    if not marker.startswith(text_format.ARGUMENT_STRUCT_PREFIX):
        at = text.rfind("\n\n", first, at)  # Warp's templates start with an empty line; macros may precede the name
    return at


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
    text, start, end = module.text, len(module.preamble), len(module.text)
    if backward_markers.kernel not in text:
        return Code(name, text[start:], None)

    kernel, entry = forward_markers.cut(text)
    kernel_backward = _find_start(text, backward_markers.kernel, kernel, entry)
    entry_backward = _find_start(text, backward_markers.entry, entry, end)
    adjoints = text.index(module.first_adjoint, start, kernel) if module.first_adjoint else kernel
    forward = text[start:adjoints] + text[kernel:kernel_backward] + text[entry:entry_backward]
    return Code(name, forward, text[adjoints:kernel] + text[kernel_backward:entry] + text[entry_backward:])


def join(code: Code, target: str) -> str:
    """Return the module's text without its preamble, in Warp's order."""
    if code.backward_code is None:
        return code.forward_code
    forward_markers, backward_markers = _markers(target, code.kernel_name)
    forward, backward = code.forward_code, code.backward_code
    kernel, entry = forward_markers.cut(forward)
    kernel_backward, entry_backward = backward_markers.cut(backward)
    heads = forward[:kernel] + backward[:kernel_backward]
    kernels = forward[kernel:entry] + backward[kernel_backward:entry_backward]
    return heads + kernels + forward[entry:] + backward[entry_backward:]
