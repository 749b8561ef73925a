"""Native functions of a file: their C++ snippets are the bodies of device functions."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from warpsmith.scoring.cuda_writer.cuda_types import Kind
from warpsmith.scoring.cuda_writer.text_unit import Unit
from warpsmith.validation.oracle.interpreter.module_values import Module
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.value_types import Type


@dataclass(frozen=True, slots=True)
class NativeFunction:
    """A native function: its definition in Python and its snippet."""

    node: ast.FunctionDef
    snippet: str


def native_function(tree: ast.Module, module: Module, name: str) -> NativeFunction | None:
    """Return the native function with a name, or None if the file has none."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and module.member(decorator.func) == "func_native":
                    return _with_snippet(node, decorator, module)
    return None


def _with_snippet(node: ast.FunctionDef, decorator: ast.Call, module: Module) -> NativeFunction | None:
    snippet = decorator.args[0] if decorator.args else decorator.keywords[0].value
    text = module.texts.get(snippet.id) if isinstance(snippet, ast.Name) else getattr(snippet, "value", None)
    return NativeFunction(node, text) if isinstance(text, str) else None


def native_text(unit: Unit, function: NativeFunction, name: str, kinds: Sequence[Kind]) -> tuple[str, tuple[Kind, ...]]:
    """Return a device function and the types of its values.

    Raises:
        Unsupported: if it uses Warp's headers, or other types than numbers, vectors and matrices.
    """
    node, result = function.node, unit.module.type_of(function.node.returns)
    if "wp::" in function.snippet or len(node.args.args) != len(kinds) or not all(isinstance(kind, Type) for kind in kinds):
        raise Unsupported(f"the native function {name!r}")
    parameters = ", ".join(
        f"{unit.name_of_type(kind)} {argument.arg}" for argument, kind in zip(node.args.args, kinds, strict=True)
    )
    ctype = "void" if result is None else unit.name_of_type(result)
    body = textwrap.indent(textwrap.dedent(function.snippet).strip("\n").rstrip(), " " * unit.idioms.indent)
    text = f"{unit.idioms.device} {ctype} {name}({parameters})\n{{\n{body}\n}}\n"
    return text, () if result is None else (result,)
