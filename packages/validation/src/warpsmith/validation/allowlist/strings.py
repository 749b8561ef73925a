"""Characters and strings of a pair's Python that could change which lines run, or what Warp writes to C++."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from warpsmith.core.records.syntax_walks import walk

HIDDEN = "\0\v\f\r\x1c\x1d\x1e\x85\u2028\u2029"
"""Characters that end a line for some readers but not for all, and the null character."""

_HIDDEN = re.compile(f"[{HIDDEN}]")

_PLAIN = re.compile(r"""(?:[\n\t !$-\[\]-z|~](?<!\?\?|<%|%>|<:|:>|%:))*""")
"""Strings that are the same in C++: printable ASCII without quotes, braces, number signs and backslashes in any spelling."""


def hidden_character(text: str) -> str | None:
    r"""Return why a text has other lines for some readers, or None if it does not.

    Examples:
        >>> hidden_character("a\nb\f")
        'line 2: the character U+000C'
    """
    found = _HIDDEN.search(text)
    if found is None:
        return None
    return f"line {text.count(chr(10), 0, found.start()) + 1}: the character U+{ord(found[0]):04X}"


def string_violations(nodes: Iterable[ast.AST], exempt: set[int]) -> Iterator[str]:
    """Yield the strings that are not plain.

    Args:
        nodes: all nodes of the file.
        exempt: identities of the constants that never reach the strings of device code.
    """
    for node in nodes:
        if isinstance(node, ast.Constant) and id(node) not in exempt and isinstance(node.value, str | bytes):
            text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
            if not _PLAIN.fullmatch(text):
                yield f"line {node.lineno}: the string {text[:40]!a} is not plain"


def exempt_strings(nodes: Sequence[ast.AST], annotations: Iterable[ast.expr]) -> set[int]:
    """Return the identities of docstrings, native snippets and strings in annotations, which have rules of their own."""
    exempt = {id(part) for annotation in annotations for part in walk(annotation)}
    snippets: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            exempt.add(id(node.value))
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) in ("wp.func_native", "warp.func_native"):
                    values = [*decorator.args, *(keyword.value for keyword in decorator.keywords)]
                    exempt.update(map(id, values))
                    snippets.update(value.id for value in values if isinstance(value, ast.Name))
    for node in nodes:
        match node:
            case ast.Assign([ast.Name(name)], value) if name in snippets:
                exempt.add(id(value))
    return exempt


def static_violations(nodes: Iterable[ast.AST], source: str) -> Iterator[str]:
    """Yield the calls of ``wp.static`` whose arguments Warp reads differently from Python's parser."""
    lines = source.split("\n")
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "static":
            for value in (*node.args, *(keyword.value for keyword in node.keywords)):
                if not _is_read_alike(value, lines):
                    yield f"line {node.lineno}: static with an argument that Warp reads differently"


def _is_read_alike(node: ast.expr, lines: list[str]) -> bool:
    """Return whether an expression is the same where lines are joined, and characters counted as bytes, as Warp does."""
    last = node.end_lineno or node.lineno
    parts = lines[node.lineno - 1 : last]
    parts[-1] = parts[-1][: node.end_col_offset]
    parts[0] = parts[0][node.col_offset :]
    try:
        return ast.dump(ast.parse("".join(parts).strip(), mode="eval").body) == ast.dump(node)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
