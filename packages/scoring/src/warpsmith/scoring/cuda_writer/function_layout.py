"""The layout of a function: its docstring, its head and its lines.

Long lines break behind commas and before operators, at the outermost place that makes the line fit.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from warpsmith.scoring.cuda_writer.function_scope import Scope
from warpsmith.scoring.cuda_writer.source_comments import plain_words
from warpsmith.scoring.cuda_writer.text_unit import Unit

WIDTH = 100
"""The longest line."""

_OPERATOR = re.compile(r" (\+|-|\*|/|%|&&|\|\||\?|:|<<|>>|<=?|>=?|==|!=|&|\|) ")
_RANKS = {"?": 1, ":": 1, "||": 2, "&&": 3, "+": 6, "-": 6, "*": 7, "/": 7, "%": 7}
"""The order of operators: a break before the weakest one keeps operands together."""


def wrapped(text: str, indent: int) -> list[str]:
    """Return the lines of a statement, which begins behind ``indent`` spaces."""
    first, following = " " * indent, " " * (indent + 4)
    if text.startswith("for (") and text.count("; ") == 2 and indent + len(text) > WIDTH:
        return _loop_head(text, indent)
    lines: list[str] = []
    prefix = first
    while len(prefix) + len(text) > WIDTH and (place := _best(text, WIDTH - len(prefix))):
        lines.append(prefix + text[:place].rstrip())
        text, prefix = text[place:].lstrip(), following
    return [*lines, prefix + text]


def _loop_head(text: str, indent: int) -> list[str]:
    """Return the head of a loop with a line for each part, or two lines if the first two parts fit into one."""
    start, test, step = text.split("; ")
    first, following = " " * indent, " " * (indent + len("for ("))
    if indent + len(start) + len(test) + 3 <= WIDTH:
        return [f"{first}{start}; {test};", f"{following}{step}"]
    return [f"{first}{start};", f"{following}{test};", f"{following}{step}"]


def _best(text: str, width: int) -> int:
    """Return the best place for a break within a width: the outermost one, the last of these; 0 if there is none."""
    code = text.partition(" // ")[0]
    best, best_rank, depth = 0, (99, 99), 0
    for at, character in enumerate(code[: width + 1]):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        place, rank = 0, (depth, 0)
        if character == "," and code[at + 1 : at + 2] == " ":
            place = at + 1
        elif character == " " and (found := _OPERATOR.match(code, at)):
            place, rank = at, (depth, _RANKS.get(found[1], 5))
        if place > 12 and rank <= best_rank and place <= width:
            best, best_rank = place, rank
    return best


def function_text(unit: Unit, node: ast.FunctionDef, opening: str, parameters: Sequence[str], scope: Scope) -> str:
    """Return a function."""
    indent = unit.idioms.indent
    head = f"{opening}({', '.join(parameters)})"
    lines = docstring_lines(unit, node)
    first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
    lines = [*(f"// {each.text}" for each in unit.comments.above(first)), *lines]
    if len(head) <= WIDTH:
        lines.append(head)
    else:
        lines.append(f"{opening}(")
        lines += [
            f"{' ' * indent}{text}{',' if number + 1 < len(parameters) else ')'}" for number, text in enumerate(parameters)
        ]
    lines.append("{")
    for depth, text in scope.text(indent):
        lines += statement_lines(text, depth)
    return "\n".join([*lines, "}\n"])


def statement_lines(text: str, depth: int) -> list[str]:
    """Return the lines of a statement; a comment behind a long one goes above it."""
    if not text:
        return [""]
    code, _, remark = text.partition("  // ")
    if remark and depth + len(text) > WIDTH and not text.startswith("//"):
        return [f"{' ' * depth}// {remark}", *wrapped(code, depth)]
    return [" " * depth + text] if text.startswith(("//", "#")) else wrapped(text, depth)


def docstring_lines(unit: Unit, node: ast.FunctionDef) -> list[str]:
    """Return the docstring of a function as a comment."""
    text = ast.get_docstring(node)
    if not text:
        return []
    lines = [line.rstrip() for line in plain_words(text).replace("*/", "* /").split("\n")]
    if not unit.idioms.block_comment:
        return [f"// {line}".rstrip() for line in lines]
    if len(lines) == 1:
        return [f"/** {lines[0]} */"]
    return ["/**", *(f" * {line}".rstrip() for line in lines), " */"]
