"""The names of modules that a pair's Python may use, and the chains of attributes that lead to them."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

DECORATORS = frozenset({"kernel", "func", "func_native", "func_grad", "func_replay", "struct", "overload"})
"""The decorators of Warp."""

_WARP = DECORATORS | frozenset(
    """
    constant static tile bool identity abs min max clamp sign sin cos tan asin acos atan atan2 sinh cosh tanh sqrt
    exp log log2 log10 pow floor ceil round dot cross length normalize radians degrees ref pi e inf nan half_pi tau phi ln2
    ln10 log2e log10e PI E INF NAN HALF_PI TAU PHI LN2 LN10 LOG2E LOG10E Float Int Scalar Function
    add sub mul div floordiv mod neg pos cw_mul cw_div lerp where
    """.split()
)
"""Names of Warp that loading a file may use: decorators, constants, pure functions and types."""

_NOT_IMPORTED = DECORATORS - {"overload"} | {"static"}

_WARP_TYPE = re.compile(
    r"(indexed|fabric|indexedfabric|fixed)?array([1-4]d)?|(vec|mat|quat|transform|spatial_)\w*|u?int\d+|b?float\d+"
    r"|(Bvh|Mesh|HashGrid)(Query\w*)?|Volume|Texture[123]D"
)

_MEMBERS_OF_TYPES = frozenset({"vector", "matrix", "quaternion", "transformation"})

_NUMPY = frozenset(
    """
    array float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool_ pi e inf nan sqrt sin cos
    zeros ones eye linspace arange
    """.split()
)

TYPING = frozenset("Any Literal Optional Union Tuple List Callable Sequence Final ClassVar TYPE_CHECKING".split())
"""Names of the module typing."""

ENUMS = frozenset({"Enum", "IntEnum", "Flag", "IntFlag"})
"""Bases of enumerations."""

_FEM = frozenset(
    """
    Sample Field Domain lookup position normal grad div curl D inner outer measure
    Coords ElementIndex NodeIndex QuadraturePointIndex NULL_ELEMENT_INDEX NULL_NODE_INDEX NULL_QP_INDEX OUTSIDE
    """.split()
)

_FUTURE = frozenset({"annotations"})

_MEMBERS: Mapping[str, frozenset[str]] = {
    "warp.types": _MEMBERS_OF_TYPES,
    "warp.fem": _FEM,
    "warp.sparse": frozenset({"BsrMatrix"}),
    "warp.utils": frozenset(),
    "numpy": _NUMPY,
    "math": frozenset(name for name in dir(math) if not name.startswith("_")),
    "typing": TYPING,
    "typing_extensions": TYPING,
    "types": frozenset({"SimpleNamespace"}),
    "enum": ENUMS,
    "__future__": _FUTURE,
}

_MODULES_OF_WARP = frozenset(
    """
    types utils config fem sparse optim render sim context codegen build build_dll build_experimental builtins jax
    jax_experimental paddle tape thirdparty torch
    dlpack marching_cubes constants fabric autograd autodiff coloring geometry tests stubs
    """.split()
)
"""Members of Warp that are modules."""

_VALUES = frozenset("x y z w p q value name dtype shape ndim size".split())
"""Attributes of values that loading a file may read."""


def has_member(module: str, member: str) -> bool:
    """Return whether a file may use a member of a module, such as ``float32`` of ``numpy``, while it is loaded.

    Examples:
        >>> has_member("warp", "vec3"), has_member("warp", "types.vector"), has_member("enum", "sys")
        (True, True, False)
    """
    if module == "warp":
        inner, _, rest = member.partition(".")
        if rest:
            return f"warp.{inner}" in _MEMBERS and has_member(f"warp.{inner}", rest)
        return member in _WARP or _WARP_TYPE.fullmatch(member) is not None
    if module == "warp.types" and _WARP_TYPE.fullmatch(member):
        return True
    return member in _MEMBERS.get(module, ())


def may_import(module: str, member: str) -> bool:
    """Return whether a file may import a member of a module: all that it may use but those that only decorate."""
    return has_member(module, member) and not (module == "warp" and member in _NOT_IMPORTED)


def dotted(node: ast.expr) -> str:
    """Return ``a.b.c`` as text, or an empty string for anything but a chain of names."""
    root, members = split_chain(node)
    return ".".join([root.id, *members]) if isinstance(root, ast.Name) else ""


def split_chain(node: ast.expr) -> tuple[ast.expr, list[str]]:
    """Return the expression before the attributes of ``node``, and their names."""
    members: list[str] = []
    while isinstance(node, ast.Attribute):
        members.append(node.attr)
        node = node.value
    return node, members[::-1]


def module_names(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """Return the modules that names of a file mean, such as ``{"wp": "warp"}``."""
    names = {"wp": "warp", "warp": "warp"}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                names[alias.asname or first] = alias.name if alias.asname else first
    return names


def chain_violations(nodes: Sequence[ast.AST], modules: Mapping[str, str], definitions: set[str] | None) -> Iterator[str]:
    """Yield the attributes that a file may not use, and modules that it uses as values.

    Args:
        nodes: all nodes of a part of the file.
        modules: see `module_names`.
        definitions: names whose attributes the file defines, if the part runs while the file is loaded; None for the entire
            file, whose device code may use all functions of Warp.
    """
    inner = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        if id(node) in inner:
            continue
        if isinstance(node, ast.Name) and node.id in modules and isinstance(node.ctx, ast.Load):
            yield f"line {node.lineno}: module {node.id} as a value"
        elif isinstance(node, ast.Attribute):
            root, members = split_chain(node)
            if isinstance(root, ast.Name) and root.id in modules:
                if not _may_use(modules[root.id], members, device=definitions is None):
                    yield f"line {node.lineno}: {root.id}.{'.'.join(members)}"
            elif (
                definitions is not None
                and not (isinstance(root, ast.Name) and root.id in definitions)
                and not set(members) <= _VALUES
            ):
                yield f"line {node.lineno}: attribute {'.'.join(members)}"


def _may_use(module: str, members: list[str], device: bool) -> bool:
    if has_member(module, ".".join(members)):
        return True
    if not device or module != "warp" or members[0] in _MODULES_OF_WARP:
        return False
    # Warp's functions for device code; members of its classes are constants, such as wp.Volume.LINEAR.
    return len(members) == 1 or (len(members) == 2 and members[0][0].isupper())
