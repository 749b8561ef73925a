"""A Python file that contains a live kernel and everything that the kernel needs, and runs alone.

The source of the kernel is unchanged where possible. The names in it are looked up as Python does, in the closure and then in
the module, and their definitions are written above the kernel: imports, constants, structs, helper functions with overloads and
custom gradients, and the names that these need. A value captured by a closure becomes a constant; an object of another module
of the same project is copied.

A source is edited in four cases. A header that is not Warp's or contains names that are out of scope is written anew from
Warp's values. A name that means another object elsewhere in the file is replaced. ``module.function`` becomes ``function`` for
modules of the project. An expression of ``wp.static`` whose objects cannot be written is replaced by its value.
"""

from __future__ import annotations
import __future__

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any

import warp as wp

from warpsmith.core.errors import KernelRejected
from warpsmith.core.records.intended_mark import COMMENT, is_marked
from warpsmith.extraction.source import function_headers
from warpsmith.extraction.source.class_text import class_text, struct_text
from warpsmith.extraction.source.definition_text import (
    Edit,
    edited,
    header_lines,
    new_name,
    parse_function,
    source_of,
    with_header,
)
from warpsmith.extraction.source.name_edits import Scope, name_edits
from warpsmith.extraction.source.source_file import SourceFile
from warpsmith.extraction.source.source_names import is_importable, names_in, scope_of, stored_names
from warpsmith.extraction.warp import codegen
from warpsmith.extraction.warp.objects import (
    argument_types,
    compiled_source,
    custom_functions,
    generic_parent,
    python_function,
    static_values,
    written_overloads,
)
from warpsmith.extraction.warp.type_properties import Struct


def standalone_source(kernel: Any, *, replace_statics: bool = False) -> str:
    """Return a whole Python file with ``kernel`` as its only kernel.

    Args:
        kernel: a Warp kernel; of a generic kernel, an overload.
        replace_statics: whether every expression of ``wp.static`` is replaced by its value, for expressions that cannot be
            evaluated outside their project.

    Raises:
        KernelRejected: with stage ``"source"``, if an object that the kernel needs has no source text.
    """
    file = SourceFile(_write_definition, replace_statics)
    name = _write_kernel(file, generic_parent(kernel) or kernel)
    if generic_parent(kernel) is not None:
        types = [file.type_text(annotation) for annotation in argument_types(kernel).values()]
        file.add(f"wp.overload({name}, [{', '.join(types)}])")
    return file.text()


def _write_kernel(file: SourceFile, kernel: Any) -> str:
    source = compiled_source(kernel)
    name = parse_function(source).name
    file.reserve(name, kernel)
    options = {key: file.expression(value) for key, value in codegen.other_options(kernel).items()}
    if options:  # before the kernel: Warp applies the options of a module to all of its kernels
        file.add(f"wp.set_module_options({{{', '.join(f'{key!r}: {text}' for key, text in options.items())}}})")
    text = _Function(file, python_function(kernel), source, name, kernel)
    file.add(text.write(lambda: function_headers.kernel_header(file, kernel, name), copy_header=not options))
    return name


def _write_definition(file: SourceFile, value: Any, name: str) -> None:
    if isinstance(value, wp.Function):
        _write_warp_function(file, value, name)
    elif isinstance(value, Struct):
        file.add(struct_text(file, value, name))
    elif isinstance(value, type):
        file.add(class_text(file, value, name))
    else:
        source = source_of(value)
        if _needs_its_project(parse_function(source)):
            raise KernelRejected("source", f"{name} changes the functions that it defines, or imports modules of the project")
        file.add(_Function(file, value, source, name, None).write(None))


def _needs_its_project(tree: ast.FunctionDef) -> bool:
    """Return whether a plain function imports modules of a project, or gives decorators or attributes to its functions.

    What such a function returns to ``wp.static`` can be written where the function itself cannot.
    """
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom() if node.level or not is_importable(node.module or ""):
                return True
            case ast.Import() if not all(is_importable(alias.name) for alias in node.names):
                return True
            case ast.FunctionDef() if node.decorator_list and not function_headers.can_be_copied(node):
                return True
            case ast.Attribute(ast.Name(name), ctx=ast.Store()) if name in functions:
                return True
    return False


