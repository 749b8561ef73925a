"""Docstrings of several lines, in the styles of Google, NumPy and Sphinx, and as plain text."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from msgspec import Struct

from warpsmith.synthesis.language.render import INDENT
from warpsmith.synthesis.writing.forms.file_style import Docs


class Entry(Struct, frozen=True, gc=False):
    """A parameter in a docstring.

    Attributes:
        name: its name.
        kind: its type in source text.
        about: what it is.
        shape: its shape, or empty.
        output: whether the kernel writes it.
    """

    name: str
    kind: str
    about: str
    shape: str
    output: bool


def write_sections(sentences: Sequence[str], entries: Sequence[Entry], docs: Docs, length: int) -> list[str]:
    """Return the lines of a docstring.

    Args:
        sentences: its first line, and the paragraphs that follow, some of which may be empty.
        entries: the parameters.
        docs: the style.
        length: the longest line.
    """
    width = length - len(INDENT)
    summary, *paragraphs = filter(None, sentences)
    lines = [summary]
    for paragraph in paragraphs:
        lines += ["", *textwrap.wrap(paragraph, width)]
    match docs:
        case "google":
            return [*lines, "", "Args:", *_fold(_sentences(entries, "{0.name}: {1}"), INDENT, width)]
        case "typed":
            return [*lines, "", "Args:", *_fold(_sentences(entries, "{0.name} ({0.kind}): {1}"), INDENT, width)]
        case "numpy":
            return [*lines, "", *_numpy(entries, width)]
        case "sphinx":
            return [*lines, "", *_fold(_sentences(entries, ":param {0.name}: {1}"), "", width)]
        case "roles":
            return [*lines, "", *_roles(entries, width)]
        case "list":
            return [*lines, "", *_fold(_sentences(entries, "- {0.name}: {1}"), "", width)]
        case "threads" if not paragraphs:
            return [*lines, "", *_fold(_sentences(entries[-1:], "{0.name}: {1}"), "", width)]
        case _:
            return lines


def _sentences(entries: Sequence[Entry], pattern: str) -> list[str]:
    return [pattern.format(entry, _describe(entry)).rstrip(": ") for entry in entries]


def _describe(entry: Entry) -> str:
    about = f"{entry.about[:1].upper()}{entry.about[1:]}"
    text = ", ".join(filter(None, (about, f"shape {entry.shape}" if entry.shape else "")))
    return f"{text}." if text else ""


def _numpy(entries: Sequence[Entry], width: int) -> list[str]:
    lines = ["Parameters", "----------"]
    for entry in entries:
        lines.append(", ".join(filter(None, (f"{entry.name} : {entry.kind}", f"shape {entry.shape}" if entry.shape else ""))))
        about = f"{entry.about[:1].upper()}{entry.about[1:]}."
        lines += _fold([about] if entry.about else [], INDENT, width)
    return lines


def _roles(entries: Sequence[Entry], width: int) -> list[str]:
    inputs, outputs = [entry for entry in entries if not entry.output], [entry for entry in entries if entry.output]
    lines: list[str] = []
    for title, group in (("Inputs:", inputs), ("Outputs:", outputs)):
        if group:
            lines += [title, *_fold(_sentences(group, "{0.name}: {1}"), INDENT, width)]
    return lines


def _fold(sentences: Sequence[str], margin: str, width: int) -> list[str]:
    """Return sentences that begin with ``margin``, in several lines if they are too long."""
    lines: list[str] = []
    for sentence in sentences:
        line = f"{margin}{sentence}"
        while len(line) > width and (cut := line.rfind(" ", len(margin) + len(INDENT) + 1, width + 1)) > 0:
            lines.append(line[:cut])
            line = f"{margin}{INDENT}{line[cut + 1 :]}"
        lines.append(line)
    return lines
