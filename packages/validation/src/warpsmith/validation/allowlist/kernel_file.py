"""An allow list for the Python of a pair, over its syntax tree: loading it may define kernels and nothing else.

The list is the first of two defences: Python that passes is still loaded in a sandboxed worker only.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from warpsmith.core.records.syntax_walks import walk
from warpsmith.validation.allowlist.annotations import TypeNames, type_names
from warpsmith.validation.allowlist.decorators import decorator_violations, runs_on_device
from warpsmith.validation.allowlist.load_calls import BUILTINS, Callees, call_violations
from warpsmith.validation.allowlist.members import ENUMS, chain_violations, dotted, may_import, module_names
from warpsmith.validation.allowlist.project_names import is_member, is_named_as_module, is_private_constant, is_special
from warpsmith.validation.allowlist.strings import exempt_strings, hidden_character, static_violations, string_violations
from warpsmith.validation.allowlist.text_values import TextValues, text_values

MODULES = frozenset(
    """
    warp warp.types warp.fem warp.sparse warp.utils math typing typing_extensions types enum numpy __future__
    """.split()
)
"""The modules that a file may import."""

_MODULE_NAMES = {"wp", "warp", "np", "numpy", "math", "typing", "types", "enum"}

_ALIASES = {"numpy": {"np"}, "warp": {"wp"}}

_PROTECTED = frozenset(BUILTINS) | _MODULE_NAMES
"""Names that a file may not rebind."""

_FORBIDDEN = (
    frozenset(dir(builtins)) - frozenset(BUILTINS) - {"True", "False", "None", "Ellipsis", "NotImplemented", "object", "type"}
)
"""Builtins of Python that code which runs at loading may not name."""

_STATEMENTS = (
    *(ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.If, ast.For, ast.While, ast.Expr, ast.Pass, ast.Break),
    *(ast.Continue, ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assert),
)

_EXPRESSIONS = (
    *(ast.Attribute, ast.BinOp, ast.BoolOp, ast.Call, ast.Compare, ast.Constant, ast.Dict, ast.DictComp, ast.GeneratorExp),
    *(ast.IfExp, ast.List, ast.ListComp, ast.Name, ast.Set, ast.SetComp, ast.Slice, ast.Starred, ast.Subscript, ast.Tuple),
    ast.UnaryOp,
)


@dataclass(frozen=True)
class _Names:
    """The meanings of a file's names.

    Attributes:
        definitions: classes, plain functions and namespaces of the file.
        types: types of the file, and its modules.
        callees: what calls may mean.
    """

    definitions: set[str]
    types: TypeNames
    callees: Callees


def source_violation(source: str, tree: ast.Module) -> str | None:
    """Return why a file must not be loaded, or None if it may.

    Args:
        source: the text.
        tree: its syntax tree.
    """
    return (
        hidden_character(source)
        or violation(tree)
        or next(static_violations(_possible_static_calls(source, tree), source), None)
    )


def _possible_static_calls(source: str, tree: ast.Module) -> Iterable[ast.AST]:
    # Python reads some letters beyond ASCII as letters of ASCII.
    return walk(tree) if "static" in source or not source.isascii() else ()


def violation(tree: ast.Module) -> str | None:
    """Return what in the syntax tree of a file forbids to load it, or None; `source_violation` checks the text as well."""
    return next(_violations(tree), None)


def _violations(tree: ast.Module) -> Iterator[str]:
    definitions = {
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef) or (isinstance(node, ast.FunctionDef) and not runs_on_device(node))
    }
    definitions |= {name for node in tree.body if (name := _namespace(node))}
    nodes = walk(tree)
    modules = module_names(nodes)
    host_nodes = list(_host_nodes(tree))
    annotations = list(_annotations(nodes, host_nodes))
    types = type_names(tree, modules, host_nodes)
    names = _Names(definitions, types, _callees(tree, definitions, types, text_values(host_nodes, annotations)))
    for statement in tree.body:
        yield from _statement(statement, names)
    yield from _everywhere(nodes, names)
    yield from chain_violations(nodes, modules, None)
    yield from string_violations(nodes, exempt_strings(nodes, annotations))


def _callees(tree: ast.Module, definitions: set[str], types: TypeNames, texts: TextValues) -> Callees:
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    enumerations = frozenset(node.name for node in classes if node.bases)
    return Callees(types, frozenset(definitions), frozenset(node.name for node in classes), enumerations, texts)


def _everywhere(nodes: list[ast.AST], names: _Names) -> Iterator[str]:
    """Yield the violations of names and of ``wp.static``, which matter in device code too."""
    calls = set()
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not is_private_constant(node, names.definitions):
            yield f"line {node.lineno}: attribute {node.attr!r}"
        if isinstance(node, ast.Name) and (node.id == "static" or is_special(node.id)):
            yield f"line {node.lineno}: name {node.id!r}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "static":
            calls.add(node.func)
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                yield from _expression(argument, names)
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr == "static" and node not in calls:
            yield f"line {node.lineno}: static under another name"


def _host_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes outside the arguments and the bodies of device functions."""
    yield node
    if not (isinstance(node, ast.FunctionDef) and runs_on_device(node)):
        for child in ast.iter_child_nodes(node):
            yield from _host_nodes(child)


