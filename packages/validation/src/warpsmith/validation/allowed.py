"""What the Python of a pair may do when it is loaded: define kernels, and nothing else.

An allow list over the syntax tree. It is the first of two fences: whatever passes is still loaded in a limited child only.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

MODULES = frozenset(
    """
    warp warp.types warp.fem warp.sparse warp.utils math typing typing_extensions types enum numpy __future__
    """.split()
)
"""What may be imported."""

_DECORATORS = {"kernel", "func", "func_native", "func_grad", "func_replay", "struct", "overload"}

_BUILTINS = frozenset(
    """
    bool complex dict enumerate float frozenset int len list max min range round set sorted str sum tuple zip abs
    SimpleNamespace isinstance issubclass any all
    """.split()
)
"""Builtins of Python that a file may call when it is loaded."""

_WARP = _DECORATORS | frozenset(
    """
    constant static types tile bool identity abs min max clamp sign sin cos tan asin acos atan atan2 sinh cosh tanh sqrt
    exp log log2 log10 pow floor ceil round dot cross length normalize radians degrees ref
    """.split()
)
_WARP_TYPE = re.compile(
    r"(indexed|fabric|indexedfabric)?array([1-4]d)?|(vec|mat|quat|transform|spatial_)\w*|u?int\d+|b?float\d+"
)
"""Names of Warp that a file may call when it is loaded: decorators, types, constants and functions of their arguments alone."""

_MODULE_NAMES = {"wp", "warp", "np", "numpy", "math", "typing", "types", "enum"}

_NUMPY = frozenset(
    """
    array float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool_ pi e inf nan sqrt sin cos
    zeros ones eye linspace arange
    """.split()
)

_STATEMENTS = (
    *(ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.If, ast.For, ast.While, ast.Expr, ast.Pass, ast.Break),
    *(ast.Continue, ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assert),
)


def complaint(tree: ast.Module) -> str | None:
    """Return why a file must not be loaded, or None if it may."""
    return next(_complaints(tree), None)


def _complaints(tree: ast.Module) -> Iterator[str]:
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for statement in tree.body:
        yield from _statement(statement, own)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            yield f"line {node.lineno}: attribute {node.attr!r}"
        if isinstance(node, ast.Name) and node.id.startswith("__"):
            yield f"line {node.lineno}: name {node.id!r}"
        if isinstance(node, ast.Call) and _name(node.func) in ("wp.static", "warp.static"):
            for argument in node.args:
                yield from _expression(argument, own)


def _statement(node: ast.stmt, own: set[str]) -> Iterator[str]:
    """Complaints about a statement that loading runs."""
    match node:
        case ast.Import(names):
            yield from (f"line {node.lineno}: import of {name.name}" for name in names if name.name not in MODULES)
        case ast.ImportFrom(module):
            if node.level or module not in MODULES:
                yield f"line {node.lineno}: import from {module}"
        case ast.FunctionDef():
            yield from _function(node, own)
        case ast.ClassDef():
            for expr in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
                yield from _expression(expr, own)
            for statement in node.body:
                yield from _statement(statement, own)
        case ast.Expr(value):
            if not isinstance(value, ast.Constant):
                yield from _expression(value, own)
        case _ if isinstance(node, _STATEMENTS):
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.stmt):
                    yield from _statement(child, own)
                elif isinstance(child, ast.expr):
                    yield from _expression(child, own)
        case _:
            yield f"line {node.lineno}: a {type(node).__name__} statement"


def _function(node: ast.FunctionDef, own: set[str]) -> Iterator[str]:
    arguments = node.args
    annotations = [argument.annotation for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    header = [*node.decorator_list, *annotations, *arguments.defaults, *arguments.kw_defaults, node.returns]
    for expr in header:
        if isinstance(expr, ast.Constant) and isinstance(expr.value, str):
            try:
                expr = ast.parse(expr.value, mode="eval").body  # noqa: PLW2901 - the annotation inside the string
            except SyntaxError:
                continue
        if expr is not None:
            yield from _expression(expr, own)
    names = {_name(decorator.func if isinstance(decorator, ast.Call) else decorator) for decorator in node.decorator_list}
    if not any(name.rpartition(".")[2] in _DECORATORS and name.startswith(("wp.", "warp.")) for name in names):
        for statement in node.body:  # a plain function, which wp.static may call
            yield from _statement(statement, own)


def _expression(node: ast.expr, own: set[str]) -> Iterator[str]:
    """Complaints about an expression that loading runs."""
    for part in ast.walk(node):
        match part:
            case ast.Call(func):
                if not _may_call(_name(func), own):
                    yield f"line {part.lineno}: call of {_name(func) or 'an expression'}"
            case ast.Attribute(ctx=ast.Store()) if _name(part).partition(".")[0] in _MODULE_NAMES:
                yield f"line {part.lineno}: assignment to {_name(part)}"
            case ast.Lambda() | ast.Await() | ast.Yield() | ast.YieldFrom() | ast.NamedExpr() | ast.JoinedStr():
                yield f"line {node.lineno}: a {type(part).__name__}"


def _may_call(name: str, own: set[str]) -> bool:
    root, _, rest = name.partition(".")
    if root in ("wp", "warp"):
        first = rest.split(".")[0]
        return first in _WARP or _WARP_TYPE.fullmatch(first) is not None
    if root in ("np", "numpy"):
        return rest in _NUMPY
    if root == "math":
        return True
    return name in own or name in _BUILTINS


def _name(node: ast.expr) -> str:
    """``a.b.c`` as text, or empty for anything that is no chain of names."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""