def _write_warp_function(file: SourceFile, function: Any, name: str) -> None:
    """Write all overloads of a function, each with its custom gradient and replay."""
    for overload in written_overloads(function):
        _write_overload(file, overload, name, None)
        for decorator, custom in custom_functions(overload):
            custom_name = file.unused(python_function(custom).__name__, python_function(custom))
            file.reserve(custom_name, custom)
            _write_overload(file, custom, custom_name, f"@wp.{decorator}({name})")


def _write_overload(file: SourceFile, function: Any, name: str, decorator: str | None) -> None:
    text = _Function(file, python_function(function), compiled_source(function), name, function)
    file.add(text.write(lambda: function_headers.function_header(file, function, name, decorator)))


class _Function:
    """The source of one function, whose names are defined in the file and replaced where the file has others.

    Args:
        file: the file.
        function: the Python function.
        source: its source.
        name: its name in the file.
        item: the kernel or function of Warp that was made from it; None for a plain Python function.
    """

    def __init__(self, file: SourceFile, function: FunctionType, source: str, name: str, item: Any) -> None:
        self._file, self._function, self._source, self._name, self._item = file, function, source, name, item
        self._tree = parse_function(source)
        self._scope = scope_of(function)
        self._local = frozenset({self._tree.name})
        self._statics = static_values(item) if item is not None else {}

    def write(self, new_header: Callable[[], str] | None, *, copy_header: bool = True) -> str:
        """Return the text of the function.

        Args:
            new_header: returns a header written from Warp's values; None for plain Python functions, whose header is copied.
            copy_header: whether the header may be copied.
        """
        text = self._written(new_header, copy_header)
        return f"{COMMENT}\n{text}" if is_marked(header_lines(self._function)) and not is_marked(text) else text

    def _written(self, new_header: Callable[[], str] | None, copy_header: bool) -> str:
        edits: list[Edit] | None = None
        if copy_header or new_header is None:
            try:
                with self._file.attempt():
                    edits = self._header_edits(is_plain=new_header is None)
            except KernelRejected:
                if new_header is None:
                    raise
        body = self._body_edits()
        if edits is not None or new_header is None:
            return edited(self._source, [*(edits or ()), *body])
        header = new_header()
        source = edited(self._source, body)
        return with_header(parse_function(source), source, header)

    def _header_edits(self, is_plain: bool) -> list[Edit]:
        """Return the edits of the header.

        Raises:
            KernelRejected: if the header cannot be copied.
        """
        tree, function = self._tree, self._function
        if not is_plain and not function_headers.can_be_copied(tree):
            raise KernelRejected("source", "a decorator is not Warp's")
        if not is_plain and function_headers.has_computed_options(tree):
            raise KernelRejected("source", "an option of the kernel is computed")
        in_closure = "<locals>" in function.__qualname__ and not is_plain
        if in_closure and not function_headers.has_declared_types(self._item, tree):
            raise KernelRejected("source", "an annotation is out of scope")
        scope = Scope(self._scope, self._local)
        edits = [edit for node in function_headers.header_nodes(tree) for edit in name_edits(self._file, node, scope)]
        unknown = {name for node in function_headers.header_nodes(tree) for name in names_in(node)} - set(self._scope)
        if unknown:
            raise KernelRejected("source", f"{', '.join(sorted(unknown))} out of scope")
        if edits and any(function_headers.is_quoted(argument) for argument in function_headers.arguments_of(tree)):
            raise KernelRejected("source", "an annotation that is a string cannot be edited")
        if function.__code__.co_flags & __future__.annotations.compiler_flag:
            self._file.postponed_annotations = True
        if self._name != tree.name:
            edits.append(new_name(tree, self._source, self._name))
        return edits

    def _body_edits(self) -> list[Edit]:
        arguments = {argument.arg for argument in function_headers.arguments_of(self._tree)}
        stored = {name for statement in self._tree.body for name in stored_names(statement)}
        scope = Scope(self._scope, self._local | arguments | stored, self._item is not None, self._statics)
        return [edit for statement in self._tree.body for edit in name_edits(self._file, statement, scope)]
