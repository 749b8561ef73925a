"""The style of a file: what differs between projects, and not between the functions of one."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from warpsmith.synthesis.language.layout.file_layout import Layout
from warpsmith.synthesis.language.render import STYLES, Style
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.form_policy import (
    COMMENT_STYLES,
    CONSTRUCTOR_CHANCE,
    DOC_STYLES,
    ENUM_CHANCE,
    INDENTS,
    INITIAL_CAST_CHANCE,
    LINE_LENGTHS,
    PRIVATE_NAMES,
    SIGNATURES,
    STATIC_CHANCE,
    WARP_CAST_CHANCES,
    WRAPPINGS,
)

Docs: TypeAlias = Literal["none", "line", "google", "typed", "numpy", "sphinx", "roles", "list", "threads"]
"""The docstring of a kernel: none, one line, or several lines with the parameters, or with a sentence about threads."""


class FileStyle(Struct, frozen=True, gc=False):
    """The style of a file.

    Attributes:
        spelling: how types are written.
        layout: how lines are wrapped.
        comments: the comments in signatures: labels of ``groups`` of parameters, or ``remarks`` about each of them.
        docs: the docstring of the kernel.
        private: which names start with an underscore.
        enums: whether codes are members of enumerations.
        initial_casts: whether locals that change are initialized with casts.
        warp_casts: whether casts are written with the names of Warp's types.
        static: whether constants in ranges and expressions of constants are in ``wp.static``.
    """

    spelling: Style = Style()
    layout: Layout = Layout()
    comments: Literal["none", "groups", "remarks"] = "none"
    docs: Docs = "line"
    private: Literal["none", "functions", "all"] = "none"
    enums: bool = False
    initial_casts: bool = False
    warp_casts: bool = False
    static: bool = False


def choose_style(rng: RandomStream) -> FileStyle:
    """Choose the style of a file."""
    spelling = rng.choice(STYLES)
    return FileStyle(
        spelling,
        _choose_layout(rng),
        rng.choice(COMMENT_STYLES),
        rng.choice(DOC_STYLES),
        rng.choice(PRIVATE_NAMES),
        enums=rng.chance(ENUM_CHANCE),
        initial_casts=rng.chance(INITIAL_CAST_CHANCE),
        warp_casts=rng.chance(WARP_CAST_CHANCES[spelling.warp_scalars]),
        static=rng.chance(STATIC_CHANCE),
    )


def _choose_layout(rng: RandomStream) -> Layout:
    wrapping, leading = rng.choice(WRAPPINGS)
    return Layout(
        rng.choice(LINE_LENGTHS),
        wrapping,
        leading,
        rng.choice(SIGNATURES),
        rng.chance(CONSTRUCTOR_CHANCE),
        rng.choice(INDENTS),
    )
