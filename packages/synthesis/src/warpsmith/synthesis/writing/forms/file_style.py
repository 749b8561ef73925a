"""The style of a file: what differs between projects, and not between the functions of one."""

from __future__ import annotations

from msgspec import Struct

from warpsmith.synthesis.language.layout.file_layout import Layout
from warpsmith.synthesis.language.render import STYLES, Style
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.policy import CONSTRUCTOR_CHANCE, INDENTS, LINE_LENGTHS, SIGNATURES, WRAPPINGS


class FileStyle(Struct, frozen=True, gc=False):
    """The style of a file.

    Attributes:
        spelling: how types are written.
        layout: how lines are wrapped.
    """

    spelling: Style = Style()
    layout: Layout = Layout()


def choose_style(rng: RandomStream) -> FileStyle:
    """Choose the style of a file."""
    return FileStyle(rng.choice(STYLES), _choose_layout(rng))


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
