"""The calls that loading a file may make, and the arguments that each may have.

Warp copies some texts to C++ as they are, such as the one of ``wp.Function(native_func="…")``. No call of Warp therefore
receives a text, see `text_values`, or an argument that the table does not list.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from warpsmith.validation.allowlist.annotations import TypeNames
from warpsmith.validation.allowlist.members import dotted
from warpsmith.validation.allowlist.text_values import TextValues

MANY = 1 << 10
"""More positional arguments than a call needs."""


@dataclass(frozen=True)
class Arguments:
    """The arguments of a call: how many are positional at most, and the names of the other ones; None for all names."""

    positional: int
    keywords: frozenset[str] | None = frozenset()


def _arguments(positional: int, keywords: str = "") -> Arguments:
    return Arguments(positional, frozenset(keywords.split()))


_VALUES = _arguments(
    MANY,
    """
    a angle arr axis b cond dtype e high i j k low m mat n p pitch point position q quat roll rotation scale shape svec t
    value_if_false value_if_true vec x xform y yaw
    """,
)
_TYPE = _arguments(2, "dtype length ndim shape")

_NUMBER = _arguments(1, "x")

_SCALARS = "bool bfloat16 float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64"

_VECTORS = re.compile(r"(?:vec[234]|mat(?:22|33|44)|quat|transform|spatial_(?:vector|matrix))(?:b|d|f|h|i|l|s|ub|ui|ul|us)?")

_FUNCTIONS = """
    identity abs min max clamp sign sin cos tan asin acos atan atan2 sinh cosh tanh sqrt exp log log2 log10 pow floor ceil round
    dot cross length normalize radians degrees add sub mul div floordiv mod neg pos cw_mul cw_div lerp where
    matrix_from_cols matrix_from_rows quat_between_vectors quat_from_axis_angle quat_from_euler quat_from_matrix quat_identity
    quat_inverse quat_rotate quat_rotate_inv quat_rpy quat_slerp quat_to_axis_angle quat_to_euler quat_to_matrix quat_to_rpy
    quat_twist quat_twist_angle quat_twist_angle_signed spatial_bottom spatial_cross spatial_cross_dual spatial_dot spatial_top
    transform_compose transform_decompose transform_expand transform_from_matrix transform_get_rotation
    transform_get_translation transform_identity transform_inverse transform_multiply transform_point transform_set_rotation
    transform_set_translation transform_to_matrix transform_twist transform_vector transform_wrench
