"""Source text of function and class definitions, its syntax tree, and edits of the text."""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
from collections.abc import Iterable
from types import FunctionType
from typing import Any, NamedTuple, TypeVar

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


def header_lines(function: FunctionType) -> str:
    """Return a comment directly above a function's decorators, the decorators, and the lines up to ``def``.

    The text is empty without a source file.
    """
    first = function.__code__.co_firstlineno - 1
    lines = linecache.getlines(function.__code__.co_filename)
    start = first - 1 if first and "".join(lines[first - 1 : first]).lstrip().startswith("#") else first
    end = next((number for number in range(first, len(lines)) if lines[number].lstrip().startswith("def ")), -1)
    return "".join(lines[start : end + 1])


Definition = TypeVar("Definition", ast.FunctionDef, ast.ClassDef)


def parse_function(source: str) -> ast.FunctionDef:
    """Return the syntax tree of a function definition.

    Raises:
        KernelRejected: if ``source`` is something else, such as the line of a lambda.
    """
    return _parse_definition(source, ast.FunctionDef, "function")


def parse_class(source: str) -> ast.ClassDef:
    """Return the syntax tree of a class definition.

    Raises:
        KernelRejected: if ``source`` is something else, such as a call that creates a class.
    """
    return _parse_definition(source, ast.ClassDef, "class")


def _parse_definition(source: str, kind: type[Definition], name: str) -> Definition:
    try:
        definition = parse_python(source).body[0]
    except (NotPythonError, IndexError) as error:
        raise KernelRejected("source", f"the source of a definition does not parse: {error}") from error
    if not isinstance(definition, kind):
        raise KernelRejected("source", f"the source is not a {name} definition")
    return definition


def unquoted(annotation: ast.expr) -> ast.expr:
    """Return the expression inside an annotation that is written as a string."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return ast.parse(annotation.value, mode="eval").body
    return annotation


class Edit(NamedTuple):
    """A new text for a part of a source: lines are counted from 1, columns from 0 in bytes, as in syntax trees."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


def replacement(node: ast.expr, text: str) -> Edit:
    """Return the edit that writes ``text`` in place of an expression."""
    end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return Edit(node.lineno, node.col_offset, end_line, end_column, text)


def new_name(tree: ast.FunctionDef | ast.ClassDef, source: str, name: str) -> Edit:
    """Return the edit that gives a function or class another name."""
    line = source_lines(source)[tree.lineno - 1]
    column = len(line[: line.index(tree.name, line.index("def" if isinstance(tree, ast.FunctionDef) else "class"))].encode())
    return Edit(tree.lineno, column, tree.lineno, column + len(tree.name.encode()), name)


def edited(source: str, edits: Iterable[Edit]) -> str:
    r"""Return ``source`` with all edits applied; an edit inside another is dropped.

    Examples:
        >>> edited("x = a + b\n", [Edit(1, 4, 1, 5, "first")])
        'x = first + b\n'
    """
    lines = [line.encode() for line in source_lines(source)]
    outermost: list[Edit] = []
    for edit in sorted(set(edits), key=lambda edit: (edit.line, edit.column, -edit.end_line, -edit.end_column)):
        if not outermost or (edit.line, edit.column) >= (outermost[-1].end_line, outermost[-1].end_column):
            outermost.append(edit)
    for edit in reversed(outermost):
        head, tail = lines[edit.line - 1][: edit.column], lines[edit.end_line - 1][edit.end_column :]
        lines[edit.line - 1 : edit.end_line] = [head + edit.text.encode() + tail]
    return b"".join(lines).decode()


def with_header(tree: ast.FunctionDef, source: str, header: str) -> str:
    """Return ``source`` with another header, decorators to colon; the body is unchanged.

    The header of a function created in a closure may contain names that are out of scope later; Warp has their values.
    """
    lines = source_lines(source)
    first = tree.body[0]
    before = lines[first.lineno - 1].encode()[: first.col_offset].decode()
    body = "".join(lines[first.lineno - 1 :])
    if before.strip():  # the body is on the line of the header
        body = "    " + body.encode()[first.col_offset :].decode()
    return f"{header}\n{body}"


def without_methods(tree: ast.ClassDef, source: str) -> str:
    """Return the source of a class without its methods and inner classes, which kernels cannot use."""
    lines = source_lines(source)
    kept = [node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    if len(kept) == len(tree.body):
        return source
    for node in reversed(tree.body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            del lines[start - 1 : node.end_lineno]
    text = "".join(lines).rstrip() + "\n"
    return text if kept else f"{text}    pass\n"
