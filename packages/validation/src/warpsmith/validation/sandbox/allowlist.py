"""An allow list for the Python of a pair, over its syntax tree: loading it may define kernels and nothing else.

The list is the first of two defences: Python that passes is still loaded in a sandboxed worker only.
"""

from __future__ import annotations

import ast
import builtins
import math
import re
from collections.abc import Iterator

MODULES = frozenset(
    """
    warp warp.types warp.fem warp.sparse warp.utils math typing typing_extensions types enum numpy __future__
    """.split()
)
"""The modules that a file may import."""

_DECORATORS = {"kernel", "func", "func_native", "func_grad", "func_replay", "struct", "overload"}

_BUILTINS = frozenset(
    """
    bool complex dict enumerate float frozenset int len list max min range round set sorted str sum tuple zip abs
    SimpleNamespace isinstance issubclass any all
    """.split()
)
"""Builtins of Python that loading a file may call."""

_WARP = _DECORATORS | frozenset(
    """
    constant static types tile bool identity abs min max clamp sign sin cos tan asin acos atan atan2 sinh cosh tanh sqrt
    exp log log2 log10 pow floor ceil round dot cross length normalize radians degrees ref
    """.split()
)
_WARP_TYPE = re.compile(
    r"(indexed|fabric|indexedfabric)?array([1-4]d)?|(vec|mat|quat|transform|spatial_)\w*|u?int\d+|b?float\d+"
)
"""Names of Warp that loading a file may call: decorators, types, constants and pure functions."""

_MODULE_NAMES = {"wp", "warp", "np", "numpy", "math", "typing", "types", "enum"}

_NUMPY = frozenset(
    """
    array float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool_ pi e inf nan sqrt sin cos
    zeros ones eye linspace arange
    """.split()
)

_MEMBERS_OF_TYPES = {"vector", "matrix", "quaternion", "transformation"}

_ALIASES = {"numpy": {"np"}, "warp": {"wp"}}

_PROTECTED = _BUILTINS | _MODULE_NAMES
"""Names that a file may not rebind."""

_FORBIDDEN = frozenset(dir(builtins)) - _BUILTINS - {"True", "False", "None", "Ellipsis", "NotImplemented", "object", "type"}
"""Builtins of Python that code which runs at loading may not name."""

_STATEMENTS = (
    *(ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.If, ast.For, ast.While, ast.Expr, ast.Pass, ast.Break),
    *(ast.Continue, ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assert),
)


def violation(tree: ast.Module) -> str | None:
    """Return why a file must not be loaded, or None if it may."""
    return next(_violations(tree), None)


def _violations(tree: ast.Module) -> Iterator[str]:
    own = {
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef) or (isinstance(node, ast.FunctionDef) and not _runs_on_device(node))
    }
    own |= {name for node in tree.body if (name := _namespace(node))}
    for statement in tree.body:
        yield from _statement(statement, own)
    calls = set()
    nodes = list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            yield f"line {node.lineno}: attribute {node.attr!r}"
        if isinstance(node, ast.Name) and node.id.startswith("__"):
            yield f"line {node.lineno}: name {node.id!r}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "static":
            calls.add(node.func)
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                yield from _expression(argument, own)
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr == "static" and node not in calls:
            yield f"line {node.lineno}: static under another name"


def _namespace(node: ast.stmt) -> str | None:
    """Return the name in ``name = SimpleNamespace(…)``, which contains members of another module; otherwise None."""
    match node:
        case ast.Assign([ast.Name(name)], ast.Call(ast.Name("SimpleNamespace"))):
            return name
    return None


def _statement(node: ast.stmt, own: set[str]) -> Iterator[str]:
    """Yield the violations of a statement that loading runs."""
    match node:
        case ast.Import(names):
            for name in names:
                if name.name not in MODULES:
                    yield f"line {node.lineno}: import of {name.name}"
                yield from _alias(node, name, own, name.name)
        case ast.ImportFrom(module, names):
            if node.level or module not in MODULES:
                yield f"line {node.lineno}: import from {module}"
            for name in names:
                if name.name in ("*", "static"):
                    yield f"line {node.lineno}: import of {name.name} from {module}"
                if name.asname is None and name.name in _BUILTINS and module in ("types", "warp", "numpy", "math"):
                    continue  # pure functions and types of the same name
                yield from _alias(node, name, own, "")
        case ast.FunctionDef():
            yield from _binding(node, node.name, set())
            yield from _function(node, own)
        case ast.ClassDef():
            yield from _binding(node, node.name, set())
            yield from (f"line {node.lineno}: class with {keyword.arg}" for keyword in node.keywords)
            yield from _decorators(node.decorator_list, own)
            for expr in node.bases:
                yield from _expression(expr, own)
            for statement in node.body:
                yield from _statement(statement, own)
        case ast.Assign([ast.Name(name)], value) if _namespace(node) and name not in _PROTECTED:
            yield from _expression(value, own)
        case ast.AnnAssign(target, annotation, value):
            yield from _annotation(annotation, own)
            if value is not None:
                yield from _expression(target, own)
                yield from _expression(value, own)
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


