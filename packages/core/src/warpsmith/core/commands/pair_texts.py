"""Prints the texts of a pair: side by side on a terminal, and as code that compiles in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

import click

from warpsmith.core.errors import TargetError
from warpsmith.core.printable import printable
from warpsmith.core.records.pair import Pair

F = TypeVar("F", bound=Callable[..., Any])

LANGUAGES = {
    # name: target, heading, start of a comment
    "python": ("", "Python", "#"),
    "cpp": ("cpu", "C++", "//"),
    "cuda": ("cuda", "CUDA", "//"),
    "plain": ("", "stand-alone CUDA", "//"),
}
"""The texts of a pair."""

Preamble = Callable[[Pair, str], str]
"""Returns the preamble of a pair's file for a target, ``"cpu"`` or ``"cuda"``."""


@dataclass(frozen=True, slots=True)
class View:
    """The way to print a pair.

    Attributes:
        stacked: print the texts one after another even on a terminal.
        language: print only this text, one of `LANGUAGES`.
    """

    stacked: bool = False
    language: str | None = None

    @property
    def is_default(self) -> bool:
        """Whether neither option is given."""
        return self == View()


def view_options(function: F) -> F:
    """Add ``--stacked`` and ``--text``; the function receives both as ``view``."""

    @click.option(
        "--stacked", is_flag=True, help="Print the texts one after another, as code that compiles; a pipe implies it."
    )
    @click.option(
        "--text", "language", type=click.Choice(list(LANGUAGES)), help="Print only this text, as a file that compiles."
    )
    @wraps(function)
    def decorated(*arguments: Any, stacked: bool, language: str | None, **options: Any) -> Any:
        return function(*arguments, view=View(stacked, language), **options)

    return decorated  # type: ignore[return-value]


def show_pair(pair: Pair, preamble: Preamble, view: View) -> None:
    """Print a pair's Python and its generated code.

    Args:
        pair: the pair.
        preamble: the preamble of its files; ``--text`` and pipes show it, so that the code compiles.
        view: the options of the command.

    Raises:
        TargetError: if the pair lacks the text of the view.
    """
    from warpsmith.core import terminal  # noqa: PLC0415 - Rich takes longer to load than --help may take

    texts = _texts(pair)
    if view.language is not None:
        if view.language not in texts:
            why = f"it was made for the device {pair.metadata.device!r}" if view.language != "plain" else _why_not_plain(pair)
            raise TargetError(f"{pair.id} has no {LANGUAGES[view.language][1]}: {why}")
        _write(_with_preamble(pair, view.language, texts[view.language], preamble))
    elif view.stacked or not terminal.out.is_terminal:
        for language, text in texts.items():
            _, heading, comment = LANGUAGES[language]
            code = _with_preamble(pair, language, text, preamble)
            _write(f"{comment} ---- {printable(pair.id)}: {heading}\n\n{code.rstrip()}\n\n")
    else:
        from warpsmith.core.commands.side_by_side import print_texts  # noqa: PLC0415 - loads the languages

        title = f"{pair.id}  {pair.metadata.description}"
        print_texts(title, [(LANGUAGES[language][1], language, text) for language, text in texts.items()])


def _why_not_plain(pair: Pair) -> str:
    outcome = pair.metadata.plain
    return "it was made without --plain" if outcome is None else outcome.reason


def _texts(pair: Pair) -> dict[str, str]:
    """Return the texts that a pair has, without preambles, forward and backward together."""
    texts = {"python": pair.python_source}
    for language, (target, _, _) in LANGUAGES.items():
        forward, backward = pair.code(target) if target else (None, None)
        if forward is not None:
            texts[language] = forward + (backward or "")
    if pair.cuda_plain is not None:
        texts["plain"] = pair.cuda_plain
    return texts


def _write(text: str) -> None:
    """Write a text to stdout. Pipes may end at a terminal: characters that control it are escaped, which code does not have."""
    sys.stdout.write(printable(text, keep="\n\t"))


def _with_preamble(pair: Pair, language: str, text: str, preamble: Preamble) -> str:
    target = LANGUAGES[language][0]
    return preamble(pair, target) + text if target else text
