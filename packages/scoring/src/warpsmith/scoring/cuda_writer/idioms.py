"""The idioms of a text: each kernel has one coherent style, which its id determines."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TypedDict


class HeadStyle(TypedDict):
    """The style of the heads of functions."""

    aligned: bool
    attached: bool
    indent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Idioms:
    """The choices of one text.

    Attributes:
        strides: whether threads step over the grid; otherwise surplus threads return.
        flat: whether a launch of several dimensions has a grid of one, whose index is divided.
        restrict: whether pointers are ``__restrict__``.
        const_locals: whether variables with one assignment are ``const``.
        defines: whether constants are macros; otherwise they are ``constexpr``.
        launcher: whether a function of the host launches the kernel.
        checked: whether this function returns the error of the launch.
        indent: spaces of an indentation.
        braces: whether the body of every ``if`` has braces, if it is one statement, too.
        device: the qualifiers of helper functions.
        pointers: whether functions return several values through pointers; otherwise through references.
        components: whether arrays of vectors are arrays of numbers.
        unroll: whether short loops have ``#pragma unroll``.
        block_comment: whether docstrings are block comments.
        includes: the headers.
        shares_sizes: whether arrays whose axes have equal lengths share a parameter.
        extern: whether the kernel has C linkage.
        aligned: whether long lines continue behind the opening bracket; otherwise arguments have a line each.
        block: the threads of a block in launches.
        sizes_first: whether a kernel receives sizes before arrays; otherwise behind all others.
        nested_strides: whether threads may step over a grid of three dimensions.
        attached: whether the opening brace of a function is on the line of its head.
    """

    strides: bool
    flat: bool
    restrict: bool
    const_locals: bool
    defines: bool
    launcher: bool
    indent: int
    braces: bool
    device: str
    pointers: bool
    components: bool
    unroll: bool
    block_comment: bool
    includes: tuple[str, ...]
    shares_sizes: bool = True
    extern: bool = False
    aligned: bool = True
    attached: bool = False
    block: int = 256
    sizes_first: bool = False
    nested_strides: bool = True
    checked: bool = False

    @property
    def of_heads(self) -> HeadStyle:
        """The arguments of `layout.line_breaks.head_lines`."""
        return {"aligned": self.aligned, "attached": self.attached, "indent": self.indent}


def idioms_of(key: str) -> Idioms:
    """Return the idioms of the text with a key, such as the id of its pair.

    Examples:
        >>> idioms_of("1-2000-17") == idioms_of("1-2000-17")
        True
    """
    rng = random.Random(f"plain/{key}")  # noqa: S311 - style, not secrets

    def chance(share: float) -> bool:
        return rng.random() < share

    found = Idioms(
        strides=chance(0.3),
        flat=chance(0.35),
        restrict=chance(0.55),
        const_locals=chance(0.45),
        defines=chance(0.15),
        launcher=chance(0.4),
        indent=2 if chance(0.3) else 4,
        braces=chance(0.5),
        device=rng.choice(("__device__ inline", "__device__ __forceinline__", "static __device__ inline")),
        pointers=chance(0.25),
        components=chance(0.12),
        unroll=chance(0.4),
        block_comment=chance(0.5),
        includes=rng.choice((*[("cuda_runtime.h",)] * 3, ())),
        extern=chance(0.15),
        aligned=chance(0.65),
        attached=chance(0.5),
        block=rng.choice((128, 256, 256, 512)),
    )
    sizes_first, nested, checked = chance(0.25), chance(0.15), chance(0.5)
    return replace(
        found, extern=found.extern and not found.launcher, sizes_first=sizes_first, nested_strides=nested, checked=checked
    )
