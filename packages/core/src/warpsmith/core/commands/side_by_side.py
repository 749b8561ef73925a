"""Source texts next to each other on a terminal, coloured by language.

Loading the languages takes a tenth of a second, which only ``show`` needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.segment import Segments
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from warpsmith.core.commands import terminal
from warpsmith.core.commands.time_limit import time_limit
from warpsmith.core.printable import printable

MOST_CHARACTERS, MOST_LINES = 200_000, 5_000
"""The most characters and lines of a text beside others that are printed. Rich takes quadratic time for more lines."""

COLOUR_SECONDS = 5.0
"""The time limit for colouring texts. Some texts take quadratic time, or more."""


def print_side_by_side(title: str, texts: Sequence[tuple[str, str, str]]) -> None:
    """Print texts next to each other on stdout.

    Args:
        title: the title above the texts.
        texts: for each column its heading, its language for highlighting, and its text.
    """
    console = terminal.out if terminal.out.is_terminal else terminal.Terminal(width=80 * len(texts))
    shown = [(printable(heading), language, _shortened(printable(text, keep="\n\t"))) for heading, language, text in texts]
    lay_out = partial(_side_by_side, printable(title), shown)
    try:
        with time_limit(COLOUR_SECONDS):
            segments = list(console.render(lay_out(coloured=True)))
    except TimeoutError:
        terminal.err.print("the texts are shown without colours: colouring them takes too long")
        console.print(lay_out(coloured=False))
    else:
        console.print(Segments(segments), end="")


def _shortened(text: str) -> str:
    kept = "\n".join(text[:MOST_CHARACTERS].split("\n", MOST_LINES)[:MOST_LINES])
    rest = len(text) - len(kept)
    return f"{kept}\n… and {rest:,} more characters" if rest else text


def _side_by_side(title: str, texts: Sequence[tuple[str, str, str]], coloured: bool) -> Table:
    table = Table(title=title, title_justify="left", expand=True)
    for heading, _, _ in texts:
        table.add_column(heading, ratio=1)
    table.add_row(*(_column(language, text) if coloured else Text(text) for _, language, text in texts))
    return table


def _column(language: str, text: str) -> Syntax:
    return Syntax(text, language, word_wrap=True, background_color="default")
