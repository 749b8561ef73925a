"""Calls of a kernel's Python as CUDA: constructors, builtins, atomic operations and helper functions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from warpsmith.scoring.cuda_writer import array_code, number_forms
from warpsmith.scoring.cuda_writer.builtins import number_calls, rotation_calls, vector_calls
from warpsmith.scoring.cuda_writer.builtins.builtin_rows import CALLS
from warpsmith.scoring.cuda_writer.code_pieces import Code, converted, literal, number
from warpsmith.scoring.cuda_writer.cuda_types import (
    DOUBLE,
    FLOAT,
    INT,
    is_builtin_vector,
    is_number,
    is_pose,
    is_quaternion,
    rotation_of,
    scalar_of,
    size,
    vector,
)
from warpsmith.scoring.cuda_writer.expression_code import Expressions
from warpsmith.scoring.cuda_writer.native_snippets import native_function
from warpsmith.validation.oracle.interpreter.module_values import dotted
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Struct
from warpsmith.validation.oracle.values.value_types import Type, named, sized

CallFunction = Callable[[Expressions, str, list[ast.expr]], Code]
"""Writes the call of a helper function of the file."""

_PYTHON = {"float": FLOAT, "int": INT, "bool": Type(np.bool_)}
_BUILTIN_OF_PYTHON = frozenset({"min", "max", "abs", "round", "pow"})
LOADED = (number_calls, vector_calls, rotation_calls)
"""The modules whose rows the table of builtins has."""


def call_writer(call_function: CallFunction) -> Callable[[Expressions, ast.Call], Code]:
    """Return the function that writes calls; ``call_function`` writes those of helper functions."""

    def write(expressions: Expressions, node: ast.Call) -> Code:
        module, name = expressions.scope.unit.module, dotted(node.func)
        if (chosen := module.chosen(node)) or name in module.functions or _is_native(expressions, name):
            raise_for_keywords(node)
            return call_function(expressions, chosen or name, node.args)
        inner = module.chosen(node.func) if isinstance(node.func, ast.Call) else ""
        if inner:
            return call_function(expressions, inner, node.args)
        if (kind := _constructed(expressions, node.func)) is not None:
            return construct(expressions, kind, node)
        member = module.member(node.func) or (name if name in _BUILTIN_OF_PYTHON else "")
        return _builtin(expressions, member, name, node)

    return write


def _is_native(expressions: Expressions, name: str) -> bool:
    unit = expressions.scope.unit
    return name.isidentifier() and native_function(unit.tree, unit.module, name) is not None


def raise_for_keywords(node: ast.Call) -> None:
    """Raise an error for a call with named arguments."""
    if node.keywords:
        raise Unsupported("a function with named arguments")


def _constructed(expressions: Expressions, func: ast.expr) -> Type | Struct | None:
    """Return the type that a call converts to, or None if the call is none."""
    if isinstance(func, ast.Call) and dotted(func.func) == "type" and len(func.args) == 1:
        kind = expressions.code(func.args[0]).kind
        return kind if isinstance(kind, Type | Struct) else None
    if isinstance(func, ast.Attribute) and func.attr == "dtype" and (array := expressions.array(func.value)) is not None:
        return array.parameter.element
    if isinstance(func, ast.Attribute) and func.attr == "dtype" and isinstance(kind := expressions.code(func.value).kind, Type):
        return scalar_of(kind)
    if isinstance(func, ast.Name) and func.id in _PYTHON:
        return _PYTHON[func.id]
    return expressions.scope.unit.module.type_of(func) if isinstance(func, ast.Name | ast.Attribute) else None


def construct(expressions: Expressions, kind: Type | Struct, node: ast.Call) -> Code:
    """Return a value of a type made from arguments."""
    if isinstance(kind, Struct):
        if node.args or node.keywords:
            raise Unsupported("a struct made from values")
        return Code(f"{expressions.scope.unit.name_of_type(kind)}{{}}", kind)
    if any(keyword.arg != "dtype" for keyword in node.keywords):
        raise Unsupported(f"{kind} made from named values")
    if len(node.args) == 1 and kind == DOUBLE and (constant := expressions.scope.unit.in_double(node.args[0])):
        return constant
    arguments = [expressions.code(argument) for argument in node.args]
    if not kind.shape:
        return converted(arguments[0], kind) if arguments else Code(number(0, kind), kind)
    return of_components(expressions, kind, arguments)


def of_components(expressions: Expressions, kind: Type, arguments: list[Code]) -> Code:
    """Return a vector, matrix, quaternion or pose."""
    library, scalar = expressions.library, scalar_of(kind)
    if not arguments:
        if is_builtin_vector(kind):
            return Code(library.made(kind, [number(0, scalar)] * size(kind)), kind)
        return Code(f"{library.use(kind)}{{}}", kind)
    if all(is_number(argument.kind) for argument in arguments):
        if len(arguments) == size(kind):
            return Code(library.made(kind, [converted(argument, scalar).text for argument in arguments]), kind)
        if len(arguments) == 1 and not is_quaternion(kind):
            return _filled(expressions, kind, converted(arguments[0], scalar))
    kinds = [argument.kind for argument in arguments]
    if is_pose(kind) and kinds == [vector(kind.scalar, 3), rotation_of(kind)]:
        return Code(f"{library.use(kind)}{{{arguments[0].text}, {arguments[1].text}}}", kind)
    if is_quaternion(kind) and kinds == [vector(kind.scalar, 3), scalar]:
        library.add(kind, "make_quat", [(kinds[0], "v"), (scalar, "w")], f"return {library.use(kind)}{{v.x, v.y, v.z, w}};")
        return Code(f"make_quat({arguments[0].text}, {arguments[1].text})", kind)
    if kind.shape == (6,) and kinds == [vector(kind.scalar, 3)] * 2:
        made = library.made(kind, [f"{name}.{axis}" for name in ("top", "bottom") for axis in "xyz"])
        library.add(kind, "spatial_vector", [(kinds[0], "top"), (kinds[0], "bottom")], f"return {made};")
        return Code(f"spatial_vector({arguments[0].text}, {arguments[1].text})", kind)
    if len(arguments) == 1 and isinstance(kinds[0], Type) and kinds[0].shape == kind.shape:
        return arguments[0] if kinds[0] == kind else _cast(expressions, kind, arguments[0])
    raise Unsupported(f"{kind} made from {', '.join(map(str, kinds))}")


def _filled(expressions: Expressions, kind: Type, value: Code) -> Code:
    library, scalar = expressions.library, scalar_of(kind)
    if value.number is not None and (is_builtin_vector(kind) or size(kind) <= 4):
        return Code(library.made(kind, [value.text] * size(kind)), kind)
    name = f"fill_{library.use(kind)}"
    library.each(kind, name, [(scalar, "s")], lambda _: "s")
    return Code(f"{name}({value.text})", kind)


def _cast(expressions: Expressions, kind: Type, value: Code) -> Code:
    library, before = expressions.library, value.kind
    if not isinstance(before, Type):
        raise Unsupported(f"{before} as {kind}")
    target = library.use(scalar_of(kind))
    library.each(kind, f"to_{library.use(kind)}", [(before, "a")], lambda at: f"({target})a{at}")
    return Code(f"to_{library.use(kind)}({value.text})", kind)


def _builtin(expressions: Expressions, name: str, shown: str, node: ast.Call) -> Code:
    if name.startswith("atomic_"):
        return _atomic(expressions, name, node)
    if name == "static" and len(node.args) == 1:
        return _static(expressions, node.args[0])
    if shown == "len" and (array := expressions.array(node.args[0])) is not None:
        return array.size(0)
    if name in ("vector", "matrix", "vec", "mat", "identity"):
        return _sized(expressions, name, node)
    if name == "cast" and len(node.args) == 2:
        raise Unsupported("wp.cast")
    if name in ("quat_identity", "transform_identity") and (node.args or node.keywords):
        scalar = expressions.scope.unit.module.type_of(node.args[0] if node.args else node.keywords[0].value)
        identity = named(name.removesuffix("_identity"))
        if not isinstance(scalar, Type) or identity is None:
            raise Unsupported(name)
        kind = Type(scalar.scalar, identity.shape, identity.kind)
        return Code(expressions.library.made(kind, [number(0, scalar)] * (size(kind) - 1) + [number(1, scalar)]), kind)
    row = CALLS.get(name)
    if row is None or node.keywords:
        raise Unsupported(f"{shown or 'an expression'} as a function" if row is None else f"{shown} with named arguments")
    try:
        return row(expressions.library, [expressions.code(argument) for argument in node.args])
    except (ValueError, IndexError, TypeError):
        raise Unsupported(f"{shown} with such arguments") from None


def _static(expressions: Expressions, node: ast.expr) -> Code:
    value = expressions.scope.unit.module.constant(node)
    if isinstance(value, bool | int | float) and not isinstance(value, np.generic):
        if isinstance(node, ast.Name | ast.Attribute):
            return expressions.code(node)
        if _is_exact(expressions, node, value):
            found = expressions.code(node)
            return replace(found, number=value) if isinstance(value, int) else found
        found = literal(value)
        if isinstance(value, float):  # the shortest text of the number in single precision
            return Code(number(float(str(np.float32(value))), FLOAT), FLOAT, found.precedence, value)
        return found
    return expressions.code(node)


def _is_exact(expressions: Expressions, node: ast.expr, value: bool | int | float) -> bool:
    """Return whether CUDA gets the value of an expression of constants from the expression itself, in single precision."""
    constant = expressions.scope.unit.module.constant
    if isinstance(value, float):
        found = number_forms.in_single(node, constant)
        return found is not None and found.tobytes() == np.float32(value).tobytes()
    return not isinstance(value, bool) and number_forms.in_integers(node, constant) == value


def _sized(expressions: Expressions, name: str, node: ast.Call) -> Code:
    """Return ``wp.vector(a, b)``, ``wp.matrix(…, shape=(2, 3), dtype=float)`` or ``wp.identity(n=3, dtype=float)``."""
    module = expressions.scope.unit.module
    named_arguments = {keyword.arg: keyword.value for keyword in node.keywords}
    dtype = module.type_of(named_arguments.pop("dtype", None))
    length = named_arguments.pop("n", None) or named_arguments.pop("length", None) or named_arguments.pop("shape", None)
    arguments = [expressions.code(argument) for argument in node.args]
    if named_arguments or not isinstance(dtype, Type | None):
        raise Unsupported(f"wp.{name} with such arguments")
    if dtype is None:
        dtype = arguments[0].kind if arguments and isinstance(arguments[0].kind, Type) else None
    if dtype is None or dtype.shape:
        raise Unsupported(f"wp.{name} without a type")
    shape = module.constant(length) if length is not None else len(arguments)
    lengths = shape if isinstance(shape, tuple) else (shape,)
    if name == "identity":
        return vector_calls.identity(expressions.library, sized(dtype, lengths[0], lengths[0]))
    return of_components(expressions, sized(dtype, *lengths), arguments)


def _atomic(expressions: Expressions, name: str, node: ast.Call) -> Code:
    raise_for_keywords(node)
    target, *indices, value = node.args
    array = expressions.array(target)
    if array is None or len(indices) != array.kind.dimensions or name == "atomic_cas":
        raise Unsupported(f"{name} of something else than an element")
    place = array.place([expressions.code(index) for index in indices])
    amount = expressions.code(value)
    return array_code.atomic(expressions.library, name, array, place, amount, expressions.scope.unit.idioms.components)
