"""Long values of stores, sums and tests: each has a local of its own while functions are made."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from warpsmith.synthesis.writing.ideas.outlining.function_names import singular
from warpsmith.synthesis.writing.ideas.outlining.syntax import Line, function_of, read_line
from warpsmith.synthesis.writing.ideas.tree import Node

MIN_WEIGHT = 2
"""The least number of operators and calls of a value with a local."""


class LongValues:
    """The long values of a kernel.

    Attributes:
        names: what each of their locals is called, from the array or sum that receives it.
    """

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def split(self, body: list[Node], names: dict[str, str]) -> None:
        """Put each long value into a line of its own; ``names`` are candidates for names by key of local or parameter."""
        for position in range(len(body) - 1, -1, -1):
            node = body[position]
            self.split(node.body, names)
            line = read_line(node.text)
            value = _long_value(line)
            owner = line.owner
            if value is None or not owner:
                continue
            key = f"{owner.strip('{}')}__v{len(self.names)}"
            self.names[key] = " ".join(dict.fromkeys(singular(word) for word in names.get(owner, owner.strip("{}")).split()))
            before, after = line.span_of(value)
            body[position : position + 1] = [Node(f"${key} = {line.text_of(value)}"), Node(f"{before}${key}{after}", node.body)]

    def merge(self, body: list[Node]) -> None:
        """Put the values back that are used in the next line."""
        position = 0
        while position < len(body):
            node = body[position]
            self.merge(node.body)
            line = read_line(node.text)
            if line.kind == "assign" and len(line.targets) == 1 and line.targets[0] in self.names and position + 1 < len(body):
                key, after = line.targets[0], body[position + 1]
                if line.value is not None and key in read_line(after.text).reads:
                    after.text = _put(after.text, key, line.text_of(line.value))
                    del body[position]
                    continue
            position += 1


def _put(text: str, key: str, value: str) -> str:
    return re.sub(rf"\${key}\b", lambda _: value, text)


def _long_value(line: Line) -> ast.expr | None:
    """Return the value of a store, sum or atomic operation, if it is long."""
    value = line.value
    if line.kind == "effect":
        is_atomic = isinstance(value, ast.Call) and function_of(value).startswith("atomic_") and not value.keywords
        value = value.args[-1] if is_atomic and isinstance(value, ast.Call) else None
    elif line.kind not in ("store", "change"):
        return None
    if value is None or sum(_weights(value)) < MIN_WEIGHT:
        return None
    return value


def _weights(value: ast.expr) -> Iterator[bool]:
    return (isinstance(part, ast.BinOp | ast.Call | ast.Compare | ast.BoolOp | ast.IfExp) for part in ast.walk(value))