"""

_ARRAY = re.compile(r"(?:indexed|fabric|indexedfabric)?array(?:[1-4]d)?|fixedarray|tile")

_WARP: Mapping[str, Arguments] = {
    "constant": _NUMBER,
    "overload": _arguments(2, "kernel arg_types"),
    **dict.fromkeys(_SCALARS.split(), _NUMBER),
    **dict.fromkeys(_FUNCTIONS.split(), _VALUES),
}

_MEMBERS: Mapping[str, Mapping[str, Arguments]] = {
    "warp": _WARP,
    "warp.types": {
        "vector": _TYPE,
        "matrix": _TYPE,
        "quaternion": _TYPE,
        "transformation": _TYPE,
        **dict.fromkeys(_SCALARS.split(), _NUMBER),
    },
    "numpy": {
        **dict.fromkeys(
            "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool_ sqrt sin cos".split(),
            _arguments(1),
        ),
        "array": _arguments(2, "dtype"),
        "zeros": _arguments(2, "shape dtype"),
        "ones": _arguments(2, "shape dtype"),
        "eye": _arguments(2, "dtype"),
        "linspace": _arguments(3, "num dtype endpoint"),
        "arange": _arguments(3, "dtype"),
    },
    "math": {name: _arguments(MANY) for name in dir(math) if not name.startswith("_")},
    "types": {"SimpleNamespace": Arguments(0, None)},
}
"""The members of modules that loading a file may call."""

BUILTINS: Mapping[str, Arguments] = {
    **dict.fromkeys(
        "bool complex float frozenset isinstance issubclass len list range set tuple abs any all str".split(), _arguments(3)
    ),
    "SimpleNamespace": Arguments(0, None),
    "dict": Arguments(1, None),
    "enumerate": _arguments(2, "start"),
    "int": _arguments(2, "base"),
    "max": _arguments(MANY, "default"),
    "min": _arguments(MANY, "default"),
    "round": _arguments(2, "ndigits"),
    "sorted": _arguments(1, "reverse"),
    "sum": _arguments(2, "start"),
    "zip": _arguments(MANY, "strict"),
}
"""Builtins of Python that loading a file may call."""


@dataclass(frozen=True)
class Callees:
    """What the calls of a file may mean.

    Attributes:
        types: types of the file, and its modules.
        functions: plain functions of the file, and its namespaces.
        classes: classes of the file.
        enumerations: classes of the file that are enumerations.
        texts: the values that may be texts.
    """

    types: TypeNames
    functions: frozenset[str]
    classes: frozenset[str]
    enumerations: frozenset[str]
    texts: TextValues


def arguments_of(module: str, member: str) -> Arguments | None:
    """Return the arguments that a call of a module's member may have, or None if loading a file may not call it.

    Examples:
        >>> arguments_of("warp", "constant").positional, arguments_of("warp", "Function")
        (1, None)
    """
    if module == "warp" and member.startswith("types."):
        module, member = "warp.types", member.removeprefix("types.")
    if module in ("warp", "warp.types"):
        if _VECTORS.fullmatch(member):
            return _VALUES
        if _ARRAY.fullmatch(member):
            return _TYPE
    return _MEMBERS.get(module, {}).get(member)


def call_violations(node: ast.Call, callees: Callees) -> Iterator[str]:
    """Yield why loading a file may not make a call."""
    name = dotted(node.func)
    yield from (f"line {node.lineno}: a starred argument" for value in node.args if isinstance(value, ast.Starred))
    for keyword in node.keywords:
        if keyword.arg in ("key", None):
            yield f"line {node.lineno}: a key function"
        elif keyword.arg.startswith("_"):
            yield f"line {node.lineno}: keyword {keyword.arg}"
    is_of_warp, expected = _expected(node.func, name, callees)
    if expected is None:
        yield f"line {node.lineno}: call of {name or 'an expression'}"
        return
    if len(node.args) > expected.positional:
        yield f"line {node.lineno}: {len(node.args)} arguments of {name}"
    for keyword in node.keywords:
        if expected.keywords is not None and keyword.arg not in expected.keywords:
            yield f"line {node.lineno}: argument {keyword.arg} of {name}"
    if is_of_warp:
        yield from _values_of_warp(node, name, callees)


def _expected(function: ast.expr, name: str, callees: Callees) -> tuple[bool, Arguments | None]:
    """Return whether a call is one of Warp, and its possible arguments."""
    module, member = _member(name, callees)
    if module:
        return module.partition(".")[0] == "warp", arguments_of(module, member)
    if isinstance(function, ast.Call):  # such as wp.types.vector(length=3, dtype=float)(1.0, 2.0, 3.0)
        return True, _VALUES if ".".join(_member(dotted(function.func), callees)) in _COMPOSITES else None
    if name in callees.enumerations:
        return False, _arguments(1)
    if name in callees.classes:
        return True, _arguments(MANY)
    return False, Arguments(MANY, None) if name in callees.functions else BUILTINS.get(name)


def _member(name: str, callees: Callees) -> tuple[str, str]:
    """Return the module, empty if there is none, and the member of it that a dotted name means."""
    if name in callees.types.factories:
        module, _, member = callees.types.factories[name].rpartition(".")
        return module, member
    root, _, rest = name.partition(".")
    return callees.types.modules.get(root, ""), rest


_COMPOSITES = frozenset({"warp.types.vector", "warp.types.matrix"})


def _values_of_warp(node: ast.Call, name: str, callees: Callees) -> Iterator[str]:
    """Yield the arguments that are texts, and those of ``wp.overload`` that are no types."""
    values = [*node.args, *(keyword.value for keyword in node.keywords)]
    if name.endswith(".overload"):
        kernel, types = values[:1] if node.args else [], values[1:] if node.args else values
        for argument in types:
            parts = argument.values if isinstance(argument, ast.Dict) else getattr(argument, "elts", [argument])
            for part in parts:
                yield from callees.types.violation(part)
        values = kernel
    yield from (
        f"line {node.lineno}: a text as an argument of {name or 'a type'}" for value in values if callees.texts.may_be(value)
    )
