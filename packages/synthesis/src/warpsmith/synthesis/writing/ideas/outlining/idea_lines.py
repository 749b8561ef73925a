"""Lines of ideas: what they assign, read, change in place and call; and their expressions as syntax trees."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from msgspec import Struct

from warpsmith.synthesis.writing.ideas.notation import HELPER, LOCAL, PARAMETER
from warpsmith.synthesis.writing.ideas.tree import KEPT_LINES

KEPT_EXPRESSIONS = 1 << 12
"""How many expressions are kept as syntax trees, which are larger than texts."""

LOAD = re.compile(r"(?:\{\w+\}|\$\w+__p)\[(?:[^][]|\[[^][]*\])*\]")
"""An element of an array that is a parameter of a kernel, or of a function made of its statements."""

_MARK = re.compile(r"([$@])(?=\w)|\{(\w+)\}")
_LETTERS = {"$": "ß", "@": "ð"}
_UNMARK = re.compile("([ßð])(?=\\w)|þ([^\\Wþ]+)þ")
_SIGNS = {"ß": "$", "ð": "@"}

_HEADER = re.compile(r"(if|elif|while) (.+):|for ((?:\$\w+, )*\$\w+) in (.+):")
_ASSIGNMENT = re.compile(r"((?:\$\w+, )*\$\w+)(?:: [\w.]+)? = (.+)")
_CHANGE = re.compile(r"(\$\w+|\{\w+\})([^=]*?) (?:[-+*/|&^%]|//|<<|>>|\*\*)?= (.+)")
_ATOMIC = re.compile(r"(?:\$\w+ = )?wp\.(?:tile_)?atomic_\w+\((\{\w+\})")
_JUMP = re.compile(r"(?:return|break|continue)\b")
_CALL = re.compile(r"[\w.@]+\(.*\)")

_IMPURE = re.compile(
    r"wp\.(?:atomic_|tile|untile|print|expect_|static\b|adjoint|tid\b|block_|grid_|zeros|empty|ones\b|full\b|volume_store|address|"
    r"array|func|grad\b|copy\b)|\blambda |(?<![\w\]})])\["
)
"""What no function of a kernel is made of: it has effects, or belongs to a kernel."""

_CHANGING = re.compile(r"wp\.(?:rand(?!_init)|sample_|poisson|\w+_next\(|svd|qr|eig|mesh_query_point\()")
"""Calls that change their arguments, such as the state of random numbers."""

_WEIGHT = re.compile(r"\w\(| (?:[-+*/%&|^@<>]|\*\*|//|<<|>>|[<>=!]=|and|or|if) |(?<![\w\])}] )-[\w$({]")


class Line(Struct, frozen=True, gc=False, eq=False):
    """What a line does.

    Attributes:
        kind: ``assign``, ``change`` (in place), ``store``, ``if``, ``elif``, ``else``, ``for``, ``while``, ``jump``, ``pass``,
            ``effect`` for a call, ``blank`` for no statement, or ``other``.
        targets: the keys of the locals that the line assigns.
        reads: the keys of the locals that it reads.
        changes: the keys of the locals that it changes in place.
        parameters: the keys of the parameters that it names.
        calls: the keys of the helper functions that it calls.
        value: the text of the value of an assignment, change or store, of a test, or of an iterator.
        pure: whether the line has no effect but on locals.
        weight: the number of operators and calls.
        owner: what a sum, store or atomic operation changes: the key of a local, or that of a parameter in braces.
        shape: the line without its names; an element of an array is a name, too.
    """

    kind: str
    targets: tuple[str, ...] = ()
    reads: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    parameters: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    value: str = ""
    pure: bool = True
    weight: int = 0
    owner: str = ""
    shape: str = ""


_BLANK = Line("blank")


@lru_cache(KEPT_LINES)
def read_line(text: str) -> Line:
    """Return what a line of an idea does."""
    if not text or text[0] == "#":
        return _BLANK
    kind, targets, value, owner = _take_apart(text)
    reads = set(LOCAL.findall(value if kind in ("assign", "for") else text))
    changes: set[str] = set()
    if kind == "change":
        changes.add(owner)
    if changing := _CHANGING.search(text):
        changes.update(LOCAL.findall(text, changing.start()))
    return Line(
        kind,
        targets,
        frozenset(reads),
        frozenset(changes),
        frozenset(PARAMETER.findall(text)),
        frozenset(HELPER.findall(text)),
        value,
        pure=kind not in ("effect", "other", "store") and not _IMPURE.search(text),
        weight=count_operations(text),
        owner=owner,
        shape=shape_of(text),
    )


def _take_apart(text: str) -> tuple[str, tuple[str, ...], str, str]:
    """Return the kind of a line, the locals that it assigns, its value, and what it changes."""
    if text == "else:":
        return "else", (), "", ""
    if match := _HEADER.fullmatch(text):
        return (match[1], (), match[2], "") if match[1] else ("for", tuple(LOCAL.findall(match[3])), match[4], "")
    if match := _ATOMIC.match(text):
        return "effect", (), text, match[1]
    if match := _ASSIGNMENT.fullmatch(text):
        return "assign", tuple(LOCAL.findall(match[1])), match[2], ""
    if match := _CHANGE.fullmatch(text):
        return ("store", (), match[3], match[1]) if match[1][0] == "{" else ("change", (), match[3], match[1][1:])
    if _JUMP.match(text):
        return "jump", (), text, ""
    if _CALL.fullmatch(text):
        return "effect", (), text, ""
    return "pass" if text == "pass" else "other", (), text, ""


def count_operations(text: str) -> int:
    """Return the number of operators and calls in a text."""
    return len(_WEIGHT.findall(text))


def shape_of(text: str) -> str:
    """Return a text without its names; an element of an array is a name, too."""
    return NAME.sub("#", text)


NAME = re.compile(rf"{LOAD.pattern}|\$\w+|\{{\w+\}}")
"""A local, a parameter, or an element of an array."""


class Expression(Struct, frozen=True, gc=False, eq=False):
    """An expression as a syntax tree."""

    marked: bytes
    node: ast.expr

    def text_of(self, node: ast.expr) -> str:
        """Return the text of a part, in the notation of ideas."""
        return unmark(self.marked[node.col_offset : node.end_col_offset].decode())


@lru_cache(KEPT_EXPRESSIONS)
def read_expression(text: str) -> Expression | None:
    """Return an expression of an idea as a syntax tree, or None if it is no expression."""
    marked = mark(text)
    try:
        return Expression(marked.encode(), ast.parse(marked, mode="eval").body)
    except (SyntaxError, ValueError):
        return None


def mark(text: str) -> str:
    """Return a text of an idea as Python: ``$x``, ``@x`` and ``{x}`` become names that begin with a letter of their own."""
    return _MARK.sub(lambda match: _LETTERS[match[1]] if match[1] else f"þ{match[2]}þ", text)


def unmark(text: str) -> str:
    """Return Python made by `mark` in the notation of ideas."""
    return _UNMARK.sub(lambda match: _SIGNS[match[1]] if match[1] else f"{{{match[2]}}}", text)


def local_of(node: ast.AST) -> str:
    """Return the key of the local that an expression is, or an empty text."""
    return node.id[1:] if isinstance(node, ast.Name) and node.id[0] == "ß" else ""


def parameter_of(node: ast.AST) -> str:
    """Return the key of the parameter that an expression is, or an empty text."""
    return node.id[1:-1] if isinstance(node, ast.Name) and node.id[0] == "þ" else ""


def function_of(call: ast.Call) -> str:
    """Return the name of the function of Warp or Python that is called, or the key of a helper function after ``@``."""
    if isinstance(call.func, ast.Name):
        return f"@{call.func.id[1:]}" if call.func.id[0] == "ð" else call.func.id
    return call.func.attr if isinstance(call.func, ast.Attribute) else "?"


def is_call(text: str) -> bool:
    """Return whether an expression is a call and nothing else."""
    expression = read_expression(text)
    return expression is not None and isinstance(expression.node, ast.Call)
