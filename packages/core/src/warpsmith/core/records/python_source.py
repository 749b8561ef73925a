"""Safe reading of Python source text of unknown origin."""

from __future__ import annotations

import ast
import io
import tokenize
from typing import TypeGuard

from warpsmith.core.errors import WarpsmithError, single_line

KERNEL_DECORATORS = ("wp.kernel", "warp.kernel")

_NOT_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
"""Everything that Python's parser raises for text that is not Python, is nested too deeply or contains null bytes."""


class NotPythonError(WarpsmithError):
    """A text that Python cannot parse; the cause is the parser's own exception.

    Attributes:
        cause: the name of that exception.
    """

    def __init__(self, error: BaseException) -> None:
        super().__init__(single_line(str(error)))
        self.cause = type(error).__name__


def is_python(source: str) -> bool:
    """Return whether Python can parse a text."""
    try:
        parse_python(source)
    except NotPythonError:
        return False
    return True


def parse_python(source: str) -> ast.Module:
    """Return the syntax tree of ``source`` without running any of it.

    Raises:
        NotPythonError: if Python cannot parse the text, for whatever reason.

    Examples:
        >>> parse_python("x = 1").body[0].targets[0].id
        'x'
        >>> parse_python("x =")
        Traceback (most recent call last):
        warpsmith.core.records.python_source.NotPythonError: invalid syntax (<unknown>, line 1)
    """
    try:
        return ast.parse(source)
    except _NOT_PYTHON as error:
        raise NotPythonError(error) from error


def source_lines(source: str) -> list[str]:
    r"""Return the lines of ``source`` with their ends, as Python's parser counts them.

    ``str.splitlines`` also splits at form feeds and other characters that may occur in a comment or a string.

    Examples:
        >>> source_lines("x = 1  # \f\ny = 2")
        ['x = 1  # \x0c\n', 'y = 2']
    """
    lines = [f"{line}\n" for line in source.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def tokenize_python(source: str) -> list[tokenize.TokenInfo]:
    """Return the tokens of ``source``.

    Raises:
        NotPythonError: if Python cannot read the text as tokens.
    """
    try:
        return list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, *_NOT_PYTHON) as error:
        raise NotPythonError(error) from error


def is_kernel_definition(node: ast.AST) -> TypeGuard[ast.FunctionDef]:
    r"""Return whether ``node`` defines a Warp kernel: a function with the decorator ``@wp.kernel``, with or without options.

    Examples:
        >>> is_kernel_definition(parse_python("@wp.kernel(enable_backward=False)\ndef k(): pass").body[0])
        True
    """
    return isinstance(node, ast.FunctionDef) and any(
        ast.unparse(decorator).partition("(")[0] in KERNEL_DECORATORS for decorator in node.decorator_list
    )
