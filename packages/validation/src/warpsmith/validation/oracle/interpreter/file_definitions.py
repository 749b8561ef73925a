"""Reads a Python file into its definitions: kernels, helper functions, structs and constants; nothing is executed."""

from __future__ import annotations

import ast

from warpsmith.core.records.python_source import NotPythonError, parse_python
from warpsmith.core.records.syntax_walks import children
from warpsmith.validation.oracle.interpreter.factories import is_factory, made
from warpsmith.validation.oracle.interpreter.module_values import Module, dotted, node_name
from warpsmith.validation.oracle.interpreter.snippets import native_body
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Arrays, Struct
from warpsmith.validation.oracle.values.value_types import Type

LONGEST = 200_000
"""The largest number of characters of a source."""

DEEPEST = 100
"""The largest number of nested levels of syntax."""

_IGNORED_MODULES = frozenset({"typing", "typing_extensions", "__future__", "enum"})

_ENUMERATIONS = frozenset({"Enum", "IntEnum", "enum.Enum", "enum.IntEnum"})


def read_module(source: str) -> Module:
    """Return the definitions of a source.

    Raises:
        Unsupported: if the source is not Python, is too large, or contains statements other than definitions.
    """
    if len(source) > LONGEST:
        raise Unsupported(f"a source of {len(source)} characters")
    try:
        tree = parse_python(source)
    except NotPythonError as error:
        raise Unsupported(f"no Python: {error.cause}") from None
    _check_depth(tree)
    module = Module()
    for statement in tree.body:
        _define(module, statement)
    return module


def _check_depth(tree: ast.AST) -> None:
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        level = children(level)
    if level:
        raise Unsupported(f"syntax nested more than {DEEPEST} levels")


def _define(module: Module, statement: ast.stmt) -> None:
    match statement:
        case ast.Import(names):
            for name in names:
                _import(module, name)
        case ast.ImportFrom(module="warp" | "warp.types", names=names, level=0):
            module.imported.update({name.asname or name.name: name.name for name in names})
        case ast.ImportFrom(module=str() as name, level=0) if name in _IGNORED_MODULES:
            pass
        case ast.FunctionDef():
            _function(module, statement)
        case ast.ClassDef():
            _class(module, statement)
        case ast.Assign([target], value) | ast.AnnAssign(target, _, ast.expr() as value):
            _assign(module, target, value)
        case ast.Expr(ast.Constant()) | ast.Pass():
            pass
        case ast.Expr(ast.Call(func)) if module.member(func) in ("init", "overload"):
            pass  # a generic kernel has the types of its arguments
        case _:
            raise Unsupported(f"a module with {node_name(statement)}")


def _class(module: Module, node: ast.ClassDef) -> None:
    match node:
        case ast.ClassDef(bases=[base]) if dotted(base) in _ENUMERATIONS:
            _enumeration(module, node, is_number=dotted(base).endswith("IntEnum"))
        case ast.ClassDef(bases=[], decorator_list=[]):
            _namespace(module, node)
        case _:
            _struct(module, node)


def _assign(module: Module, target: ast.expr, value: ast.expr) -> None:
    match target, value:
        case ast.Name(name), ast.Call(ast.Name(factory), arguments, []) if factory in module.factories:
            module.functions.setdefault(name, []).append(made(module, module.factories[factory], arguments))
        case ast.Name(name), ast.Name(function) if function in module.functions:
            module.functions.setdefault(name, []).extend(module.functions[function])
        case ast.Name(name), _:
            _constant(module, name, value)
        case ast.Attribute(ast.Name(owner), name), _:
            _constant(module, f"{owner}.{name}", value)
        case _:
            raise Unsupported("a module with an assignment to something else than a name")


def _import(module: Module, name: ast.alias) -> None:
    if name.name == "warp":
        module.warp.add(name.asname or "warp")
    elif name.name == "math":
        module.math.add(name.asname or "math")


