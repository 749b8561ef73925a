"""The layout of a function: its docstring, its head and its lines."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from warpsmith.scoring.cuda_writer.function_scope import Scope
from warpsmith.scoring.cuda_writer.idioms import Idioms
from warpsmith.scoring.cuda_writer.layout.docstring_text import comment_lines
from warpsmith.scoring.cuda_writer.layout.line_breaks import WIDTH, broken, head_lines
from warpsmith.scoring.cuda_writer.layout.parameter_remarks import remarks_of, with_shown_names
from warpsmith.scoring.cuda_writer.text_unit import Unit


def function_text(unit: Unit, node: ast.FunctionDef, opening: str, parameters: Sequence[str], scope: Scope) -> str:
    """Return a function."""
    first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
    names = _names(scope, parameters)
    found = with_shown_names(remarks_of(unit.comments, node), names)
    remarks = {name: found[name] for name in map(_name_of, parameters) if name in found}
    head = commented_head_lines(opening, [(text, remarks.get(_name_of(text), "")) for text in parameters], unit.idioms)
    docstring = ast.get_docstring(node) or ""
    lines = [f"// {each.text}" for each in unit.comments.above(first)]
    lines += comment_lines(docstring, block=unit.idioms.block_comment, names=names, remarks={} if head else remarks)
    lines += head or head_lines(opening, parameters, **unit.idioms.of_heads)
    for depth, text in with_pointers(scope.text(unit.idioms.indent), [array.pointer for array in scope.arrays.values()]):
        if text or not (lines[-1].endswith("{") or not lines[-1]):
            lines += statement_lines(text, depth, unit.idioms)
    return "\n".join([*lines, "}\n"])


def with_pointers(lines: Sequence[tuple[int, str]], arrays: Sequence[str]) -> list[tuple[int, str]]:
    """Return the lines of a function; arrays of one element whose address alone it uses are pointers to it.

    Examples:
        >>> with_pointers([(4, "atomicAdd(&sum[0], x);")], ["sum"])
        [(4, 'atomicAdd(sum, x);')]
    """
    text_of_all = "\n".join(text for _, text in lines)
    single = [name for name in arrays if name.isidentifier() and f"&{name}[0]" in text_of_all]
    single = [name for name in single if not re.search(rf"\b{name}\b", text_of_all.replace(f"&{name}[0]", ""))]
    found = list(lines)
    for name in single:
        found = [(depth, text.replace(f"&{name}[0]", name)) for depth, text in found]
    return found


def _names(scope: Scope, parameters: Sequence[str]) -> dict[str, str]:
    """Return the names of parameters in CUDA by those of the Python, and those that only the CUDA has, in their order."""
    shown = [_name_of(text) for text in parameters]
    names = {name: name for name in shown}
    names |= {name: array.pointer for name, array in scope.arrays.items()}
    names |= {name: variable.name for name, variable in scope.variables.items()}
    known = {name: found for name, found in names.items() if found in shown}
    return dict(sorted(known.items(), key=lambda each: shown.index(each[1])))


def _name_of(parameter: str) -> str:
    return parameter.rsplit(maxsplit=1)[-1].lstrip("*&")


def commented_head_lines(opening: str, parameters: Sequence[tuple[str, str]], idioms: Idioms) -> list[str]:
    """Return the head of a function with comments behind its parameters; empty without one, and where lines have several.

    Args:
        opening: what is before the parameters.
        parameters: types and names, and the comments.
        idioms: the style.
    """
    if idioms.aligned or not any(remark for _, remark in parameters):
        return []
    indent, last = " " * idioms.indent, len(parameters) - 1
    lines = []
    for number, (text, remark) in enumerate(parameters):
        end = "," if number < last else ") {" if idioms.attached else ")"
        lines.append(f"{indent}{text}{end}{f'  // {remark}' if remark else ''}")
    if max(map(len, lines)) > WIDTH:
        return []
    return [f"{opening}(", *lines] if idioms.attached else [f"{opening}(", *lines, "{"]


def statement_lines(text: str, depth: int, idioms: Idioms) -> list[str]:
    """Return the lines of a statement; a comment behind a long one goes above it."""
    if not text:
        return [""]
    code, _, remark = text.partition("  // ")
    if remark and depth + len(text) > WIDTH and not text.startswith("//"):
        return [f"{' ' * depth}// {remark}", *broken(code, depth, aligned=idioms.aligned)]
    return [" " * depth + text] if text.startswith(("//", "#")) else broken(text, depth, aligned=idioms.aligned)
