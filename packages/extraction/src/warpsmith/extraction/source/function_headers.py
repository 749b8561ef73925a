"""Headers of functions, decorators to colon: which can be copied, and how Warp's values are written as a new one."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from typing import Any

from warpsmith.extraction.source.definition_text import unquoted
from warpsmith.extraction.source.source_file import SourceFile
from warpsmith.extraction.source.source_names import scope_of
from warpsmith.extraction.source.source_repr import type_repr
from warpsmith.extraction.warp.codegen import decorator_options
from warpsmith.extraction.warp.objects import argument_types, inline_hint, native_snippets, python_function

_DECORATORS = {
    f"{warp}.{name}"
    for warp in ("wp", "warp")
    for name in ("kernel", "func", "func_native", "func_grad", "func_replay", "struct")
}
"""The decorators that are copied. Other decorators belong to the project, and end in one of these."""


def arguments_of(tree: ast.FunctionDef) -> list[ast.arg]:
    """Return the arguments of a function."""
    return [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]


def is_quoted(argument: ast.arg) -> bool:
    """Return whether the annotation of an argument is written as a string."""
    return isinstance(argument.annotation, ast.Constant) and isinstance(argument.annotation.value, str)


def header_nodes(tree: ast.FunctionDef) -> Iterator[ast.expr]:
    """Yield the expressions of a header: decorators, annotations, defaults and the type of the result."""
    yield from tree.decorator_list
    yield from (unquoted(argument.annotation) for argument in arguments_of(tree) if argument.annotation)
    yield from (default for default in (*tree.args.defaults, *tree.args.kw_defaults) if default is not None)
    if tree.returns is not None:
        yield unquoted(tree.returns)


def can_be_copied(tree: ast.FunctionDef | ast.ClassDef) -> bool:
    """Return whether a definition has decorators, and all of them are Warp's."""
    texts = [ast.unparse(node.func if isinstance(node, ast.Call) else node) for node in tree.decorator_list]
    return bool(texts) and all(text in _DECORATORS for text in texts)


def has_computed_options(tree: ast.FunctionDef) -> bool:
    """Return whether an option of a kernel, such as ``module=f"sweep_{n}"``, is no literal: pairs have only literals there."""
    options = [
        keyword.value
        for node in tree.decorator_list
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("wp.kernel", "warp.kernel")
        for keyword in node.keywords
    ]
    return any(isinstance(part, ast.Name | ast.JoinedStr) for option in options for part in ast.walk(option))


def has_declared_types(item: Any, tree: ast.FunctionDef) -> bool:
    """Return whether the annotations of a kernel or function of a closure mean the types that Warp has.

    Annotations are evaluated when the closure runs, where a name may have had another value.
    """
    scope, types = scope_of(python_function(item)), argument_types(item)
    for argument in arguments_of(tree):
        if argument.annotation is None:
            continue
        try:
            written = eval(ast.unparse(unquoted(argument.annotation)), scope)  # noqa: S307 - Python has evaluated it, too
        except Exception:  # noqa: BLE001 - the expression is the project's own
            return False
        if type_repr(written, repr) != type_repr(types.get(argument.arg), repr):
            return False
    return True


def kernel_header(file: SourceFile, kernel: Any, name: str) -> str:
    """Return a new header of a kernel."""
    options = ", ".join(f"{key}={file.expression(value)}" for key, value in decorator_options(kernel).items())
    decorator = f"@wp.kernel({options})" if options else "@wp.kernel"
    return f"{decorator}\n{_signature(file, kernel, name)}"


def function_header(file: SourceFile, function: Any, name: str, decorator: str | None) -> str:
    """Return a new header of a Warp function.

    Args:
        file: the file that the header is written to.
        function: the function.
        name: its name in the file.
        decorator: the decorator of custom gradients and replays; None for other functions.
    """
    return f"{decorator or _function_decorator(function)}\n{_signature(file, function, name)}"


def _function_decorator(function: Any) -> str:
    if (snippets := native_snippets(function)) is not None:
        return f"@wp.func_native({', '.join(map(repr, snippets))})"
    hint = inline_hint(function)
    return "@wp.func" if hint is None else f"@wp.func(inline={hint == 'forceinline'})"


def _signature(file: SourceFile, item: Any, name: str) -> str:
    defaults = {
        parameter.name: parameter.default
        for parameter in inspect.signature(python_function(item)).parameters.values()
        if parameter.default is not parameter.empty
    }
    arguments, result = [], ""
    for argument, annotation in argument_types(item).items():
        if argument == "return":
            result = f" -> {file.type_text(annotation)}"
            continue
        default = f" = {file.expression(defaults[argument])}" if argument in defaults else ""
        arguments.append(f"{argument}: {file.type_text(annotation)}{default}")
    return f"def {name}({', '.join(arguments)}){result}:"