def _constant(module: Module, name: str, value: ast.expr) -> None:
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        module.texts[name] = value.value
        return
    try:
        module.constants[name] = module.constant(value)
        if (number := module.number_within(value)) is not None:
            module.untyped[name] = number
    except Unsupported as reason:
        if member := module.member(value):
            module.imported[name] = member  # another name of a builtin, as kernels of wp.map have
        else:
            module.constants[name] = reason  # raised only for a kernel that reads the name


def _function(module: Module, node: ast.FunctionDef) -> None:
    decorators = [decorator.func if isinstance(decorator, ast.Call) else decorator for decorator in node.decorator_list]
    members = [module.member(decorator) for decorator in decorators]
    if members == ["kernel"]:
        module.kernels[node.name] = node
    elif members == ["func"]:
        module.functions.setdefault(node.name, []).append(node)
    elif members == ["func_native"]:
        _native(module, node)
    elif not members and is_factory(module, node):
        module.factories[node.name] = node
    else:
        module.constants[node.name] = Unsupported(f"the function {node.name!r}, which is no kernel and no helper of one")


def _native(module: Module, node: ast.FunctionDef) -> None:
    """Define a native function by its snippet, which is a text of the module."""
    (decorator,) = node.decorator_list
    snippet = decorator.args[0] if isinstance(decorator, ast.Call) and decorator.args else None
    text = module.texts.get(snippet.id) if isinstance(snippet, ast.Name) else getattr(snippet, "value", None)
    try:
        body = native_body(text) if isinstance(text, str) else []
    except Unsupported as reason:
        module.constants[node.name] = reason
        return
    for statement in body:
        if isinstance(statement, ast.Return) and statement.value is not None and node.returns is not None:
            statement.value = ast.Call(node.returns, [statement.value], [])  # converts the value to the declared type
    if body and (node.returns is None) != any(isinstance(statement, ast.Return) for statement in body):
        module.functions.setdefault(node.name, []).append(
            ast.FunctionDef(node.name, node.args, body, decorator_list=[], returns=node.returns)
        )
    else:
        module.constants[node.name] = Unsupported(f"the native function {node.name!r}")


def _namespace(module: Module, node: ast.ClassDef) -> None:
    """Define the members of a class that only holds constants, such as ``grid.width``."""
    module.constants[node.name] = Unsupported(f"the class {node.name!r}")
    for statement in node.body:
        if isinstance(statement, ast.Assign) and isinstance(name := statement.targets[0], ast.Name):
            _constant(module, f"{node.name}.{name.id}", statement.value)


def _enumeration(module: Module, node: ast.ClassDef, *, is_number: bool) -> None:
    """Define ``Mode.ON.value`` and, if the members are numbers, ``Mode.ON``."""
    module.constants[node.name] = Unsupported(f"the enumeration {node.name!r}")
    for statement in node.body:
        if isinstance(statement, ast.Assign) and isinstance(name := statement.targets[0], ast.Name):
            _constant(module, f"{node.name}.{name.id}.value", statement.value)
            if is_number:
                _constant(module, f"{node.name}.{name.id}", statement.value)


def _struct(module: Module, node: ast.ClassDef) -> None:
    members: dict[str, Type | Struct | Arrays] = {}
    reason = "" if [module.member(decorator) for decorator in node.decorator_list] == ["struct"] else "is no struct"
    for statement in node.body:
        match statement:
            case ast.AnnAssign(ast.Name(name), annotation, None) if (member := module.member_type(annotation)) is not None:
                members[name] = member
            case ast.Expr(ast.Constant()) | ast.Pass():
                pass
            case _:
                reason = reason or "holds more than numbers, vectors, structs and arrays"
    if reason:
        module.constants[node.name] = Unsupported(f"the class {node.name!r}, which {reason}")
    else:
        module.structs[node.name] = Struct(node.name, members)
