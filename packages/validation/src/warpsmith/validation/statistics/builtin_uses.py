"""Finds the builtin calls in generated code, with their types.

Warp declares every variable of a function with its type and writes one call per line, ``var_3 = wp::add(var_1, var_2);``, so
that the text contains the types that Python leaves to inference. Other lines, and functions that are not builtins, are ignored.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from warpsmith.core.records import text_format

_LONGEST_TYPE = 1000


class Type(NamedTuple):
    """A type: its canonical name in Warp (``vec3f``, ``array(float32)``), and its scalar types."""

    name: str
    scalars: tuple[str, ...]


class Call(NamedTuple):
    """One call of a builtin, with the types of its arguments, or of its result if it has no arguments."""

    builtin: str
    types: tuple[Type, ...]


def calls(text: str, named: Container[str]) -> Iterator[Call]:
    """Yield the calls in generated forward code, without those in adjoint functions.

    Args:
        text: C++ or CUDA code as Warp writes it. The calls of other text are arbitrary, but the time is linear in its length.
        named: the names that the Python calls, which distinguish builtins that share a C++ name.
    """
    declared: dict[str, str] = {}
    forward = False
    for line in text.split("\n"):
        if line[:1] not in ("", " "):  # a new function, struct or comment
            opening, parenthesis, _ = line.partition("(")
            if parenthesis:
                declared, forward = {}, not opening.rpartition(" ")[2].startswith(text_format.ADJOINT_PREFIX)
            continue
        if declaration := _declaration(line):
            declared[declaration[0]] = declaration[1]
        elif forward and (statement := text_format.STATEMENT.match(line)):
            template, arguments = _split(line, statement.end())
            builtin = _builtin(statement[2], template, named)
            if builtin is not None and arguments is not None:
                variables = text_format.VARIABLE.findall(arguments) or ([statement[1]] if statement[1] else [])
                yield Call(builtin, tuple(type_of(declared.get(variable, "?")) for variable in variables))


def _declaration(line: str) -> tuple[str, str] | None:
    """Return the variable that a line declares and its type, or None for other lines."""
    found = text_format.VARIABLE.search(line)
    if found is None:
        return None
    before = line[: found.start()].strip().removeprefix("const ").rstrip("& ")
    if not before or before in ("return", "//") or any(mark in before for mark in "=();/"):
        return None
    return (found[0], before) if line[found.end() :].lstrip()[:1] in ("=", ";", ",", ")") else None


def _split(line: str, start: int) -> tuple[str, str | None]:
    """Return the template arguments at ``start``, if any, and the arguments after them, or None if there is no call."""
    depth, end = 0, start
    for end in range(start, len(line)):
        depth += (line[end] == "<") - (line[end] == ">")
        if depth == 0:
            break
    end += line[start] == "<"
    return line[start:end], line[end + 1 :] if line[end : end + 1] == "(" else None


@cache
def _native() -> dict[str, tuple[str, ...]]:
    from warpsmith.extraction.warp.registries import native_names  # noqa: PLC0415 - Warp loads slowly; only counting calls needs it

    return native_names()


def _builtin(native: str, template: str, named: Container[str]) -> str | None:
    """Return the builtin for a C++ name; if several builtins share the name, the one that the Python calls."""
    keys = _native().get(native)
    if keys is None:
        return None
    if native == "wp::vec_t":  # many Python names; spatial vectors have length six and their own builtin
        return "spatial_vector" if template.startswith("<6,") and "spatial_vector" in named else "vector"
    if (native == "wp::where" or native.endswith("_0")) and keys[0] not in named:
        return None  # Warp inserts `where` after branches, and names its own Python functions like those of users
    return next((key for key in keys if key in named), keys[0])


@lru_cache(maxsize=4096)
def type_of(text: str) -> Type:
    """Return the type for a C++ type of generated code; a reference has the type of its target."""
    if len(text) > _LONGEST_TYPE:
        return Type("?", ())
    plain = text.replace("wp::", "").replace(" ", "").rstrip("*&")
    return Type(_name(plain), tuple(sorted(set(text_format.SCALAR_TYPE.findall(plain)))))


def _name(plain: str) -> str:
    if plain in text_format.SCALAR_SUFFIXES or plain == "?":
        return plain
    if (found := text_format.COMPOSITE_TYPE.fullmatch(plain)) and found[3] in text_format.SCALAR_SUFFIXES:
        return f"{found[1]}{found[2].replace(',', '')}{text_format.SCALAR_SUFFIXES[found[3]]}"
    if found := text_format.ARRAY_TYPE.fullmatch(plain):
        return f"array({_name(found[1])})"
    base = plain.partition("<")[0]
    if base.startswith("tile_"):
        return f"tile({','.join(text_format.SCALAR_TYPE.findall(plain)[:1])})"
    return base.removesuffix("_t")[:40] if base.endswith("_t") or base == "str" else "struct"
