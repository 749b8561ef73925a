"""Reads off generated text which builtins are called, and with which types.

Warp declares every variable of a function with its type and writes one call a line, ``var_3 = wp::add(var_1, var_2);``: the
text says exactly what Python leaves to inference. Lines of other forms, and functions that are no builtins, are passed over.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from warpsmith.core.records import text_format

_LONGEST_TYPE = 1000


class Type(NamedTuple):
    """A type by Warp's canonical name (``vec3f``, ``array(float32)``), and the scalar types that it consists of."""

    name: str
    scalars: tuple[str, ...]


class Call(NamedTuple):
    """One call of a builtin. ``types`` are those of its arguments; of what it returns where it has none."""

    builtin: str
    types: tuple[Type, ...]


def calls(text: str, named: Container[str]) -> Iterator[Call]:
    """Yield the calls in ``text``, generated forward code; adjoint functions that stand in it are passed over.

    Args:
        text: C++ or CUDA code as Warp writes it. Of other text, anything may be yielded, but in time linear in its length.
        named: what the Python calls by name; it tells builtins apart that share a C++ name.
    """
    declared: dict[str, str] = {}
    forward = False
    for line in text.splitlines():
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
    """The variable that a line declares, and its type; None for other lines."""
    found = text_format.VARIABLE.search(line)
    if found is None:
        return None
    before = line[: found.start()].strip().removeprefix("const ").rstrip("& ")
    if not before or before in ("return", "//") or any(mark in before for mark in "=();/"):
        return None
    return (found[0], before) if line[found.end() :].lstrip()[:1] in ("=", ";", ",", ")") else None


def _split(line: str, start: int) -> tuple[str, str | None]:
    """The template arguments that open at ``start``, if any, and the arguments behind them; None if that is no call."""
    depth, end = 0, start
    for end in range(start, len(line)):
        depth += (line[end] == "<") - (line[end] == ">")
        if depth == 0:
            break
    end += line[start] == "<"
    return line[start:end], line[end + 1 :] if line[end : end + 1] == "(" else None


@cache
def _native() -> dict[str, tuple[str, ...]]:
    from warpsmith.extraction.warp.registry import native_names  # noqa: PLC0415 - whoever counts no calls does without Warp

    return native_names()


def _builtin(native: str, template: str, named: Container[str]) -> str | None:
    """The builtin that a C++ name stands for; where several share it, the one that the Python names."""
    keys = _native().get(native)
    if keys is None:
        return None
    if native == "wp::vec_t":  # vectors have many names in Python, spatial ones of length six have their own builtin
        return "spatial_vector" if template.startswith("<6,") and "spatial_vector" in named else "vector"
    if (native == "wp::where" or native.endswith("_0")) and keys[0] not in named:
        return None  # Warp joins the values of branches by `where`, and its own functions in Python are named like a user's
    return next((key for key in keys if key in named), keys[0])


@lru_cache(maxsize=4096)
def type_of(text: str) -> Type:
    """Return the type that ``text``, a C++ type of generated code, stands for; a reference is what it refers to."""
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
