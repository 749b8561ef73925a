"""The statements of the body of a function, and their operands."""

from __future__ import annotations

import re

from warpsmith.simt.ptx.syntax import Function, ModuleSyntax, PtxError

Statement = tuple[str, str, str, str, str, str, str, str, str, str]
"""The text of a statement and its parts: the name of a label, ``"!"`` before a predicate, the predicate, an opcode, its
operands, the arguments of a ``.loc``, the name of a directive, its arguments, a brace. Parts that it lacks are empty."""

# An instruction without a semicolon matches up to the end of the body, so that the expression never goes back. Blanks belong to
# the statement before them: a statement starts where its text does.
_STATEMENT = re.compile(
    r"""((?:
    ([A-Za-z_$%][\w$]*)\s*:(?!:)
    | (?:@(!?)\s*([%A-Za-z_$][\w$]*)\s+)?([a-z][\w.:]*)([^;]*)(?:;|\Z)
    | \.loc\b([^\n]*)
    | \.([a-z]\w*)([^;]*)(?:;|\Z)
    | ([{}])
    | ;
    )\s*)""",
    re.VERBOSE,
)
_OPENING_BLANKS = re.compile(r"\s*")


def statements(module: ModuleSyntax, function: Function) -> list[Statement]:
    """Return the statements of a body.

    Raises:
        PtxError: if a part of the body is no statement.
    """
    text, end = module.text, function.end
    blanks = _OPENING_BLANKS.match(text, function.start, end)
    start = blanks.end() if blanks is not None else function.start
    found: list[Statement] = _STATEMENT.findall(text, start, end)
    if start + sum([len(statement[0]) for statement in found]) != end:
        raise _no_statement(module, start, end)
    if found and (found[-1][4] or found[-1][7]) and not found[-1][0].rstrip().endswith(";"):
        raise PtxError(f"line {module.line(end)}: a semicolon is missing")
    return found


def _no_statement(module: ModuleSyntax, position: int, end: int) -> PtxError:
    """Return the error on the first part of a body that is no statement."""
    while (found := _STATEMENT.match(module.text, position, end)) is not None:
        position = found.end()
    return PtxError(f"line {module.line(position)}: not a statement: {module.text[position:end].rstrip()[:60]!r}")


def split_operands(text: str) -> list[str]:
    """Return the operands of an instruction without blanks; commas in braces, brackets and parentheses do not separate.

    Examples:
        >>> split_operands(" {%f1, %f2}, [%rd1+8]")
        ['{%f1,%f2}', '[%rd1+8]']
    """
    text = "".join(text.split())
    if not text:
        return []
    if "{" not in text and "(" not in text:
        return text.split(",")
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character in "{[(":
            depth += 1
        elif character in "}])":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return parts


def members(operand: str) -> list[str]:
    """Return the members of a vector operand such as ``{%f1,%f2}``, or the operand itself."""
    return operand[1:-1].split(",") if operand.startswith(("{", "(")) else [operand]