def _annotations(nodes: list[ast.AST], host_nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """Yield the annotations that Python or Warp evaluates."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            yield from (annotation for annotation in (*_of_arguments(node), node.returns) if annotation is not None)
    yield from (node.annotation for node in host_nodes if isinstance(node, ast.AnnAssign))


def _arguments(node: ast.FunctionDef) -> list[ast.arg]:
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return every + [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]


def _of_arguments(node: ast.FunctionDef) -> list[ast.expr | None]:
    return [argument.annotation for argument in _arguments(node)]


def _namespace(node: ast.stmt) -> str | None:
    """Return the name in ``name = SimpleNamespace(…)``, which contains members of another module; otherwise None."""
    match node:
        case ast.Assign([ast.Name(name)], ast.Call(ast.Name("SimpleNamespace"))):
            return name
    return None


def _statement(node: ast.stmt, names: _Names) -> Iterator[str]:
    """Yield the violations of a statement that loading runs."""
    match node:
        case ast.Import() | ast.ImportFrom():
            yield from _import(node, names)
        case ast.FunctionDef():
            yield from _binding(node, node.name, set())
            yield from _function(node, names)
        case ast.ClassDef():
            yield from _class(node, names)
        case ast.Assign([ast.Name(name)], value) if _namespace(node) and name not in _PROTECTED:
            yield from _expression(value, names)
        case ast.AnnAssign(target, annotation, value):
            yield from names.types.violation(annotation)
            if value is not None:
                yield from _expression(target, names)
                yield from _expression(value, names)
        case ast.Expr(value):
            if not isinstance(value, ast.Constant):
                yield from _expression(value, names)
        case _ if isinstance(node, _STATEMENTS):
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.stmt):
                    yield from _statement(child, names)
                elif isinstance(child, ast.expr):
                    yield from _expression(child, names)
        case _:
            yield f"line {node.lineno}: a {type(node).__name__} statement"


def _import(node: ast.Import | ast.ImportFrom, names: _Names) -> Iterator[str]:
    for name in node.names:
        if isinstance(node, ast.Import):
            if name.name not in MODULES:
                yield f"line {node.lineno}: import of {name.name}"
            if (
                name.asname
                and name.asname not in _ALIASES.get(name.name, set())
                and name.asname in _PROTECTED | names.definitions
            ):
                yield f"line {node.lineno}: {name.name} under the name {name.asname}"
            continue
        module = node.module or ""
        if node.level or module not in MODULES:
            yield f"line {node.lineno}: import from {module}"
        elif not may_import(module, name.name):
            yield f"line {node.lineno}: import of {name.name} from {module}"
        if name.asname is None and name.name in BUILTINS and module in ("types", "warp", "numpy", "math"):
            continue  # pure functions and types of the same name
        yield from _binding(node, name.asname or name.name, names.definitions)


def _class(node: ast.ClassDef, names: _Names) -> Iterator[str]:
    """Yield the violations of a class: a struct, an enumeration or a group of constants, all without methods."""
    if not is_named_as_module(node, names.types.modules):
        yield from _binding(node, node.name, set())
    yield from (f"line {node.lineno}: class with {keyword.arg}" for keyword in node.keywords)
    yield from _type_parameters(node)
    yield from decorator_violations(node)
    for base in node.bases:
        name = dotted(base)
        if name.removeprefix("enum.") not in ENUMS or (name in names.definitions) or node.decorator_list:
            yield f"line {node.lineno}: class with the base {ast.unparse(base)[:40]}"
    for statement in node.body:
        match statement:
            case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)) if is_member(name):
                yield from _statement(statement, names)
            case ast.Expr(ast.Constant()) | ast.Pass():
                pass
            case _:
                yield f"line {statement.lineno}: a {type(statement).__name__} in a class"


def _binding(node: ast.stmt | ast.expr | ast.arg, name: str, definitions: set[str]) -> Iterator[str]:
    if name in _PROTECTED or name in definitions or name in _FORBIDDEN:
        yield f"line {node.lineno}: another meaning for {name}"


def _type_parameters(node: ast.FunctionDef | ast.ClassDef) -> Iterator[str]:
    if getattr(node, "type_params", ()):  # from Python 3.12
        yield f"line {node.lineno}: type parameters of {node.name}"


def _function(node: ast.FunctionDef, names: _Names) -> Iterator[str]:
    yield from _type_parameters(node)
    yield from decorator_violations(node)
    for annotation in (*_of_arguments(node), node.returns):
        yield from names.types.violation(annotation)
    for default in (*node.args.defaults, *node.args.kw_defaults):
        if default is not None:
            yield from _expression(default, names)
    if not runs_on_device(node):
        for argument in _arguments(node):
            yield from _binding(argument, argument.arg, names.definitions)
        for statement in node.body:  # wp.static may call a plain function
            yield from _statement(statement, names)


def _expression(node: ast.expr, names: _Names) -> Iterator[str]:
    """Yield the violations of an expression that loading runs."""
    parts = walk(node)
    for part in parts:
        match part:
            case ast.Call():
                yield from call_violations(part, names.callees)
            case ast.Attribute(ast.Name(name), ctx=ast.Store()) if name in names.definitions:
                pass
            case ast.Attribute(ctx=ast.Store()):
                yield f"line {part.lineno}: assignment to {dotted(part) or part.attr}"
            case ast.Name(name, ast.Store()):
                yield from _binding(part, name, names.definitions)
            case ast.Name(name) if name in _FORBIDDEN:
                yield f"line {part.lineno}: {name}"
            case ast.BinOp(ast.Constant(str()), ast.Mod()):
                yield f"line {part.lineno}: a formatted string"
            case ast.expr() if not isinstance(part, _EXPRESSIONS):
                yield f"line {node.lineno}: a {type(part).__name__}"
    yield from chain_violations(parts, names.types.modules, names.definitions)
