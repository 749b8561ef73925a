"""Source texts on a terminal, next to each other or one after another, coloured by language.

Loading the languages takes a tenth of a second, which only ``show`` needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.segment import Segments
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from warpsmith.core import terminal
from warpsmith.core.commands.time_limit import time_limit
from warpsmith.core.printable import printable

MAX_CHARACTERS, MAX_LINES = 200_000, 5_000
"""The most characters and lines of a text that are printed. Rich takes quadratic time for more lines."""

COLOUR_SECONDS = 5.0
"""The time limit for colouring texts. Some texts take quadratic time, or more."""


NARROWEST = 48
"""The fewest columns of a terminal for each text; on a narrower terminal the texts are printed one after another."""


def print_texts(title: str, texts: Sequence[tuple[str, str, str]]) -> None:
    """Print texts on a terminal, next to each other if it is wide enough; all lines are whole.

    Args:
        title: the title above the texts.
        texts: for each column its heading, its language for highlighting, and its text.
    """
    console = terminal.out
    shown = [(printable(heading), language, _shortened(printable(text, keep="\n\t"))) for heading, language, text in texts]
    lay_out = _side_by_side if console.width >= NARROWEST * len(texts) else _stacked
    try:
        with time_limit(COLOUR_SECONDS):
            segments = list(console.render(lay_out(printable(title), shown, _coloured)))
    except TimeoutError:
        terminal.err.print("the texts are shown without colours: colouring them takes too long")
        segments = list(console.render(lay_out(printable(title), shown, lambda _, text: Text(text))))
    console.print(Segments(segments), end="", soft_wrap=True)


def _shortened(text: str) -> str:
    kept = "\n".join(text[:MAX_CHARACTERS].split("\n", MAX_LINES)[:MAX_LINES])
    rest = len(text) - len(kept)
    return f"{kept}\n… and {rest:,} more characters: --stacked prints them" if rest else text


Colour: TypeAlias = Callable[[str, str], Text]
"""Returns a text of a language with its colours."""


def _coloured(language: str, text: str) -> Text:
    return Syntax("", language, background_color="default").highlight(text)


def _side_by_side(title: str, texts: Sequence[tuple[str, str, str]], colour: Colour) -> RenderableType:
    table = Table(title=title, title_justify="left", expand=True)
    for heading, _, _ in texts:
        table.add_column(heading, ratio=1, overflow="fold")
    cells = [colour(language, text) for _, language, text in texts]
    for cell in cells:
        cell.no_wrap, cell.overflow = False, "fold"
    table.add_row(*cells)
    return table


def _stacked(title: str, texts: Sequence[tuple[str, str, str]], colour: Colour) -> RenderableType:
    parts: list[RenderableType] = [title]
    for heading, language, text in texts:
        body = colour(language, text)
        body.no_wrap, body.overflow = True, "ignore"  # the terminal wraps a long line, and copies it as one
        parts += [Rule(heading, align="left"), body]
    return Group(*parts)
