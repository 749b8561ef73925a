"""Types of the names of a host program, as far as its statements show them: what signatures are annotated with."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence

ARRAY, NDARRAY, GENERATOR = "wp.array", "np.ndarray", "np.random.Generator"

_WARP_ARRAYS = frozenset(
    f"wp.{name}" for name in "zeros ones empty full array from_numpy clone zeros_like ones_like empty_like full_like".split()
)
_WARP_OBJECTS = frozenset(
    f"wp.{name}"
    for name in "HashGrid Mesh Bvh Tape vec2 vec3 vec4 quat mat22 mat33 mat44 vec2f vec3f vec4f quatf mat33f".split()
)
_MAKERS = frozenset(
    "zeros ones full empty array asarray stack concatenate column_stack vstack hstack linspace arange eye zeros_like ones_like "
    "full_like empty_like argsort bincount tile repeat outer diff cumsum roll".split()
)
_ELEMENTWISE = frozenset("exp log sqrt sin cos tanh abs minimum maximum mod floor clip where square cross sort".split())
_REDUCTIONS = frozenset("sum mean min max prod norm argmin argmax".split())
_METHODS = frozenset("copy reshape ravel flatten transpose clip round".split())
_SIZED = {"uniform": 3, "normal": 3, "integers": 3, "random": 1, "standard_normal": 1, "permutation": 1}
"""The methods of a generator of random numbers, and the number of arguments with which they return arrays."""

_NUMPY = re.compile(r"np(\.\w+)+")
_NUMBERS = ("int", "float")


class TypeReader:
    """Reads the types of names from the statements that assign them.

    Args:
        known: types of names that exist before.
        returns: types that functions of the program return.

    Attributes:
        types: the types of names; names with several types or none that is certain are absent.
    """

    def __init__(self, known: Mapping[str, str], returns: Mapping[str, str]) -> None:
        self.types: dict[str, str] = dict(known)
        self._returns = returns
        self._uncertain: set[str] = set()
        self.calls: dict[str, list[list[str | None]]] = {}
        self.returned: list[str | None] = []

    def read(self, statements: Iterable[ast.stmt]) -> None:
        """Read statements in their order."""
        for statement in statements:
            for node in ast.walk(statement):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
                    self.calls.setdefault(node.func.id, []).append([self.of(argument) for argument in node.args])
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._assign(target, node.value)
        elif isinstance(node, ast.AugAssign):
            self._set(node.target, self.of(ast.BinOp(node.target, node.op, node.value)))
        elif isinstance(node, ast.For):
            self._loop(node.target, node.iter)
        elif isinstance(node, ast.With):
            for item in node.items:
                if item.optional_vars is not None:
                    self._set(item.optional_vars, self.of(item.context_expr))
        elif isinstance(node, ast.Return):
            self.returned.append("None" if node.value is None else self.of(node.value))
        elif isinstance(node, ast.Expr):
            self._append(node.value)
        for field in ("body", "orelse"):
            for child in getattr(node, field, []):
                self._statement(child)

    def _loop(self, target: ast.expr, values: ast.expr) -> None:
        is_range = isinstance(values, ast.Call) and ast.unparse(values.func) == "range"
        for name in ast.walk(target):
            self._set(name, "int" if is_range else None)

    def _append(self, node: ast.expr) -> None:
        """Read the type of the members of a list from what is appended to it."""
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append"):
            return
        base, member = node.func.value, self.of(node.args[0])
        if isinstance(base, ast.Name) and self.types.get(base.id) == "list" and member:
            self.types[base.id] = f"list[{member}]"

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
                found = [self.of(part) for part in value.elts]
            elif ast.unparse(value).startswith("np.mgrid["):
                found = [NDARRAY] * len(target.elts)
            else:
                found = _members(self.of(value), len(target.elts))
            for part, kind in zip(target.elts, found, strict=True):
                self._set(part, kind)
        else:
            self._set(target, self.of(value))

    def _set(self, target: ast.AST, kind: str | None) -> None:
        if not isinstance(target, ast.Name):
            return
        name, before = target.id, self.types.get(target.id)
        if before and kind and before.startswith("list") and kind == "list":
            return
        if kind is None or name in self._uncertain or before not in (None, kind):
            self._uncertain.add(name)
            self.types.pop(name, None)
        else:
            self.types[name] = kind

    def of(self, node: ast.expr) -> str | None:
        """Return the type of an expression, or None where it is not certain."""
        if isinstance(node, ast.Constant):
            return type(node.value).__name__ if isinstance(node.value, bool | int | float | str) else None
        if isinstance(node, ast.Name):
            return self.types.get(node.id)
        if isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare):
            return self._operation(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Subscript):
            return self._item(node)
        if isinstance(node, ast.Attribute):
            return _attribute(self.of(node.value), node.attr)
        if isinstance(node, ast.List | ast.Tuple):
            return self._sequence(node)
        if isinstance(node, ast.IfExp):
            return _same([self.of(node.body), self.of(node.orelse)])
        return self._comprehension(node) if isinstance(node, ast.ListComp) else None

    def _comprehension(self, node: ast.ListComp) -> str:
        inner = TypeReader(self.types, self._returns)
        for generator in node.generators:
            inner._loop(generator.target, generator.iter)
        member = inner.of(node.elt)
        return f"list[{member}]" if member else "list"

    def _operation(self, node: ast.BinOp | ast.UnaryOp | ast.Compare) -> str | None:
        if isinstance(node, ast.BinOp):
            return _arithmetic(self.of(node.left), self.of(node.right), node.op)
        if isinstance(node, ast.UnaryOp):
            return "bool" if isinstance(node.op, ast.Not) else self.of(node.operand)
        sides = {self.of(side) for side in (node.left, *node.comparators)}
        return NDARRAY if NDARRAY in sides else "bool" if sides <= {*_NUMBERS} else None

    def _sequence(self, node: ast.List | ast.Tuple) -> str | None:
        members = [self.of(member) for member in node.elts]
        if isinstance(node, ast.Tuple):
            return f"tuple[{', '.join(filter(None, members))}]" if members and all(members) else None
        member = _same(members)
        return f"list[{member}]" if member else "list"

    def _call(self, node: ast.Call) -> str | None:
        name = ast.unparse(node.func)
        if name in _WARP_ARRAYS:
            return ARRAY
        if name in _WARP_OBJECTS:
            return name
        if name in ("int", "len"):
            return "int"
        if name in ("float", "str", "bool"):
            return name
        if name == "np.random.default_rng":
            return GENERATOR
        if name in self._returns:
            return self._returns[name]
        if isinstance(node.func, ast.Attribute):
            return self._numpy(node, name) if _NUMPY.fullmatch(name) else self._method(node, node.func)
        return None

    def _numpy(self, node: ast.Call, name: str) -> str | None:
        member = name.rpartition(".")[2]
        if name == f"np.{member}" and member in _MAKERS:
            return NDARRAY
        arrays = NDARRAY in [self.of(argument) for argument in node.args]
        if name == f"np.{member}" and member in _ELEMENTWISE and arrays:
            return NDARRAY
        has_axis = any(keyword.arg == "axis" for keyword in node.keywords)
        return NDARRAY if member in _REDUCTIONS and has_axis and arrays else None

    def _method(self, node: ast.Call, function: ast.Attribute) -> str | None:
        base, member = self.of(function.value), function.attr
        named = {keyword.arg for keyword in node.keywords}
        if base == GENERATOR:
            is_array = member in _SIZED and ("size" in named or len(node.args) >= _SIZED[member])
            return NDARRAY if is_array else None
        if base == ARRAY:
            return NDARRAY if member == "numpy" else ARRAY if member in ("reshape", "flatten", "contiguous") else None
        if base == NDARRAY:
            is_array = member in (*_METHODS, "astype") or (member in _REDUCTIONS and ("axis" in named))
            return NDARRAY if is_array else None
        return NDARRAY if member == "astype" and isinstance(function.value, ast.Compare | ast.BinOp) else None

    def _item(self, node: ast.Subscript) -> str | None:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape" and not isinstance(node.slice, ast.Slice):
            return "int"
        base = self.of(node.value)
        if base == NDARRAY:
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            is_array = any(isinstance(part, ast.Slice) or self.of(part) == NDARRAY for part in parts)
            return NDARRAY if is_array else None
        if base and base.startswith("list[") and not isinstance(node.slice, ast.Slice):
            return base[5:-1]
        return None


def _attribute(base: str | None, name: str) -> str | None:
    if base in (ARRAY, NDARRAY):
        if name in ("size", "ndim"):
            return "int"
        if name in ("T", "grad"):
            return NDARRAY if name == "T" else ARRAY
    return None


def _arithmetic(left: str | None, right: str | None, operator: ast.operator) -> str | None:
    if NDARRAY in (left, right):
        return NDARRAY if {left, right} <= {NDARRAY, *_NUMBERS} else None
    if left not in _NUMBERS or right not in _NUMBERS or isinstance(operator, ast.Pow):
        return None
    return "int" if left == right == "int" and not isinstance(operator, ast.Div) else "float"


def _members(kind: str | None, count: int) -> list[str | None]:
    """Return the types of the members of a tuple."""
    if kind and kind.startswith("tuple[") and kind.count("[") == 1:
        parts: list[str | None] = [*kind[6:-1].split(", ")]
        if len(parts) == count:
            return parts
    return [None] * count


def _same(kinds: Sequence[str | None]) -> str | None:
    return kinds[0] if kinds and len(set(kinds)) == 1 else None
