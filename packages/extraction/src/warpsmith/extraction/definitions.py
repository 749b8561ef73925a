"""Source text of function and class definitions, and its syntax tree."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

from warpsmith.core.errors import KernelRejected
from warpsmith.core.records.python_source import NotPythonError, parse_python, source_lines


def source_of(definition: Any) -> str:
    """Return the source text of a function or class, without indentation.

    Raises:
        KernelRejected: if there is no source text, as for functions of an interactive session.
    """
    try:
        return textwrap.dedent(inspect.getsource(definition))
    except (OSError, TypeError) as error:
        raise KernelRejected("source", f"no source text for {definition!r}: {error}") from error


def parse_function(source: str) -> ast.FunctionDef:
    """Return the syntax tree of a function definition.

    Raises:
        KernelRejected: if ``source`` is something else, such as the line of a lambda.
    """
    try:
        tree = parse_python(source).body[0]
    except NotPythonError as error:
        raise KernelRejected("source", f"the source of a function does not parse: {error}") from error
    if not isinstance(tree, ast.FunctionDef):
        raise KernelRejected("source", "the source is not a function definition")
    return tree


def unquoted(annotation: ast.expr) -> ast.expr:
    """Return the expression inside an annotation that is written as a string."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return ast.parse(annotation.value, mode="eval").body
    return annotation


def with_header(tree: ast.FunctionDef, source: str, decorator: str, annotations: dict[str, str]) -> str:
    """Return ``source`` with another decorator and other annotations; the body is unchanged.

    The header of a function created in a closure may contain names that are out of scope later; Warp has their values.
    """
    arguments = ", ".join(f"{name}: {annotation}" for name, annotation in annotations.items())
    body = source_lines(source)[tree.body[0].lineno - 1 :]
    return f"{decorator}\ndef {tree.name}({arguments}):\n" + "".join(body)
