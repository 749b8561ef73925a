"""The layout of a function: its docstring, its head and its lines."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from warpsmith.scoring.cuda_writer.function_scope import Scope
from warpsmith.scoring.cuda_writer.line_wrapping import WIDTH, wrapped
from warpsmith.scoring.cuda_writer.source_comments import plain_words
from warpsmith.scoring.cuda_writer.text_unit import Unit


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
