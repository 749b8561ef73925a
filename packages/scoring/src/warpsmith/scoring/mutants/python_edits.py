"""Edits of the Python of a kernel and its helper functions, by kind: of values, and slips that Warp rejects."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from warpsmith.core.records.python_source import NotPythonError, parse_python, source_lines

_OPERATORS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.Div: ("/", "*")}
_COMPARISONS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a source, as positions of its first character and behind its last one, and its replacement."""

    start: int
    end: int
    new: str

    def replaced(self, text: str) -> str:
        """Return the source ``text`` with the replacement."""
        return text[: self.start] + self.new + text[self.end :]


Edit = Callable[[ast.AST, "Source"], Iterator[Span]]


class Source:
    """A source with its syntax tree.

    Raises:
        NotPythonError: if it is not Python.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = parse_python(text)
        lines = source_lines(text)
        self._lines = [line.encode() for line in lines]
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line))

    def nodes(self) -> Iterator[ast.AST]:
        """Yield all statements and expressions in the bodies of functions, without annotations and docstrings."""
        waiting: list[ast.AST] = [
            statement for function in self.tree.body if isinstance(function, ast.FunctionDef) for statement in function.body
        ]
        while waiting:
            node = waiting.pop(0)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            yield node
            waiting[:0] = list(ast.iter_child_nodes(node))

    def position(self, line: int, column: int) -> int:
        """Return the position of a character from a line and the column in bytes, as syntax trees count them."""
        return self._starts[line - 1] + len(self._lines[line - 1][:column].decode())

    def span(self, node: ast.expr | ast.stmt, new: str) -> Span:
        """Return the replacement of a node."""
        end = self.position(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return Span(self.position(node.lineno, node.col_offset), end, new)

    def of(self, node: ast.expr | ast.stmt) -> str:
        """Return the text of a node."""
        span = self.span(node, "")
        return self.text[span.start : span.end]

    def between(self, left: ast.expr, right: ast.expr, old: str, new: str) -> Iterator[Span]:
        """Yield the replacement of a text between two nodes, if it is there once."""
        start, end = self.span(left, "").end, self.span(right, "").start
        if self.text.count(old, start, end) == 1:
            found = self.text.index(old, start, end)
            yield Span(found, found + len(old), new)


def _operator(node: ast.AST, source: Source) -> Iterator[Span]:
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        yield from source.between(node.left, node.right, *_OPERATORS[type(node.op)])
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARISONS:
        yield from source.between(node.left, node.comparators[0], *_COMPARISONS[type(node.ops[0])])


def _index(node: ast.AST, source: Source) -> Iterator[Span]:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
        yield source.span(node.slice, "0")
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        yield source.span(node.slice, ", ".join(source.of(index) for index in reversed(node.slice.elts)))


def _constant(node: ast.AST, source: Source) -> Iterator[Span]:
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        yield source.span(node, repr(round(node.value * 1.1, 9) if node.value else 0.1))
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield source.span(node, str(node.value + 1))


def _branch(node: ast.AST, source: Source) -> Iterator[Span]:
    if isinstance(node, ast.If | ast.IfExp):
        yield source.span(node.test, f"not ({source.of(node.test)})")


def _loop_bound(node: ast.AST, source: Source) -> Iterator[Span]:
    if isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and len(node.iter.args) == 1:
        yield source.span(node.iter.args[0], f"{source.of(node.iter.args[0])} - 1")


def _argument_order(node: ast.AST, source: Source) -> Iterator[Span]:
    if isinstance(node, ast.Call) and len(node.args) > 1 and not isinstance(node.args[0], ast.Starred):
        first, second = node.args[:2]
        start, end = source.span(first, "").start, source.span(second, "").end
        middle = source.text[source.span(first, "").end : source.span(second, "").start]
        yield Span(start, end, f"{source.of(second)}{middle}{source.of(first)}")


def _dropped(node: ast.AST, source: Source) -> Iterator[Span]:
    if isinstance(node, ast.AugAssign | ast.Expr) or (
        isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
    ):
        yield source.span(node, "pass")


def _missing_atomic(node: ast.AST, source: Source) -> Iterator[Span]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and len(node.value.args) > 2:
        array, *indices, value = map(source.of, node.value.args)
        if re.fullmatch(r"wp\.atomic_(add|sub|min|max)", source.of(node.value.func)):
            yield source.span(node, f"{array}[{', '.join(indices)}] = {value}")


def _undeclared_variable(node: ast.AST, source: Source) -> Iterator[Span]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id != "wp":
        yield source.span(node, f"{node.id}_value")


def _function_name(node: ast.AST, source: Source) -> Iterator[Span]:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "wp":
        yield source.span(node.value, "np")
        yield source.span(node, f"wp.{node.attr}f")


def _type(node: ast.AST, source: Source) -> Iterator[Span]:
    if isinstance(node, ast.BinOp):
        for operand in (node.left, node.right):
            if isinstance(operand, ast.Constant) and isinstance(operand.value, float):
                yield source.span(operand, str(int(operand.value)))


def _argument_count(node: ast.AST, source: Source) -> Iterator[Span]:
    if isinstance(node, ast.Call) and len(node.args) > 1 and not node.keywords:
        before, last = (source.span(argument, "") for argument in node.args[-2:])
        yield Span(before.end, last.end, "")


def _missing_colon(node: ast.AST, source: Source) -> Iterator[Span]:
    if isinstance(node, ast.If | ast.For | ast.While):
        yield from source.between(node.iter if isinstance(node, ast.For) else node.test, _first(node.body[0]), ":", "")


def _first(statement: ast.stmt) -> ast.expr:
    """Return a node at the position where a statement starts, for `Source.between`."""
    return ast.Name("", lineno=statement.lineno, col_offset=statement.col_offset, end_lineno=statement.lineno, end_col_offset=0)


VALUES: dict[str, Edit] = {
    "operator": _operator,
    "index": _index,
    "constant": _constant,
    "branch": _branch,
    "loop bound": _loop_bound,
    "argument order": _argument_order,
    "dropped statement": _dropped,
}
"""Edits of the values that a kernel computes, by kind."""

SLIPS: dict[str, Edit] = {
    "missing colon": _missing_colon,
    "undeclared variable": _undeclared_variable,
    "function name": _function_name,
    "type": _type,
    "argument count": _argument_count,
    "missing atomic": _missing_atomic,
}
"""Slips of authors, by kind. Warp rejects nearly all of them, except a missing atomic."""


def spans(text: str, kinds: dict[str, Edit]) -> Iterator[tuple[str, Span]]:
    """Yield the edits of a source with their kinds; none if it is not Python."""
    try:
        source = Source(text)
    except NotPythonError:
        return
    for node in source.nodes():
        for kind, edit in kinds.items():
            for span in edit(node, source):
                yield kind, span
