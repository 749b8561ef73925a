"""A live kernel -> one Python file that holds it and all it needs, and runs alone.

The kernel's own source is kept as its author wrote it. What it names is looked up where Python would look, in the closure,
then in the module, and written above it: imports, constants, structs, helper functions with their overloads and custom
gradients, and so on from these. A value captured by a closure becomes a constant; an object of another module of the same
project is copied in.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import enum
import inspect
import sys
import textwrap
import typing
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import warp as wp

from warpsmith.core.errors import KernelRejected
from warpsmith.core.records.python_source import NotPythonError, parse_python
from warpsmith.extraction.source_repr import source_repr, type_repr
from warpsmith.extraction.warp.types import Struct

_IMPORTABLE = {"warp", "numpy", "typing_extensions"}
_MISSING = object()


def standalone_source(kernel: Any) -> str:
    """Return a whole Python file with ``kernel`` as its only kernel.

    Raises:
        KernelRejected: with stage ``"source"``, if something the kernel needs cannot be written down.
    """
    file = _File()
    parent = kernel.generic_parent or kernel
    file.add_kernel(parent)
    if kernel.generic_parent is not None:
        types = [file.type_text(kind) for kind in kernel.adj.arg_types.values()]
        file.blocks.append(f"wp.overload({parent.func.__name__}, [{', '.join(types)}])\n")
    return file.text()


class _File:
    """The file being written: imports, then blocks in the order in which they are needed."""

    def __init__(self) -> None:
        self.imports: dict[str, str] = {}
        self.blocks: list[str] = []
        self.bound: dict[str, Any] = {}
        self.namespaces: set[str] = set()
        self.postponed_annotations = False
        self.bind("wp", wp)

    def text(self) -> str:
        future = ["from __future__ import annotations\n\n"] if self.postponed_annotations else []
        text = "".join([*future, *(f"{line}\n" for line in sorted(self.imports.values()))])
        previous = ""
        for block in self.blocks:
            together = _is_plain(previous) and _is_plain(block)
            text += block if together else f"\n\n{block}"
            previous = block
        return text

    # ------------------------------------------------------------------------------------------------- what a name stands for

    def bind(self, name: str, value: Any) -> None:
        """Make ``name`` stand for ``value`` in the file."""
        if name in self.bound:
            if self.bound[name] is not value and not _same_constant(self.bound[name], value):
                raise KernelRejected("source", f"two different objects are called {name!r}")
            return
        self.bound[name] = value
        if isinstance(value, ModuleType):
            self._bind_module(name, value)
        elif isinstance(value, wp.Function):
            self._bind_function(name, value)
        elif isinstance(value, Struct):
            self._add_class(name, value.cls)
        elif isinstance(value, enum.Enum):
            self.bind(type(value).__name__, type(value))
            self.blocks.append(f"{name} = {type(value).__name__}.{value.name}\n")
        elif line := _import_line(name, value):
            self.imports[name] = line
        elif (text := source_repr(value) or type_repr(value)) is not None:
            self._need_structs(value)
            self.blocks.append(f"{name} = {text}\n")
        elif isinstance(value, FunctionType):
            self._add_definition(value, name)
        elif isinstance(value, type):
            self._add_class(name, value)
        else:
            raise KernelRejected("source", f"{name!r} is a {type(value).__name__}, which cannot be written as source text")

    def _bind_module(self, name: str, module: ModuleType) -> None:
        path = module.__name__
        self.imports[name] = f"import {path}" if path == name else f"import {path} as {name}"

    def _bind_function(self, name: str, function: Any) -> None:
        if function.is_builtin():
            self.blocks.append(f"{name} = wp.{function.key}\n")
            return
        overloads = {**function.user_overloads, **function.user_templates} or {"": function}
        written = [overload for overload in overloads.values() if overload.generic_parent is None]
        for overload in sorted(written, key=lambda overload: overload.func.__code__.co_firstlineno):
            self._add_definition(overload.func, name, overload)
            for custom in (overload.custom_grad_func, overload.custom_replay_func):
                if custom is not None:
                    self._add_definition(custom.func, custom.func.__name__, custom)
        if name != function.func.__name__:
            self.blocks.append(f"{name} = {function.func.__name__}\n")

    def type_text(self, kind: Any) -> str:
        """Return the source text of an argument type, defining the structs it names."""
        text = type_repr(kind)
        if text is None:
            raise KernelRejected("source", f"the type {kind!r} cannot be written as source text")
        self._need_structs(kind)
        return text

    def _need_structs(self, kind: Any) -> None:
        struct = getattr(kind, "dtype", kind)
        if isinstance(struct, Struct):
            self.bind(struct.cls.__name__, struct)

    # -------------------------------------------------------------------------------------------------------- definitions

    def add_kernel(self, kernel: Any) -> None:
        source = textwrap.dedent(kernel.adj.source)
        tree = _parse_definition(source)
        self._postpone(kernel.func)
        decorators = [ast.unparse(node) for node in tree.decorator_list]
        resolved = self._resolve_header(kernel.func, tree)
        if not resolved or not decorators:
            source = _with_header(tree, source, self._kernel_decorator(kernel), self._annotations(kernel.adj))
        self._resolve_body(kernel.func, tree)
        self.bound[tree.name] = kernel
        self.blocks.append(source if source.endswith("\n") else source + "\n")

    def _kernel_decorator(self, kernel: Any) -> str:
        options = ", ".join(f"{key}={source_repr(value)}" for key, value in kernel.options.items() if source_repr(value))
        return f"@wp.kernel({options})" if options else "@wp.kernel"

    def _annotations(self, adjoint: Any) -> dict[str, str]:
        return {name: self.type_text(kind) for name, kind in adjoint.arg_types.items() if name != "return"}

    def _add_definition(self, function: FunctionType, name: str, warp_function: Any = None) -> None:
        """Write the ``def`` of a Warp function, a custom gradient or a plain Python function."""
        source = textwrap.dedent(_source_of(function))
        tree = _parse_definition(source)
        self._postpone(function)
        self.bound.setdefault(tree.name, self.bound.get(name))
        if not self._resolve_header(function, tree) and warp_function is not None:
            source = _with_header(tree, source, self._function_decorator(warp_function), self._annotations(warp_function.adj))
        self._resolve_body(function, tree)
        self.blocks.append(source)

    def _function_decorator(self, function: Any) -> str:
        if function.native_snippet is None:
            return "@wp.func"
        parts = [function.native_snippet, function.adj_native_snippet, function.replay_snippet]
        return f"@wp.func_native({', '.join(repr(part) for part in parts)})"

    def _add_class(self, name: str, cls: type) -> None:
        source = textwrap.dedent(_source_of(cls))
        tree = parse_python(source).body[0]
        scope = {**vars(builtins), **vars(sys.modules[cls.__module__])}
        for used in _names(tree):
            if used != name and used in scope and used not in vars(builtins):
                self.bind(used, scope[used])
        self.blocks.append(source)
        if name != cls.__name__:
            self.blocks.append(f"{name} = {cls.__name__}\n")

    def _postpone(self, function: FunctionType) -> None:
        if function.__code__.co_flags & __future__.annotations.compiler_flag:
            self.postponed_annotations = True

    # ---------------------------------------------------------------------------------------------------- what it needs

    def _resolve_header(self, function: FunctionType, tree: ast.FunctionDef) -> bool:
        """Bind what decorators, annotations and defaults name; False if something there is out of reach."""
        arguments = [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]
        annotations = [_unquoted(argument.annotation) for argument in arguments if argument.annotation]
        header = [*tree.decorator_list, *annotations, *tree.args.defaults]
        if tree.returns is not None:
            header.append(_unquoted(tree.returns))
        scope = _scope(function)
        used = {name for node in header for name in _names(node)} - set(vars(builtins))
        if not used <= set(scope):
            return False
        for node in header:
            self._bind_names(node, scope, tree.name, frozenset())
        return True

    def _resolve_body(self, function: FunctionType, tree: ast.FunctionDef) -> None:
        arguments = {argument.arg for argument in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)}
        stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        scope = _scope(function)
        for statement in tree.body:
            self._bind_names(statement, scope, tree.name, frozenset(arguments | stored))

    def _bind_names(self, node: ast.AST, scope: dict[str, Any], own: str, local: frozenset[str]) -> None:
        for chain in _chains(node):
            name = chain[0]
            if name in local or name == own or name not in scope or scope[name] is getattr(builtins, name, _MISSING):
                continue
            value = scope[name]
            if isinstance(value, ModuleType) and not _is_importable(value.__name__):
                self._bind_attribute(name, value, chain[1:])
            else:
                self.bind(name, value)

    def _bind_attribute(self, name: str, module: ModuleType, attributes: tuple[str, ...]) -> None:
        """Copy ``name.attribute`` in, and let ``name`` be a plain namespace that carries it."""
        value, depth = _follow(module, attributes)
        if isinstance(value, ModuleType) or depth != 1:
            raise KernelRejected("source", f"{'.'.join((name, *attributes))} reaches through a module that is not installed")
        attribute = attributes[0]
        if name not in self.namespaces:
            if name in self.bound:
                raise KernelRejected("source", f"{name!r} is used as a module and as a namespace")
            self.namespaces.add(name)
            self.bound[name] = module
            self.imports["SimpleNamespace"] = "from types import SimpleNamespace"
            self.blocks.append(f"{name} = SimpleNamespace()\n")
        own_name = getattr(getattr(value, "func", None), "__name__", attribute)
        first = own_name not in self.bound
        self.bind(own_name, value)
        if first:
            self.blocks.append(f"{name}.{attribute} = {own_name}\n")


def _import_line(name: str, value: Any) -> str | None:
    """Return how to import ``value`` from an installed module under ``name``, or None if it is not a public name of one."""
    if getattr(typing, name, _MISSING) is value:
        return f"from typing import {name}"
    module, attribute = str(getattr(value, "__module__", "")), str(getattr(value, "__name__", ""))
    if not _is_importable(module) or "._" in module or getattr(sys.modules.get(module), attribute, _MISSING) is not value:
        return None
    return f"from {module} import {attribute}" + ("" if attribute == name else f" as {name}")


def _is_plain(block: str) -> bool:
    """Whether a block is one line, a constant or an alias, which stands with its like."""
    return block.count("\n") == 1


def _same_constant(left: Any, right: Any) -> bool:
    text = source_repr(left)
    return text is not None and text == source_repr(right)


def _is_importable(module: str) -> bool:
    root = module.partition(".")[0]
    return root in _IMPORTABLE or root in sys.stdlib_module_names


def _scope(function: FunctionType) -> dict[str, Any]:
    """Return what names mean inside ``function``: its globals, and over them the closure."""
    scope = {**vars(builtins), **function.__globals__}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            scope[name] = cell.cell_contents
        except ValueError:
            scope.pop(name, None)  # a cell that is still empty: the name is assigned later, if ever
    return scope


def _source_of(definition: Any) -> str:
    try:
        return inspect.getsource(definition)
    except (OSError, TypeError) as error:
        raise KernelRejected("source", f"no source text for {definition!r}: {error}") from error


def _parse_definition(source: str) -> ast.FunctionDef:
    try:
        (tree,) = parse_python(source).body
    except NotPythonError as error:
        raise KernelRejected("source", f"the source of a function does not parse: {error}") from error
    if not isinstance(tree, ast.FunctionDef):
        raise KernelRejected("source", "the source is not a function definition")
    return tree


def _unquoted(annotation: ast.expr) -> ast.expr:
    """Return the expression inside an annotation that is written as a string."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return ast.parse(annotation.value, mode="eval").body
    return annotation


