"""The style of a file: what differs between projects, and not between the functions of one."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from warpsmith.synthesis.language.layout.file_layout import Layout
from warpsmith.synthesis.language.render import STYLES, Style
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.form_policy import (
    CAPITAL_CHANCE,
    COMMENT_STYLES,
    CONSTANT_COMMENT_CHANCE,
    CONSTRUCTOR_CHANCE,
    DOC_STYLES,
    ENUM_CHANCE,
    GENERIC_RESULT_CHANCE,
    GENERICS,
    INDENTS,
    INITIAL_CAST_CHANCE,
    LINE_LENGTHS,
    PHRASES,
    PRECISIONS,
    PRIVATE_NAMES,
    SIGNATURES,
    STATIC_CHANCE,
    TYPED_LITERAL_CHANCE,
    UNITS,
    WARP_CAST_CHANCES,
    WRAPPINGS,
)
from warpsmith.synthesis.writing.forms.wording import Phrases, Units

Docs: TypeAlias = Literal["none", "line", "google", "typed", "numpy", "sphinx", "roles", "list", "threads"]
"""The docstring of a kernel: none, one line, or several lines with the parameters, or with a sentence about threads."""


class FileStyle(Struct, frozen=True, gc=False):
    """The style of a file.

    Attributes:
        spelling: how types are written.
        layout: how lines are wrapped.
        comments: the comments in signatures: labels of ``groups`` of parameters, or ``remarks`` about each of them.
        constant_comments: whether constants have comments.
        docs: the docstring of the kernel.
        phrases: how parameters are described.
        units: how units are written.
        capitals: whether comments begin with a capital.
        private: which names start with an underscore.
        enums: whether codes are members of enumerations.
        initial_casts: whether locals that change are initialized with casts.
        warp_casts: whether casts are written with the names of Warp's types.
        static: whether constants in ranges and expressions of constants are in ``wp.static``.
        precision: float64 throughout for ``double``, and arrays of float16 for ``half``, where the kernel permits it.
        generic: whether functions, or the kernel and its functions, take arguments of any type where they permit it.
        typed_literals: whether literals have the type of arguments in generic functions, and casts in vectors of float64.
        generic_results: whether results of generic functions are annotated.
    """

    spelling: Style = Style()
    layout: Layout = Layout()
    comments: Literal["none", "groups", "remarks"] = "none"
    constant_comments: bool = False
    docs: Docs = "line"
    phrases: Phrases = "full"
    units: Units = "words"
    capitals: bool = False
    private: Literal["none", "functions", "all"] = "none"
    enums: bool = False
    initial_casts: bool = False
    warp_casts: bool = False
    static: bool = False
    precision: Literal["single", "double", "half"] = "single"
    generic: Literal["none", "functions", "kernel"] = "none"
    typed_literals: bool = True
    generic_results: bool = False


def choose_style(rng: RandomStream) -> FileStyle:
    """Choose the style of a file."""
    spelling, docs, comments = rng.choice(STYLES), rng.choice(DOC_STYLES), rng.choice(COMMENT_STYLES)
    if comments == "remarks" and docs not in ("none", "line", "threads"):
        comments = "none"  # the docstring says what each parameter is
    return FileStyle(
        spelling,
        _choose_layout(rng),
        comments,
        rng.chance(CONSTANT_COMMENT_CHANCE),
        docs,
        phrases=rng.choice(PHRASES),
        units=rng.choice(UNITS),
        capitals=rng.chance(CAPITAL_CHANCE),
        private=rng.choice(PRIVATE_NAMES),
        enums=rng.chance(ENUM_CHANCE),
        initial_casts=rng.chance(INITIAL_CAST_CHANCE),
        warp_casts=rng.chance(WARP_CAST_CHANCES[spelling.warp_scalars]),
        static=rng.chance(STATIC_CHANCE),
        precision=rng.choice(PRECISIONS),
        generic=rng.choice(GENERICS),
        typed_literals=rng.chance(TYPED_LITERAL_CHANCE),
        generic_results=rng.chance(GENERIC_RESULT_CHANCE),
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
