"""Docstrings of a Python file as comments of CUDA: the paragraphs, and the parameters as an engineer documents them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

from warpsmith.scoring.cuda_writer.layout.documented_shapes import without_shapes
from warpsmith.scoring.cuda_writer.layout.line_breaks import WIDTH
from warpsmith.scoring.cuda_writer.layout.source_comments import plain_words

_SECTION = re.compile(r"(Args|Arguments|Parameters|Params|Inputs?|Outputs?|Returns?):?$")
_ENTRIES = (
    re.compile(r"\s*:param (?P<name>\w+): (?P<text>.*)"),
    re.compile(r"- (?P<name>\w+): (?P<text>.*)"),
)
"""Parameters that need no heading: those of Sphinx, and lists."""

_IN_SECTION = re.compile(r"\s+(?P<name>\w+)(?: \([^)]*\))?: (?P<text>.*)")
_NUMPY = re.compile(r"(?P<name>\w+) : (?P<type>.*)")
_SHAPE = re.compile(r"shape [\[(].*[\])]")


@dataclass(slots=True)
class Documentation:
    """A docstring.

    Attributes:
        paragraphs: its text.
        parameters: names and texts of the parameters.
        result: the text about the value.
    """

    paragraphs: list[str] = field(default_factory=list)
    parameters: list[tuple[str, str]] = field(default_factory=list)
    result: str = ""


def read_docstring(text: str) -> Documentation:
    r"""Return the parts of a docstring in the styles of Google, NumPy and Sphinx, or with a list of the parameters.

    Examples:
        >>> read_docstring("Sum up.\n\nArgs:\n    x: Terms, shape (n,).").parameters
        [('x', 'Terms, shape (n).')]
    """
    found, section, shape = Documentation(), "", ""
    lines = plain_words(text).replace("*/", "* /").split("\n")
    starts_paragraph = True
    for number, line in enumerate(lines):
        is_numpy = number + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[number + 1].strip()) is not None
        if not line.strip():
            starts_paragraph = True
        elif re.fullmatch(r"-{3,}", line.strip()):
            continue
        elif (heading := _SECTION.fullmatch(line)) and (is_numpy or line.endswith(":")):
            section = f"{'numpy' if is_numpy else 'text'} {heading[1]}"
        elif (entry := _entry(line, section)) is not None:
            name, words, shape = entry
            found.parameters.append((name, words))
        elif section.endswith(("Return", "Returns")):
            found.result = _joined(found.result, line.strip())
        elif found.parameters and line[0] in " \t":
            name, words = found.parameters[-1]
            found.parameters[-1] = (name, _joined(words, line.strip()))
        else:
            _add_text(found, line, starts_paragraph)
            section, starts_paragraph = "", False
        if shape and (number + 1 == len(lines) or not lines[number + 1].startswith(" ")) and found.parameters:
            name, words = found.parameters[-1]
            found.parameters[-1], shape = (name, f"{words.removesuffix('.')}, {shape}."), ""
    found.parameters = [(name, without_commas(words)) for name, words in found.parameters]
    found.paragraphs = [without_commas(words) for words in found.paragraphs]
    return found


def _entry(line: str, section: str) -> tuple[str, str, str] | None:
    """Return the name and the text of a parameter and the shape that the NumPy style has in front of its text, or None."""
    if section.startswith("numpy") and (found := _NUMPY.fullmatch(line)):
        shape = _SHAPE.search(found["type"])
        return found["name"], "", shape[0] if shape else ""
    if section.startswith("text") and not section.endswith(("Return", "Returns")) and (found := _IN_SECTION.fullmatch(line)):
        return found["name"], found["text"], ""
    for pattern in _ENTRIES:
        if (found := pattern.fullmatch(line)) is not None:
            return found["name"], found["text"], ""
    return None


def _add_text(found: Documentation, line: str, starts_paragraph: bool) -> None:
    if starts_paragraph or line[0] in " \t-*":
        found.paragraphs.append(line.strip())
    else:
        found.paragraphs[-1] = _joined(found.paragraphs[-1], line.strip())


def _joined(first: str, second: str) -> str:
    """Join two lines of a text; a word that ends with a hyphen continues."""
    return f"{first}{second}" if not first or re.search(r"\w-$", first) else f"{first} {second}"


def without_commas(text: str) -> str:
    """Return a text with shapes of one axis as C has them."""
    return re.sub(r"\((\w+),\)", r"(\1)", text)


def with_names(found: Documentation, names: Mapping[str, str]) -> Documentation:
    """Return a docstring for a function whose parameters have other names.

    Args:
        found: the docstring.
        names: the names in CUDA by those of the Python; entries about others disappear, and so do shapes of other names.
    """
    known = set(names.values())
    paragraphs = [without_shapes(words, known) for words in found.paragraphs]
    parameters = [(names[name], without_shapes(words, known)) for name, words in found.parameters if name in names]
    return Documentation([words for words in paragraphs if words], parameters, without_shapes(found.result, known))


def comment_lines(
    text: str, *, block: bool, names: Mapping[str, str] | None = None, remarks: Mapping[str, str] | None = None
) -> list[str]:
    """Return a docstring as a comment.

    Args:
        text: the docstring; empty without one.
        block: a Doxygen block; otherwise lines with ``//``.
        names: the names of the parameters in CUDA by those of the Python, in their order; None for the same ones.
        remarks: texts about parameters in CUDA, for those that the docstring does not explain.
    """
    found = read_docstring(text)
    if names is not None:
        found = with_names(found, names)
    explained = {name for name, _ in found.parameters}
    found.parameters += [(name, words) for name, words in (remarks or {}).items() if name not in explained]
    if names is not None:
        order = list(names.values())
        found.parameters.sort(key=lambda each: order.index(each[0]))
    if not (found.paragraphs or found.parameters or found.result):
        return []
    lines: list[str] = []
    for number, paragraph in enumerate(found.paragraphs):
        lines += [""] if number else []
        lines += _wrapped(paragraph, "")
    if (found.parameters or found.result) and lines:
        lines.append("")
    mark = "@param " if block else ""
    for name, words in found.parameters:
        lines += _wrapped(f"{mark}{name}{' ' if block else ': '}{words}", "    " if block else "  ")
    if found.result:
        lines += _wrapped(f"{'@return ' if block else 'Returns: '}{found.result}", "    " if block else "  ")
    if not block:
        return [f"// {line}".rstrip() for line in lines]
    if len(lines) == 1 and len(lines[0]) + len("/**  */") <= WIDTH:
        return [f"/** {lines[0]} */"]
    return ["/**", *(f" * {line}".rstrip() for line in lines), " */"]


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH - 3, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)
