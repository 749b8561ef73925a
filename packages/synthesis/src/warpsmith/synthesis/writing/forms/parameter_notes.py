"""What a reader learns about the parameters of a kernel: comments in its signature, and docstrings of several lines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from warpsmith.synthesis.language.composed_kernel import (
    Array,
    Constant,
    Kernel,
    OpaqueParameter,
    Param,
    ParameterComment,
    Scalar,
)
from warpsmith.synthesis.language.render import spelling_of
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.form_policy import (
    ANNOTATION_LENGTH,
    GROUP_LABELS,
    MIN_GROUPED_PARAMETERS,
    REMARKS,
    SHAPES,
    THREAD_SENTENCE_CHANCE,
    THREAD_SENTENCES,
)
from warpsmith.synthesis.writing.forms.docstring_sections import Entry, write_sections
from warpsmith.synthesis.writing.forms.file_style import FileStyle
from warpsmith.synthesis.writing.forms.wording import capitalized, phrase


class Notes(Struct, frozen=True, gc=False):
    """What the rows of a domain say about a kernel.

    Attributes:
        about: a phrase for each parameter by name.
        lengths: the text of each dimension by its symbol, where it is a name or a number.
        item: what a thread works on.
    """

    about: Mapping[str, str]
    lengths: Mapping[str, str]
    item: str


class Annotated(Struct, frozen=True, gc=False):
    """The docstring, the comments of a signature, and constants with comments."""

    doc: str
    comments: tuple[ParameterComment, ...]
    constants: tuple[Constant, ...]


def annotate(kernel: Kernel, notes: Notes, style: FileStyle, rng: RandomStream) -> Annotated:
    """Return the docstring and the comments of a kernel in the style of its file."""
    doc = kernel.doc
    about = {name: phrase(text, style.phrases, style.units) for name, text in notes.about.items()}
    if style.capitals:
        about = {name: capitalized(text) for name, text in about.items()}
    notes = replace(notes, about=about)
    comments: tuple[ParameterComment, ...] = ()
    shape = rng.choice(SHAPES)
    if style.comments == "groups":
        comments = _label_groups(kernel.params, rng.choice(GROUP_LABELS))
    elif style.comments == "remarks":
        comments = _remark(kernel.params, notes, rng.choice(REMARKS), shape, style.layout.length or 120)
    summary, _, detail = doc.partition("\n")
    if doc:
        entries = [_entry(param, kernel, notes, shape, style) for param in kernel.params]
        has_threads = style.docs != "line" and " and " not in notes.item and rng.chance(THREAD_SENTENCE_CHANCE)
        threads = rng.choice(THREAD_SENTENCES).format(notes.item) if has_threads else ""
        doc = "\n".join(write_sections((summary, detail, threads), entries, style.docs, min(style.layout.length or 100, 100)))
    constants = kernel.constants
    if style.constant_comments:
        constants = tuple(replace(constant, comment=about.get(constant.name, "")) for constant in constants)
    return Annotated(doc, comments, constants)


def _entry(param: Param, kernel: Kernel, notes: Notes, shape: str, style: FileStyle) -> Entry:
    if isinstance(param, Array):
        kind = "wp.array"
    elif isinstance(param, Scalar):
        kind = "Any" if param.name in kernel.generic else spelling_of(param.type, style.spelling)
    else:
        kind = param.annotation
    is_output = isinstance(param, Array) and param.role != "input"
    return Entry(param.name, kind, _meaning(param, notes), _shape(param, notes, shape), is_output)


def _meaning(param: Param, notes: Notes) -> str:
    """Return what a parameter is; a struct is what its class says."""
    if isinstance(param, OpaqueParameter) and param.argument.kind == "struct":
        return " ".join(_WORD.findall(param.annotation)).lower()
    return notes.about.get(param.name, "")


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SYMBOL = re.compile(r"[A-Za-z_]\w*")


def _shape(param: Param, notes: Notes, pattern: str) -> str:
    """Return the shape of an array, such as ``(n, 3)``; nothing for other parameters."""
    if not isinstance(param, Array):
        return ""
    dims = [_SYMBOL.sub(lambda match: notes.lengths.get(match[0], match[0]), symbol) for symbol in param.dims]
    inner = ", ".join(dims)
    return pattern.format(inner + "," if len(dims) == 1 and pattern.startswith("(") else inner)


def _remark(params: Sequence[Param], notes: Notes, pattern: str, shape: str, length: int) -> tuple[ParameterComment, ...]:
    """Return a comment for each parameter: beside it, or above it if it has no room."""
    comments: list[ParameterComment] = []
    for param in params:
        text = pattern.format(about=_meaning(param, notes), shape=_shape(param, notes, shape)).strip(" ,:")
        if text:
            above = len(param.name) + ANNOTATION_LENGTH + len(text) > length
            comments.append(ParameterComment(param.name, text if above else "", "" if above else text))
    return tuple(comments)


def _label_groups(params: Sequence[Param], labels: tuple[str, str, str]) -> tuple[ParameterComment, ...]:
    """Return the comments above the first of the inputs, of the numbers and of the outputs.

    There are none if the parameters are few, or in another order.
    """
    comments: list[ParameterComment] = []
    before = ""
    for param in params:
        is_output = isinstance(param, Array) and param.role != "input"
        label = labels[2] if is_output else labels[1] if isinstance(param, Scalar) else labels[0]
        if label != before:
            comments.append(ParameterComment(param.name, label, ""))
        before = label
    found = [comment.above for comment in comments]
    is_clear = len(found) > 1 and len(set(found)) == len(found) and len(params) >= MIN_GROUPED_PARAMETERS
    return tuple(comments) if is_clear else ()
