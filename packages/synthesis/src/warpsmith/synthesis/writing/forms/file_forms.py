"""The forms of a file: a composed kernel is rewritten in the style of its file."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec.structs import replace

from warpsmith.synthesis.language.composed_kernel import Kernel
from warpsmith.synthesis.writing.forms.casts import with_initial_casts, with_static_ranges, with_warp_casts
from warpsmith.synthesis.writing.forms.file_style import FileStyle
from warpsmith.synthesis.writing.forms.float_types import FUNCTION, texts_of
from warpsmith.synthesis.writing.forms.generics import as_generic, with_generic_functions
from warpsmith.synthesis.writing.forms.precision import in_double, widen_generic, with_half_arrays
from warpsmith.synthesis.writing.forms.wording import begins_with_capital, with_capital_comments


def write_forms(kernel: Kernel, style: FileStyle) -> Kernel:
    """Return a kernel with the same meaning in the style of its file; floats may have another precision."""
    if style.initial_casts:
        kernel = _rewrite(kernel, with_initial_casts)
    if style.generic == "kernel" and (generic := as_generic(kernel)):
        kernel = widen_generic(generic) if style.precision == "double" else generic
    else:
        kernel = _with_precision(kernel, style)
        if style.generic != "none":
            kernel = with_generic_functions(kernel, typed=style.typed_literals, returns=style.generic_results)
    if style.static and kernel.constants:
        names, is_single = [constant.name for constant in kernel.constants], style.precision != "double" and not kernel.generic
        kernel = _rewrite(kernel, lambda text: with_static_ranges(text, names, expressions=is_single))
    text = texts_of(kernel)
    if style.capitals or begins_with_capital(text):
        words = frozenset(re.findall(r"\w+", _PROSE.sub("", text)))
        kernel = _rewrite(kernel, lambda text: with_capital_comments(text, words))
    return _rewrite(kernel, with_warp_casts) if style.warp_casts else kernel


_PROSE = re.compile(r'#[^\n]*|""".*?"""', re.DOTALL)
"""Comments and docstrings, whose words are no names."""


def _with_precision(kernel: Kernel, style: FileStyle) -> Kernel:
    if style.precision == "double":
        return in_double(kernel, bare=not style.typed_literals) or kernel
    if style.precision == "half":
        return with_half_arrays(kernel, outputs=style.typed_literals) or kernel
    return kernel


def _rewrite(kernel: Kernel, change: Callable[[str], str]) -> Kernel:
    """Return a kernel whose statements and functions are changed."""
    body = change("\n".join(kernel.body)).split("\n")
    preface = tuple(change(block) if block.startswith(FUNCTION) else block for block in kernel.preface)
    return replace(kernel, body=tuple(body), preface=preface)
