"""What the text of a kernel says about its values: integers, constants, and values that receive no gradient."""

from __future__ import annotations

import ast
from functools import cached_property

from warpsmith.synthesis.writing.adjoint.name_uses import called, reads, stored

MAX_UNROLLED = 16
"""Warp unrolls a loop with a constant range up to this length; its option `max_unroll`."""

LINEAR = frozenset(
    "float float16 float32 float64 dtype vec2 vec3 vec4 vec2d vec3d quat mat22 mat33 vector matrix spatial_vector "
    "transformation neg transpose trace skew spatial_top spatial_bottom atomic_add atomic_sub tile untile tile_sum tile_store "
    "tile_atomic_add tile_extract tile_broadcast tile_reshape tile_astype".split()
)
"""Functions whose derivative needs no value."""

_INTEGER = frozenset(
    "bool int int8 int16 int32 int64 uint8 uint16 uint32 uint64 tid len randi rand_init lower_bound neighbor argmin "
    "argmax".split()
)
"""Types and functions of integers."""

_ALIKE = frozenset(
    "min max where abs clamp copy atomic_add atomic_max atomic_min tile_sum tile_map tile_max untile tile".split()
)
"""Functions that return what their last arguments are."""


class FileKinds:
    """What the functions of a file share.

    Attributes:
        constants: the numbers of the file, by name.
        members: the members of structs that are integers.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.constants: dict[str, float] = {}
        self.members = {"shape", "size", "face", "result"}
        self._functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        for statement in tree.body:
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                value = statement.value
                if isinstance(value, ast.Call) and called(value) == "constant":
                    value = value.args[0]
                number = _number(value)
                if number is not None:
                    self.constants[statement.targets[0].id] = number
            elif isinstance(statement, ast.ClassDef):
                members = [member for member in statement.body if isinstance(member, ast.AnnAssign)]
                self.members |= {ast.unparse(member.target) for member in members if _is_integer_type(member.annotation)}
                self.members |= {name for member in statement.body if isinstance(member, ast.Assign) for name in stored(member)}

    @cached_property
    def functions(self) -> set[str]:
        """The functions that return integers."""
        names: set[str] = set()
        self.__dict__["functions"] = names  # later functions call earlier ones
        for function in self._functions:
            results = [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value]
            if results and all(map(FunctionKinds(self, function).is_integer, results)):
                names.add(function.name)
        return names


class FunctionKinds:
    """What the text of one function says about its values."""

    def __init__(self, file: FileKinds, function: ast.FunctionDef) -> None:
        self._file = file
        self._function = function

    @cached_property
    def _plain(self) -> set[str]:
        """The plain arguments of a kernel, which receive no gradient."""
        if not any("kernel" in ast.unparse(decorator) for decorator in self._function.decorator_list):
            return set()
        arguments = [argument for argument in self._function.args.args if argument.annotation is not None]
        return {argument.arg for argument in arguments if "array" not in ast.unparse(argument)}

    @cached_property
    def _integers(self) -> set[str]:
        """The names of integers."""
        names = {argument.arg for argument in self._function.args.args if _is_integer_type(argument.annotation)}
        for loop in ast.walk(self._function):
            if isinstance(loop, ast.For):
                names |= stored(loop.target)
        self.__dict__["_integers"] = names  # later assignments refer to earlier ones
        assignments = [node for node in ast.walk(self._function) if isinstance(node, ast.Assign)]
        for node in sorted(assignments, key=lambda assignment: assignment.lineno):
            if self.is_integer(node.value):
                names |= set().union(*map(stored, node.targets))
        return names

    def constant(self, expression: ast.expr) -> float | None:
        """Return the number that an expression is for every launch, or None."""
        if isinstance(expression, ast.Name):
            return self._file.constants.get(expression.id)
        if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.Add | ast.Sub):
            left, right = self.constant(expression.left), self.constant(expression.right)
            if left is not None and right is not None:
                return left + right if isinstance(expression.op, ast.Add) else left - right
        return _number(expression)

    def is_dynamic(self, loop: ast.For | ast.While) -> bool:
        """Return whether Warp keeps a loop in the generated code."""
        if isinstance(loop, ast.While) or not isinstance(loop.iter, ast.Call):
            return True
        if called(loop.iter) != "range":
            return called(loop.iter) != "static"
        if any(isinstance(bound, ast.BinOp) for bound in loop.iter.args):
            return True  # Warp computes it while the kernel runs, also if all its terms are constants
        bounds = [self.constant(bound) for bound in loop.iter.args if called(bound) not in {"static", "len"}]
        known = [int(bound) for bound in bounds if bound is not None]
        return len(known) < len(bounds) or (bool(known) and len(range(*known)) > MAX_UNROLLED)

    def is_fixed(self, expression: ast.expr) -> bool:
        """Return whether no gradient flows into a value."""
        if isinstance(expression, ast.Call) and called(expression) in LINEAR:
            return all(map(self.is_fixed, expression.args))
        if isinstance(expression, ast.BinOp):
            return self.is_fixed(expression.left) and self.is_fixed(expression.right)
        is_plain = isinstance(expression, ast.Name) and expression.id in self._plain
        return is_plain or self.constant(expression) is not None or self.is_integer(expression)

    def is_integer(self, expression: ast.expr) -> bool:
        """Return whether a value consists of integers, as far as the text says."""
        match expression:
            case ast.Constant(value=value):
                return not isinstance(value, float)
            case ast.Name(id=name):
                return name in self._integers or isinstance(self._file.constants.get(name), int)
            case ast.Attribute(attr=name):
                return name in self._file.members
            case ast.Subscript(value=inner):
                return self.is_integer(inner)
            case ast.UnaryOp(op=sign, operand=inner):
                return isinstance(sign, ast.Not) or self.is_integer(inner)
            case ast.BinOp(op=sign, left=left, right=right):
                return not isinstance(sign, ast.Div) and self.is_integer(left) and self.is_integer(right)
            case ast.Compare() | ast.BoolOp():
                return True
            case ast.IfExp(body=left, orelse=right):
                return self.is_integer(left) and self.is_integer(right)
            case ast.Call():
                return self._returns_integer(expression)
        return False

    def _returns_integer(self, call: ast.Call) -> bool:
        name = called(call)
        types = [ast.unparse(keyword.value) for keyword in call.keywords if keyword.arg == "dtype"]
        if types:
            return types[0].removeprefix("wp.") in _INTEGER
        if name == "tile_map" and ast.unparse(call.args[0]) in self._file.functions:
            return True
        if name in _ALIKE:
            return all(map(self.is_integer, call.args[-2:]))
        return name in _INTEGER or name in self._file.functions or "query" in name or "point_id" in name


def _number(expression: ast.expr) -> float | None:
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.USub):
        value = _number(expression.operand)
        return None if value is None else -value
    return expression.value if isinstance(expression, ast.Constant) and isinstance(expression.value, int | float) else None


def _is_integer_type(annotation: ast.expr | None) -> bool:
    if annotation is None:
        return False
    attributes = {node.attr for node in ast.walk(annotation) if isinstance(node, ast.Attribute)}
    return not _INTEGER.isdisjoint(attributes | reads(annotation))
