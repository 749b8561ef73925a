"""A Python file that contains a live kernel and everything that the kernel needs, and runs alone.

The source of the kernel is unchanged. The names in it are looked up as Python does, in the closure and then in the module, and
their definitions are written above the kernel: imports, constants, structs, helper functions with overloads and custom
gradients, and the names that these need. A value captured by a closure becomes a constant; an object of another module of the
same project is copied.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import enum
import sys
import textwrap
from types import FunctionType, ModuleType
from typing import Any

import warp as wp

from warpsmith.core.errors import KernelRejected
from warpsmith.core.records.python_source import parse_python
from warpsmith.extraction.definitions import parse_function, source_of, unquoted, with_header
from warpsmith.extraction.source_names import (
    MISSING,
    follow_modules,
    import_line,
    is_importable,
    name_chains,
    names_in,
    scope_of,
)
from warpsmith.extraction.source_repr import source_repr, type_repr
from warpsmith.extraction.warp.types import Struct


def standalone_source(kernel: Any) -> str:
    """Return a whole Python file with ``kernel`` as its only kernel.

    Raises:
        KernelRejected: with stage ``"source"``, if an object that the kernel needs has no source text.
    """
    file = _File()
    parent = kernel.generic_parent or kernel
    file.add_kernel(parent)
    if kernel.generic_parent is not None:
        types = [file.type_text(annotation) for annotation in kernel.adj.arg_types.values()]
        file.blocks.append(f"wp.overload({parent.func.__name__}, [{', '.join(types)}])\n")
    return file.text()


class _File:
    """The file under construction: imports, then blocks in the order of their dependencies."""

    def __init__(self) -> None:
        self.imports: dict[str, str] = {}
        self.blocks: list[str] = []
        self.bound: dict[str, Any] = {}
        self.namespaces: set[str] = set()
        self.postponed_annotations = False
        self.bind("wp", wp)

    def text(self) -> str:
        """Return the text of the file."""
        future = ["from __future__ import annotations\n\n"] if self.postponed_annotations else []
        text = "".join([*future, *(f"{line}\n" for line in sorted(self.imports.values()))])
        previous = ""
        for block in self.blocks:
            is_adjacent = _is_single_line(previous) and _is_single_line(block)
            text += block if is_adjacent else f"\n\n{block}"
            previous = block
        return text

    # --------------------------------------------------------------------------------------------------------- values of names

    def bind(self, name: str, value: Any) -> None:
        """Define ``name`` as ``value`` in the file."""
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
        elif line := import_line(name, value):
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

    def type_text(self, annotation: Any) -> str:
        """Return the source text of an argument type, and define the structs in it."""
        text = type_repr(annotation)
        if text is None:
            raise KernelRejected("source", f"the type {annotation!r} cannot be written as source text")
        self._need_structs(annotation)
        return text

    def _need_structs(self, annotation: Any) -> None:
        struct = getattr(annotation, "dtype", annotation)
        if isinstance(struct, Struct):
            self.bind(struct.cls.__name__, struct)

    # -------------------------------------------------------------------------------------------------------- definitions

    def add_kernel(self, kernel: Any) -> None:
        """Write the kernel, after the definitions that it needs."""
        source = textwrap.dedent(kernel.adj.source)
        tree = parse_function(source)
        self._postpone(kernel.func)
        decorators = [ast.unparse(node) for node in tree.decorator_list]
        resolved = self._resolve_header(kernel.func, tree)
        if not resolved or not decorators:
            source = with_header(tree, source, self._kernel_decorator(kernel), self._annotations(kernel.adj))
        self._resolve_body(kernel.func, tree)
        self.bound[tree.name] = kernel
        self.blocks.append(source if source.endswith("\n") else source + "\n")

    def _kernel_decorator(self, kernel: Any) -> str:
        options = ", ".join(f"{key}={source_repr(value)}" for key, value in kernel.options.items() if source_repr(value))
        return f"@wp.kernel({options})" if options else "@wp.kernel"

    def _annotations(self, adjoint: Any) -> dict[str, str]:
        return {name: self.type_text(annotation) for name, annotation in adjoint.arg_types.items() if name != "return"}

    def _add_definition(self, function: FunctionType, name: str, warp_function: Any = None) -> None:
        """Write the ``def`` of a Warp function, a custom gradient or a plain Python function."""
        source = source_of(function)
        tree = parse_function(source)
        self._postpone(function)
        self.bound.setdefault(tree.name, self.bound.get(name))
        if not self._resolve_header(function, tree) and warp_function is not None:
            source = with_header(tree, source, self._function_decorator(warp_function), self._annotations(warp_function.adj))
        self._resolve_body(function, tree)
        self.blocks.append(source)

    def _function_decorator(self, function: Any) -> str:
        if function.native_snippet is None:
            return "@wp.func"
        parts = [function.native_snippet, function.adj_native_snippet, function.replay_snippet]
        return f"@wp.func_native({', '.join(repr(part) for part in parts)})"

    def _add_class(self, name: str, cls: type) -> None:
        source = source_of(cls)
        tree = parse_python(source).body[0]
        scope = {**vars(builtins), **vars(sys.modules[cls.__module__])}
        for used in names_in(tree):
            if used != name and used in scope and used not in vars(builtins):
                self.bind(used, scope[used])
        self.blocks.append(source)
        if name != cls.__name__:
            self.blocks.append(f"{name} = {cls.__name__}\n")

    def _postpone(self, function: FunctionType) -> None:
        if function.__code__.co_flags & __future__.annotations.compiler_flag:
            self.postponed_annotations = True

    # ---------------------------------------------------------------------------------------------------- names in definitions

    def _resolve_header(self, function: FunctionType, tree: ast.FunctionDef) -> bool:
        """Bind the names in decorators, annotations and defaults; return False if one of them is out of scope."""
        arguments = [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]
        annotations = [unquoted(argument.annotation) for argument in arguments if argument.annotation]
        header = [*tree.decorator_list, *annotations, *tree.args.defaults]
        if tree.returns is not None:
            header.append(unquoted(tree.returns))
        scope = scope_of(function)
        used = {name for node in header for name in names_in(node)} - set(vars(builtins))
        if not used <= set(scope):
            return False
        for node in header:
            self._bind_names(node, scope, tree.name, frozenset())
        return True

    def _resolve_body(self, function: FunctionType, tree: ast.FunctionDef) -> None:
        arguments = {argument.arg for argument in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)}
        stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        scope = scope_of(function)
        for statement in tree.body:
            self._bind_names(statement, scope, tree.name, frozenset(arguments | stored))

    def _bind_names(self, node: ast.AST, scope: dict[str, Any], own: str, local: frozenset[str]) -> None:
        for chain in name_chains(node):
            name = chain[0]
            if name in local or name == own or name not in scope or scope[name] is getattr(builtins, name, MISSING):
                continue
            value = scope[name]
            if isinstance(value, ModuleType) and not is_importable(value.__name__):
                self._bind_attribute(name, value, chain[1:])
            else:
                self.bind(name, value)

    def _bind_attribute(self, name: str, module: ModuleType, attributes: tuple[str, ...]) -> None:
        """Copy the object ``name.attribute``, and define ``name`` as a namespace that contains it."""
        value, depth = follow_modules(module, attributes)
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


def _is_single_line(block: str) -> bool:
    """Return whether a block is one line, a constant or an alias; such blocks follow each other without empty lines."""
    return block.count("\n") == 1


def _same_constant(left: Any, right: Any) -> bool:
    text = source_repr(left)
    return text is not None and text == source_repr(right)