def _alias(node: ast.stmt, name: ast.alias, own: set[str], module: str) -> Iterator[str]:
    if module:
        if name.asname and name.asname not in _ALIASES.get(module, set()) and name.asname in _PROTECTED | own:
            yield f"line {node.lineno}: {module} under the name {name.asname}"
    else:
        yield from _binding(node, name.asname or name.name, own)


def _binding(node: ast.stmt | ast.expr | ast.arg, name: str, own: set[str]) -> Iterator[str]:
    if name in _PROTECTED or name in own or name in _FORBIDDEN:
        yield f"line {node.lineno}: another meaning for {name}"


def _annotation(node: ast.expr | None, own: set[str]) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text, line = node.value, node.lineno
        try:
            node = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError):
            yield f"line {line}: annotation {text[:40]!r}"
            return
    if node is not None:
        yield from _expression(node, own)


def _decorators(decorators: list[ast.expr], own: set[str]) -> Iterator[str]:
    for decorator in decorators:
        name = _name(decorator.func if isinstance(decorator, ast.Call) else decorator)
        if not _may_call(name, own):
            yield f"line {decorator.lineno}: decorator {name or 'that is an expression'}"
        yield from _expression(decorator, own)


def _runs_on_device(node: ast.FunctionDef) -> bool:
    names = {_name(decorator.func if isinstance(decorator, ast.Call) else decorator) for decorator in node.decorator_list}
    return any(root in ("wp", "warp") and rest in _DECORATORS for root, _, rest in (name.partition(".") for name in names))


def _function(node: ast.FunctionDef, own: set[str]) -> Iterator[str]:
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
    yield from _decorators(node.decorator_list, own)
    for annotation in (*(argument.annotation for argument in every), node.returns):
        yield from _annotation(annotation, own)
    for default in (*arguments.defaults, *arguments.kw_defaults):
        if default is not None:
            yield from _expression(default, own)
    if not _runs_on_device(node):
        for argument in every:
            yield from _binding(argument, argument.arg, own)
        for statement in node.body:  # wp.static may call a plain function
            yield from _statement(statement, own)


def _expression(node: ast.expr, own: set[str]) -> Iterator[str]:
    """Yield the violations of an expression that loading runs."""
    for part in ast.walk(node):
        match part:
            case ast.Call(func):
                if not _may_call(_name(func), own):
                    yield f"line {part.lineno}: call of {_name(func) or 'an expression'}"
                yield from (f"line {part.lineno}: a key function" for keyword in part.keywords if keyword.arg in ("key", None))
            case ast.Attribute(ast.Name(name), ctx=ast.Store()) if name in own:
                pass
            case ast.Attribute(ctx=ast.Store()):
                yield f"line {part.lineno}: assignment to {_name(part) or part.attr}"
            case ast.Name(name, ast.Store()):
                yield from _binding(part, name, own)
            case ast.Name(name) if name in _FORBIDDEN:
                yield f"line {part.lineno}: {name}"
            case ast.Lambda() | ast.Await() | ast.Yield() | ast.YieldFrom() | ast.NamedExpr() | ast.JoinedStr():
                yield f"line {node.lineno}: a {type(part).__name__}"


def _may_call(name: str, own: set[str]) -> bool:
    root, _, rest = name.partition(".")
    if root in ("wp", "warp"):
        member = rest.removeprefix("types.")
        if member != rest and member in _MEMBERS_OF_TYPES:
            return True
        return member in _WARP or _WARP_TYPE.fullmatch(member) is not None
    if root in ("np", "numpy"):
        return rest in _NUMPY
    if root == "math":
        return rest in dir(math)
    return name in own or name in _BUILTINS


def _name(node: ast.expr) -> str:
    """Return ``a.b.c`` as text, or an empty string for anything but a chain of names."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""
