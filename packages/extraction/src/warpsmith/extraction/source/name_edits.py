"""The names in a syntax tree, defined in the file that is being written; the edits where the file has another text for them."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import warp as wp

from warpsmith.core.errors import KernelRejected
from warpsmith.extraction.source.definition_text import Edit, replacement
from warpsmith.extraction.source.source_file import SourceFile
from warpsmith.extraction.source.source_names import MISSING, chain_of, names_in, stored_names


@dataclass(frozen=True)
class Scope:
    """The meaning of names in a definition.

    Attributes:
        values: the value of every name that the definition can read.
        local: the names that mean something else inside: the definition itself, its arguments and variables.
        is_device_code: whether Warp compiles the definition, rather than Python.
        statics: the values of the expressions of ``wp.static`` that Warp has evaluated, by their text without white space.
    """

    values: dict[str, Any]
    local: frozenset[str]
    is_device_code: bool = False
    statics: Mapping[str, Any] = field(default_factory=dict)


def name_edits(file: SourceFile, node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Define every name that ``node`` reads in the file, and yield the edits that the source needs.

    Raises:
        KernelRejected: if an object cannot be written as source text.
    """
    if (found := chain_of(node)) is not None:
        parts, chain = found
        value = scope.values.get(chain[0], MISSING)
        if chain[0] in scope.local or value is MISSING or value is getattr(builtins, chain[0], MISSING):
            return
        depth, text = file.resolve(chain, value, scope.local, scope.is_device_code)
        if text != ".".join(chain[: depth + 1]):
            yield replacement(parts[depth], text)
    elif isinstance(node, ast.Call) and _is_static(node, scope):
        yield from name_edits(file, node.func, scope)
        yield from _static_edits(file, node.args[0], scope)
    else:
        for child in ast.iter_child_nodes(node):
            yield from name_edits(file, child, scope)


def _is_static(node: ast.Call, scope: Scope) -> bool:
    """Return whether a call is ``wp.static(expression)``."""
    found = chain_of(node.func)
    if found is None or len(node.args) != 1:
        return False
    chain = found[1]
    value = scope.values.get(chain[0])
    return value is wp.static if len(chain) == 1 else (value is wp and chain[1:] == ("static",))


def _static_edits(file: SourceFile, expression: ast.expr, scope: Scope) -> list[Edit]:
    """Define what a static expression reads; where that is impossible or unwanted, replace the expression by its value."""
    value = _static_value(expression, scope) if file.replaces_statics else MISSING
    if value is MISSING:
        try:
            with file.attempt():
                return list(name_edits(file, expression, replace(scope, is_device_code=False)))
        except KernelRejected:
            value = _static_value(expression, scope)
            if value is MISSING:
                raise
    return [replacement(expression, file.expression(value))]


def _static_value(expression: ast.expr, scope: Scope) -> Any:
    """Return the value of a static expression, or `MISSING` if it depends on variables of a loop."""
    text = ast.unparse(expression)
    if (key := "".join(text.split())) in scope.statics:
        return scope.statics[key]
    if (set(names_in(expression)) - stored_names(expression)) & scope.local:
        return MISSING
    try:
        return eval(text, dict(scope.values))  # noqa: S307 - Warp evaluates the expression in the same way
    except Exception:  # noqa: BLE001 - the expression is the project's own
        return MISSING
