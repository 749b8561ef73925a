"""The forms of a file: a composed kernel is rewritten in the style of its file."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from warpsmith.synthesis.language.composed_kernel import Kernel
from warpsmith.synthesis.writing.forms.casts import with_initial_casts, with_static_ranges, with_warp_casts
from warpsmith.synthesis.writing.forms.file_style import FileStyle


def write_forms(kernel: Kernel, style: FileStyle) -> Kernel:
    """Return a kernel with the same meaning in the style of its file."""
    if style.initial_casts:
        kernel = _rewrite(kernel, with_initial_casts)
    if style.static and kernel.constants:
        names = [constant.name for constant in kernel.constants]
        kernel = _rewrite(kernel, lambda text: with_static_ranges(text, names))
    if style.warp_casts:
        kernel = _rewrite(kernel, with_warp_casts)
    return kernel


def _rewrite(kernel: Kernel, change: Callable[[str], str]) -> Kernel:
    """Return a kernel whose statements and functions are changed."""
    body = change("\n".join(kernel.body)).split("\n")
    preface = tuple(change(block) if block.startswith("@wp.func\n") else block for block in kernel.preface)
    return replace(kernel, body=tuple(body), preface=preface)
