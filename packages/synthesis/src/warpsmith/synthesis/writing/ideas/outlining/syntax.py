"""Lines of ideas as Python syntax: what they assign, read, change in place and call."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from msgspec import Struct

KEPT_TREES = 1 << 12
"""How many lines are kept as syntax trees, which are larger than texts."""

_MARK = re.compile(r"([$@])(?=\w)|\{(\w+)\}")
_LETTERS = {"$": "ß", "@": "ð"}
_UNMARK = re.compile("([ßð])(?=\\w)|þ([^\\Wþ]+)þ")
_SIGNS = {"ß": "$", "ð": "@"}

_IMPURE = re.compile(r"(?:atomic_|tile|untile|print|expect_|static$|adjoint$|tid$|block_|zeros$|empty$|ones$|full$|volume_store|"
                     r"address|array$|func|grad$|address_of)")  # fmt: skip
"""Functions of Warp that no function of a kernel is made of: they have effects, or belong to a kernel."""

_CHANGING = re.compile(r"rand|sample_|poisson|\w+_next$|svd|qr3|eig3|mesh_query_point$|tile_")
"""Functions of Warp that change their arguments, such as the state of random numbers."""

_WEIGHTS = (ast.BinOp, ast.Call, ast.Compare, ast.BoolOp, ast.IfExp, ast.UnaryOp)


class Line(Struct, frozen=True, gc=False, eq=False):
    """The syntax of a line.

    Attributes:
        kind: ``assign``, ``change`` (in place), ``if``, ``elif``, ``else``, ``for``, ``while``, ``jump``, ``pass``, ``effect`` for
            a call or store, ``blank`` for no statement, or ``other``.
        marked: the line with letters in place of its signs.
        targets: the keys of the locals that the line assigns.
        reads: the keys of the locals that it reads.
        changes: the keys of the locals that it changes in place.
        parameters: the keys of the parameters that it names.
        calls: the keys of the helper functions that it calls.
        value: the value of an assignment, the test of an ``if``, the iterator of a ``for``, or what a store or sum adds.
        pure: whether the line has no effect but on locals.
        weight: the number of operators and calls.
        owner: what a sum, store or atomic operation changes: the key of a local, or that of a parameter in braces.
    """

    kind: str
    marked: bytes = b""
    targets: tuple[str, ...] = ()
    reads: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    parameters: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    value: ast.expr | None = None
    pure: bool = True
    weight: int = 0
    owner: str = ""

    def text_of(self, node: ast.expr) -> str:
        """Return the text of an expression of the line, in the notation of ideas."""
        return unmark(self.marked[node.col_offset : node.end_col_offset].decode())

    def span_of(self, node: ast.expr) -> tuple[str, str]:
        """Return the text of the line before an expression, and after it."""
        before, after = self.marked[: node.col_offset], self.marked[node.end_col_offset :]
        return unmark(before.decode()), unmark(after.decode())


_BLANK = Line("blank")
_ELSE = Line("else", marked=b"else:")


def mark(text: str) -> str:
    """Return a line of an idea as Python: ``$x``, ``@x`` and ``{x}`` become names that begin with a letter of their own."""
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


def _braced(node: ast.AST) -> str:
    return f"{{{node.id[1:-1]}}}" if parameter_of(node) else ""  # type: ignore[attr-defined]


def function_of(call: ast.Call) -> str:
    """Return the name of the function of Warp or Python that is called, or the key of a helper function after ``@``."""
    if isinstance(call.func, ast.Name):
        return f"@{call.func.id[1:]}" if call.func.id[0] == "ð" else call.func.id
    return call.func.attr if isinstance(call.func, ast.Attribute) else "?"


@lru_cache(KEPT_TREES)
def read_line(text: str) -> Line:
    """Return the syntax of a line of an idea."""
    if not text or text[0] == "#":
        return _BLANK
    if text == "else:":
        return _ELSE
    marked = mark(text)
    source = f"if{marked[4:]}pass" if text.startswith("elif ") else f"{marked}pass" if text[-1] == ":" else marked
    try:
        (statement,) = ast.parse(source).body
    except (SyntaxError, ValueError):
        return Line("other", pure=False)
    shift = 2 if text.startswith("elif ") else 0
    return _describe(statement, marked[shift:].encode(), is_elif=bool(shift))


_JUMPS = (ast.Return, ast.Break, ast.Continue)


def _describe(statement: ast.stmt, marked: bytes, *, is_elif: bool) -> Line:
    targets: list[ast.expr] = []
    value: ast.expr | None = None
    match statement:
        case ast.Assign():
            target = statement.targets[0]
            targets = target.elts if isinstance(target, ast.Tuple) else [target]
            kind, value = "assign", statement.value
        case ast.AnnAssign():
            kind, value, targets = "assign", statement.value, [statement.target]
        case ast.AugAssign():
            kind, value, targets = "change", statement.value, [statement.target]
        case ast.If():
            kind, value = "elif" if is_elif else "if", statement.test
        case ast.For():
            kind, value, targets = "for", statement.iter, [statement.target]
        case ast.While():
            kind, value = "while", statement.test
        case ast.Expr():
            kind, value = "effect", statement.value
        case ast.Pass():
            kind = "pass"
        case _:
            kind = "jump" if isinstance(statement, _JUMPS) else "other"
    return _collect(statement, marked, kind, targets, value)


def _collect(statement: ast.stmt, marked: bytes, kind: str, targets: list[ast.expr], value: ast.expr | None) -> Line:
    reads, changes, parameters, calls = set[str](), set[str](), set[str](), set[str]()
    assigned = tuple(local_of(target) for target in targets)
    pure, weight, owner = kind not in ("effect", "other"), 0, ""
    for node in ast.walk(statement):
        if isinstance(node, ast.Name):
            letter = node.id[0]
            if letter == "þ":
                parameters.add(node.id[1:-1])
            elif letter == "ß" and (isinstance(node.ctx, ast.Load) or kind == "change"):
                reads.add(node.id[1:])
        elif isinstance(node, ast.Call):
            name = function_of(node)
            if name[0] == "@":
                calls.add(name[1:])
            elif _CHANGING.match(name):
                changes |= {local_of(argument) for argument in node.args} - {""}
            pure = pure and not _IMPURE.match(name)
        elif isinstance(node, ast.Lambda | ast.Starred | ast.List | ast.ListComp | ast.Dict | ast.JoinedStr):
            pure = False
        weight += isinstance(node, _WEIGHTS)
    for target in targets:
        if not local_of(target):
            base = target
            while isinstance(base, ast.Subscript | ast.Attribute):
                base = base.value
            changes.add(local_of(base))
            owner = local_of(base) or _braced(base)
            kind = kind if local_of(base) else "store"
    if kind == "change":
        changes |= set(assigned)
        owner = owner or assigned[0]
    if kind == "effect" and isinstance(value, ast.Call) and value.args:
        owner = _braced(value.args[0])
    if kind in ("change", "store"):
        assigned = ()
    if kind == "assign" and "" in assigned:
        kind, assigned = "change", tuple(key for key in assigned if key)
    changes.discard("")
    found = (frozenset(reads | changes), frozenset(changes), frozenset(parameters), frozenset(calls))
    return Line(kind, marked, assigned, *found, value=value, pure=pure and kind != "store", weight=weight, owner=owner)
