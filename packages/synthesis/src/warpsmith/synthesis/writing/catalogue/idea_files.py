"""The text files of the catalogue, read into domains. The notes explain their format: `notes/how-to/write_ideas.md`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args

from warpsmith.synthesis.language.warp_types import TYPES, Type
from warpsmith.synthesis.writing.catalogue.idea_rows import CatalogueError, Row, read_rows
from warpsmith.synthesis.writing.catalogue.row_order import in_order
from warpsmith.synthesis.writing.ideas.notation import with_marks
from warpsmith.synthesis.writing.ideas.parts import (
    Code,
    Data,
    Distribution,
    Domain,
    Extra,
    Helper,
    Idea,
    Index,
    Local,
    Loop,
    Number,
    ObjectParameter,
    Record,
    Size,
)

SUFFIX = ".ideas"
"""The ending of the files of a topic."""

INCLUDE = "include"
"""The row that adds the rows of a file of another domain, as ``include domain/topic``."""

SHARED = "shared"
"""The name of the file with the rows of several topics of a domain."""

_INCLUDED = re.compile(rb"^include (\S+)$", re.MULTILINE)

FLAGS = ("integer", "forward_only", "tiled")
"""The flags of an idea that are fields of `Idea`."""

RETIRED = "retired"
"""The flag of an idea without category, which is never chosen: bytes depend on the number of ideas of a domain."""

KNOWN = "known"
"""The field of a row whose texts are not checked: the reason."""

ANONYMOUS = "anonymous"
"""The row that says that the parameters of its file have no subject."""

DISTRIBUTIONS = frozenset(get_args(Distribution))


def read_domain(folder: Path) -> Domain:
    """Read the domain of a folder.

    Raises:
        CatalogueError: if a row cannot be read.
        ValueError: if two rows have the same key.
    """
    found: dict[str, list[Any]] = {"anonymous": [], **{table: [] for table, _ in _READERS.values()}}
    rows = rows_of(folder)
    anonymous = {path for row, path in rows if row.kind == ANONYMOUS}
    for row, path in rows:
        value = read_row(row, path)
        table = _READERS[row.kind][0]
        found[table].append(value)
        if table == "parameters" and path in anonymous:
            found["anonymous"].append(value)
    world = found.pop("world")
    found.pop("marks")
    names = dict(found.pop("names"))
    return Domain(
        folder.name, names=names, world=world[0] if world else None, **{key: tuple(rows) for key, rows in found.items()}
    )


def rows_of(folder: Path) -> list[tuple[Row, Path]]:
    """Return the rows of a domain in their order, each with its file.

    Raises:
        CatalogueError: if a line belongs to no row.
    """
    return in_order([(row, path) for path in files_of(folder) for row in read_rows(path)], folder)


def all_folders() -> list[Path]:
    """Return the folders of all domains, which are beside this module, sorted by name."""
    return sorted({path.parent for path in Path(__file__).parent.glob(f"*/*{SUFFIX}")})


def all_files() -> list[Path]:
    """Return the files of all domains."""
    return [path for folder in all_folders() for path in sorted(folder.glob(f"*{SUFFIX}"))]


def files_of(folder: Path) -> list[Path]:
    """Return the files of a domain, the rows of several topics first, and those of other domains that they include."""
    paths = sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: (path.stem != SHARED, path.name))
    texts = [text for path in paths if INCLUDE.encode() in (text := path.read_bytes())]
    included = [topic.decode() for text in texts for topic in _INCLUDED.findall(text)]
    return paths + [folder.parent / f"{topic}{SUFFIX}" for topic in included]


def read_row(row: Row, path: Path) -> Any:
    """Return what a row declares.

    Raises:
        CatalogueError: if it cannot be read.
    """
    if row.kind not in _READERS:
        raise CatalogueError(path, row.line, f"unknown row {row.kind!r}: use one of {', '.join(sorted(_READERS))}")
    try:
        return _READERS[row.kind][1](row)
    except (ValueError, KeyError, TypeError) as error:
        raise CatalogueError(path, row.line, f"{row.kind} {row.key}: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    return f"unknown name {error}" if isinstance(error, KeyError) else str(error)


def _value(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)


def _bound(text: str) -> int | float | str:
    """Return a number, or the key of a size."""
    return text if text[:1].isalpha() else _value(text)


_SPAN = re.compile(r"(\S+?)\.\.(\S+)")


def _span(text: str) -> tuple[Any, Any]:
    match = _SPAN.fullmatch(text)
    if match is None:
        raise ValueError(f"expected a range such as 0.5..2.0, not {text!r}")
    return _bound(match[1]), _bound(match[2])


def _type(name: str) -> Type:
    if name not in TYPES:
        raise ValueError(f"unknown type {name!r}")
    return TYPES[name]


def _size(row: Row) -> Size:
    spec, names, about, constants = row.parts(4)
    if ".." in spec:
        return Size(row.key, *_span(spec), names, constants, about)
    choices = tuple(map(int, spec.split()))
    return Size(row.key, min(choices), max(choices), names, constants, about, choices)


_ARRAY = re.compile(r"(\w+)(?: (\S+?\.\.\S+))?(?: \[([^]]*)\])?((?: [\w=.+-]+)*)")


def _array(row: Row) -> Data:
    spec, names, about = row.parts(3)
    match = _ARRAY.fullmatch(spec)
    if match is None:
        raise ValueError("expected a type, a range, [dimensions], and options")
    dtype = _type(match[1])
    low, high = _span(match[2]) if match[2] else (0.0, 0.0) if dtype.is_float else (0, 0)
    kind: Any = "uniform"
    start, flags = None, dict.fromkeys(("shared", "indexed"), False)
    for option in match[4].split():
        if option in DISTRIBUTIONS:
            kind = option
        elif option in flags:
            flags[option] = True
        elif option.startswith("start="):
            start = _value(option[6:])
        else:
            raise ValueError(f"unknown option {option!r}")
    return Data(row.key, dtype, low, high, names, about, match[3] or "n", kind, start, flags["shared"], flags["indexed"])


def _number(row: Row) -> Number:
    spec, names, about, constants, typical = row.parts(5)
    dtype, span = spec.split()
    return Number(row.key, _type(dtype), *_span(span), names, about, constants, tuple(map(_value, typical.split())))


def _code(row: Row) -> Code:
    value, names, about, classes = row.parts(4)
    return Code(row.key, _value(value), names, about, classes)


def _object(row: Row) -> ObjectParameter:
    spec, names, about = row.parts(3)
    kind, shape, span, *build = spec.split()
    options = tuple((name, _option(value)) for name, _, value in (option.partition("=") for option in build))
    return ObjectParameter(row.key, kind, tuple(map(int, shape.split("x"))), *_span(span), names, about, options)  # type: ignore[arg-type]


def _option(text: str) -> Any:
    if text in ("True", "False"):
        return text == "True"
    return _bound(text)


def _index(row: Row) -> Index:
    over, names, item = row.parts(3)
    return Index(row.key, over, names, item)


def _record(row: Row) -> Record:
    names, members = row.parts(2)
    return Record(row.key, names, members)


def _idea(row: Row) -> Idea:
    fields = {name: value for name, value in row.fields.items() if name != KNOWN}
    flags = fields.pop("flags", "").split()
    if unknown := set(flags) - {*FLAGS, RETIRED}:
        raise ValueError(f"unknown flag {', '.join(sorted(unknown))}: use one of {', '.join(FLAGS)}")
    if unknown := fields.keys() - _IDEA_FIELDS:
        raise ValueError(f"unknown field {', '.join(sorted(unknown))}: use one of {', '.join(_IDEA_FIELDS)}")
    (text,) = row.framed_texts(2)
    marked = {name: with_marks(value) for name, value in fields.items()}
    blocks = tuple(map(int, marked.pop("blocks", "").split()))
    marked.pop("frame", None)
    return Idea(row.key, text=text, blocks=blocks, **marked, **{flag: True for flag in FLAGS if flag in flags})  # type: ignore[arg-type]


_IDEA_FIELDS = ("names", "purpose", "docs", "threads", "categories", "flags", "generic", "blocks", "frame")


def _extra(row: Row) -> Extra:
    (text,) = row.framed_texts(0)
    return Extra(row.key, text)


def _helper(row: Row) -> Helper:
    return Helper(row.key, row.framed_texts(2), row.rest)


_READERS: Mapping[str, tuple[str, Callable[[Row], Any]]] = {
    ANONYMOUS: ("marks", lambda _: None),
    "array": ("parameters", _array),
    "code": ("parameters", _code),
    "extra": ("extras", _extra),
    "helper": ("helpers", _helper),
    "idea": ("ideas", _idea),
    INCLUDE: ("marks", lambda _: None),
    "index": ("indices", _index),
    "local": ("locals", lambda row: Local(row.key, row.framed_texts(0))),
    "loop": ("loops", lambda row: Loop(row.key, row.framed_texts(2))),
    "name": ("names", lambda row: (row.key, row.rest)),
    "number": ("parameters", _number),
    "object": ("parameters", _object),
    "size": ("parameters", _size),
    "struct": ("records", _record),
    "world": ("world", _index),
}
"""The field of `Domain` and the reader of each kind of row."""