def _with_header(tree: ast.FunctionDef, source: str, decorator: str, annotations: dict[str, str]) -> str:
    """Return ``source`` with another decorator and other annotations, its body untouched.

    The header of a function made in a closure can name what is out of reach afterwards; Warp knows what it evaluated to.
    """
    arguments = ", ".join(f"{name}: {kind}" for name, kind in annotations.items())
    body = source.splitlines(keepends=True)[tree.body[0].lineno - 1 :]
    return f"{decorator}\ndef {tree.name}({arguments}):\n" + "".join(body)


def _chains(node: ast.AST) -> Iterator[tuple[str, ...]]:
    """Yield every name that ``node`` reads, with the attributes behind it: ``a.b.c`` as ``("a", "b", "c")``."""
    if isinstance(node, ast.Attribute):
        attributes: list[str] = []
        inner: ast.expr = node
        while isinstance(inner, ast.Attribute):
            attributes.append(inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name):
            yield (inner.id, *reversed(attributes))
            return
    if isinstance(node, ast.Name):
        yield (node.id,)
    for child in ast.iter_child_nodes(node):
        yield from _chains(child)


def _names(node: ast.AST) -> Iterator[str]:
    return (chain[0] for chain in _chains(node))


def _follow(value: Any, attributes: tuple[str, ...]) -> tuple[Any, int]:
    """Follow ``attributes`` while they lead through modules; return what is reached and how many were followed."""
    depth = 0
    for attribute in attributes:
        if not isinstance(value, ModuleType):
            break
        value = getattr(value, attribute, _MISSING)
        depth += 1
    return value, depth
