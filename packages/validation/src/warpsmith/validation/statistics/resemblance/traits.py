"""Traits of definitions: forms whose frequency tells generated kernels from those of real projects."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from warpsmith.core.records.syntax_walks import walk
from warpsmith.validation.statistics.realism.simple_expressions import warp_name
from warpsmith.validation.statistics.resemblance.definition import Definition

Trait: TypeAlias = Callable[[Definition], bool]

_DOUBLE = re.compile(r"float64|(vec[234]|mat[234]{2}|quat|transform|spatial_(vector|matrix))d")
_HALF = re.compile(r"float16|(vec[234]|mat[234]{2}|quat|transform|spatial_(vector|matrix))h")
_SCALAR = re.compile(r"u?int(8|16|32|64)|float(16|32|64)|bool")
_CLASS = re.compile(r"_*[A-Z]\w*[a-z]\w*")
_WITH_EFFECTS = frozenset({"rand_init", "randf", "randi", "randn", "atomic_add", "atomic_sub", "atomic_max", "atomic_min"})
_UPPER = re.compile(r"[A-Z][A-Z0-9_]*")


def generic(definition: Definition) -> bool:
    """``Any`` in the signature."""
    return any(
        (isinstance(node, ast.Name) and node.id == "Any") or (isinstance(node, ast.Attribute) and node.attr == "Any")
        for annotation in definition.annotations
        for node in walk(annotation)
    )


def double(definition: Definition) -> bool:
    """A type of Warp with 64-bit floats, such as ``wp.float64`` or ``wp.vec3d``."""
    return any(map(_DOUBLE.fullmatch, definition.warp_members))


def half(definition: Definition) -> bool:
    """A type of Warp with 16-bit floats."""
    return any(map(_HALF.fullmatch, definition.warp_members))


def cast_to_type_of(definition: Definition) -> bool:
    """``type(x)(…)``."""
    return any(isinstance(call.func, ast.Call) and _is_name(call.func.func, "type") for call in definition.calls)


def scalar_cast(definition: Definition) -> bool:
    """A call of a scalar type of Warp, such as ``wp.int32(…)``."""
    return any(_SCALAR.fullmatch(warp_name(call) or "") for call in definition.calls)


def cast_to_dtype(definition: Definition) -> bool:
    """``x.dtype(…)``."""
    return any(isinstance(call.func, ast.Attribute) and call.func.attr == "dtype" for call in definition.calls)


def python_cast(definition: Definition) -> bool:
    """``int(…)``, ``float(…)`` or ``bool(…)`` of an expression that is not a literal."""
    return any(
        isinstance(call.func, ast.Name)
        and call.func.id in ("int", "float", "bool")
        and not all(isinstance(argument, ast.Constant) for argument in call.args)
        for call in definition.calls
    )


def static(definition: Definition) -> bool:
    """``wp.static(…)``."""
    return "static" in definition.warp_members


def enumeration(definition: Definition) -> bool:
    """A member in capitals of a name with a capital and small letters, such as ``JointType.FREE``."""
    for node in definition.nodes:
        match node:
            case ast.Attribute(ast.Name(owner) | ast.Attribute(attr=owner), member):
                if _UPPER.fullmatch(member) and _CLASS.fullmatch(owner):
                    return True
    return False


def tuple_of_call(definition: Definition) -> bool:
    """``a, b = f(…)``, except for the thread index."""
    for node in definition.nodes:
        match node:
            case ast.Assign([ast.Tuple()], ast.Call() as call) if warp_name(call) != "tid":
                return True
    return False


def wrapped(definition: Definition) -> bool:
    """A statement in the body, or the head of a control statement, on several lines."""
    return any(first != last for statement in definition.statements for first, last in _spans(statement))


def _spans(statement: ast.stmt) -> Iterator[tuple[int, int | None]]:
    match statement:
        case ast.If(test) | ast.While(test):
            yield test.lineno, test.end_lineno
        case ast.For(iter=iterated):
            yield iterated.lineno, iterated.end_lineno
        case _ if not hasattr(statement, "body"):
            yield statement.lineno, statement.end_lineno


def private(definition: Definition) -> bool:
    """The name of the definition, or of a function of its project that it calls, starts with an underscore."""
    return any(name.startswith("_") for name in (definition.node.name, *definition.called))


def signature_comment(definition: Definition) -> bool:
    """A comment between the brackets of the parameters."""
    return "#" in definition.signature


def long_docstring(definition: Definition) -> bool:
    """A docstring of several lines."""
    text = ast.get_docstring(definition.node, clean=False)
    return text is not None and "\n" in text.strip()


def unread_local(definition: Definition) -> bool:
    """A local that nothing reads but its own assignments, except for those of tuples, loops and calls of functions."""
    alone, changes = set[str](), set[int]()
    for node in definition.nodes:
        match node:
            case ast.Assign([ast.Name(name)], value):
                if not isinstance(value, ast.Call) or warp_name(value) not in (None, "tid", *_WITH_EFFECTS):
                    alone.add(name)
                changes |= {id(inner) for inner in walk(value) if isinstance(inner, ast.Name) and inner.id == name}
    loads = (node for node in definition.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    return bool(alone - {node.id for node in loads if id(node) not in changes})


def folded_constant(definition: Definition) -> bool:
    """A sum, difference or product of two literals."""
    for node in definition.nodes:
        match node:
            case ast.BinOp(ast.Constant(int() | float()), ast.Add() | ast.Sub() | ast.Mult(), ast.Constant(int() | float())):
                return True
    return False


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


TRAITS: dict[str, Trait] = {
    "Any in the signature": generic,
    "64-bit floats": double,
    "16-bit floats": half,
    "type(x)(…)": cast_to_type_of,
    "wp.int32(…)": scalar_cast,
    "x.dtype(…)": cast_to_dtype,
    "int(…), float(…)": python_cast,
    "wp.static": static,
    "Enum.MEMBER": enumeration,
    "tuple from a call": tuple_of_call,
    "wrapped statement": wrapped,
    "_private name": private,
    "comment in the signature": signature_comment,
    "docstring of several lines": long_docstring,
    "local that nothing reads": unread_local,
    "operation of two literals": folded_constant,
}
"""The traits by name; the docstring of a predicate says exactly what it finds."""

OUTSIDE_BODIES = frozenset({"Any in the signature", "_private name", "comment in the signature", "docstring of several lines"})
"""The traits that are not in the body."""
