"""Expressions of a kernel's Python as CUDA."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from warpsmith.scoring.cuda_writer import array_code, number_forms
from warpsmith.scoring.cuda_writer.array_code import ArrayCode
from warpsmith.scoring.cuda_writer.builtins.number_calls import COMPARED, choice
from warpsmith.scoring.cuda_writer.builtins.vector_calls import matrix_row
from warpsmith.scoring.cuda_writer.code_pieces import AND, CHOICE, OR, UNARY, Code, binary, literal
from warpsmith.scoring.cuda_writer.cuda_types import (
    BOOL,
    HALF,
    INT,
    components,
    is_builtin_vector,
    is_integer,
    is_matrix,
    is_number,
    is_pose,
    is_quaternion,
    is_vector,
    rotation_of,
    scalar_of,
    vector,
)
from warpsmith.scoring.cuda_writer.function_scope import Scope
from warpsmith.scoring.cuda_writer.operator_calls import minus, operate, parts
from warpsmith.validation.oracle.interpreter.module_values import dotted
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Struct
from warpsmith.validation.oracle.values.value_types import Type

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


@dataclass(slots=True)
class Expressions:
    """Writes the expressions of one function.

    Attributes:
        scope: the function.
        call: writes a call.
        table: the method for each type of syntax node.
    """

    scope: Scope
    call: Callable[[Expressions, ast.Call], Code]
    table: dict[type[ast.expr], Callable[[Any], Code]] = field(init=False)

    def __post_init__(self) -> None:
        self.table = {
            ast.Constant: self._literal,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Subscript: self._subscript,
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.BoolOp: self._logic,
            ast.Compare: self._comparison,
            ast.IfExp: self._choice,
            ast.Call: lambda node: self.call(self, node),
        }

    @property
    def library(self) -> Any:
        """The functions and structs of the text."""
        return self.scope.unit.library

    def code(self, node: ast.expr) -> Code:
        """Return an expression.

        Raises:
            Unsupported: naming the first construct that is not supported.
        """
        writer = self.table.get(type(node))
        if writer is None:
            raise Unsupported(f"a {type(node).__name__} expression")
        return writer(node)

    def test(self, node: ast.expr) -> Code:
        """Return a condition."""
        found = self.code(node)
        if not is_number(found.kind):
            raise Unsupported(f"a condition that is {found.kind}")
        return found

    def array(self, node: ast.expr) -> ArrayCode | None:
        """Return an array or a part of one, or None if an expression is none."""
        if isinstance(node, ast.Name | ast.Attribute):
            return self.scope.arrays.get(dotted(node))
        if isinstance(node, ast.Subscript) and (array := self.array(node.value)) is not None:
            indices = self._indices(node.slice)
            return array.part(indices) if len(indices) < array.kind.dimensions else None
        return None

    def element(self, node: ast.expr) -> tuple[ArrayCode, Code] | None:
        """Return an array and the place of the element that an expression names, or None if it names none."""
        if not isinstance(node, ast.Subscript):
            return None
        indices: list[Code] = []
        base: ast.expr = node
        while isinstance(base, ast.Subscript) and self._is_part(base.value):
            indices = [*self._indices(base.slice), *indices]
            base = base.value
        array = self.array(base)
        if array is None or len(indices) != array.kind.dimensions:
            return None
        return array, array.place(indices)

    def _is_part(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Subscript):
            node = node.value
        return bool(name := dotted(node)) and name in self.scope.arrays

    def _indices(self, node: ast.expr) -> list[Code]:
        found = [self.code(part) for part in (node.elts if isinstance(node, ast.Tuple) else [node])]
        if not all(is_integer(index.kind) for index in found):
            raise Unsupported("an index that is no integer")
        return found

    # ---------------------------------------------------------------------------------------------------------- atoms

    def _literal(self, node: ast.Constant) -> Code:
        if not isinstance(node.value, bool | int | float):
            raise Unsupported(f"the literal {node.value!r}"[:80])
        source = ast.get_source_segment(self.scope.unit.source, node) if hasattr(node, "lineno") else ""
        source = source or ""
        of_pi = number_forms.multiple_of_pi(node.value, source) if isinstance(node.value, float) else ""
        if of_pi and self.scope.unit.defines_pi():
            return number_forms.of_pi(of_pi, node.value, source)
        return literal(node.value, source)

    def _name(self, node: ast.Name) -> Code:
        variable = self.scope.variables.get(node.id)
        if variable is not None:
            if variable.kind is None:
                raise Unsupported(f"{node.id!r} without a value")
            return Code(variable.name, variable.kind)
        if node.id in self.scope.arrays:
            raise Unsupported(f"the array {node.id!r} as a value")
        return self.scope.unit.constant(node)

    def _attribute(self, node: ast.Attribute) -> Code:
        if (variable := self.scope.variables.get(dotted(node))) is not None and variable.kind is not None:
            return Code(variable.name, variable.kind)
        root = dotted(node).partition(".")[0]
        if root and root not in self.scope.variables and root not in self.scope.arrays:
            return self.scope.unit.constant(node)
        if node.attr in "xyzw" and (found := self._part(node.value, "xyzw".index(node.attr))) is not None:
            return found
        base = self.code(node.value)
        if isinstance(base.kind, Struct):
            member = base.kind.members.get(node.attr)
            if member is None or not isinstance(member, Type | Struct):
                raise Unsupported(f"the member {node.attr!r}")
            return Code(f"{base.within(16)}.{node.attr}", member)
        if is_pose(base.kind) and node.attr in "pq" and isinstance(base.kind, Type):
            return Code(
                f"{base.within(16)}.{node.attr}", vector(base.kind.scalar, 3) if node.attr == "p" else rotation_of(base.kind)
            )
        if (is_vector(base.kind) or is_quaternion(base.kind)) and isinstance(base.kind, Type) and node.attr in "xyzw":
            return Code(f"{base.within(16)}{self._place(base.kind, 'xyzw'.index(node.attr))}", scalar_of(base.kind))
        raise Unsupported(f"the attribute {node.attr!r} of {base.kind}")

    @staticmethod
    def _place(kind: Type, number: int) -> str:
        places = components(kind)
        if not -len(places) <= number < len(places):
            raise Unsupported(f"component {number} of {kind}")
        return places[number]

    def _subscript(self, node: ast.Subscript) -> Code:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            array = self.array(node.value.value)
            if array is not None and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
                return array.size(node.slice.value)
        if (element := self.element(node)) is not None:
            return array_code.load(self.library, *element, self.scope.unit.idioms.components)
        if self.array(node) is not None:
            raise Unsupported("a part of an array as a value")
        if isinstance(node.slice, ast.Constant) and (found := self._part(node.value, node.slice.value)) is not None:
            return found
        return self.component(self.code(node.value), node.slice)

    def _part(self, node: ast.expr, number: object) -> Code | None:
        """Return a component of an element if the array has numbers instead of vectors."""
        element = self.element(node)
        if element is None or not isinstance(number, int):
            return None
        return array_code.component(*element, number, self.scope.unit.idioms.components)

    def component(self, base: Code, index: ast.expr) -> Code:
        """Return a component of a vector, or an element or a row of a matrix."""
        kind = base.kind
        if not isinstance(kind, Type) or not kind.shape:
            raise Unsupported(f"an index of {kind}")
        if is_matrix(kind):
            return self._of_matrix(base, kind, index)
        number = self.code(index)
        name = base.within(16)
        if isinstance(number.number, int):
            return Code(f"{name}{self._place(kind, number.number)}", scalar_of(kind))
        if is_builtin_vector(kind) or is_quaternion(kind):
            scalar = self.library.use(scalar_of(kind))
            texts = [f"i == {place} ? v{at} : " for place, at in enumerate(parts(kind)[:-1])]
            self.library.add(
                scalar_of(kind), "component", [(kind, "v"), (INT, "i")], f"return {''.join(texts)}v{parts(kind)[-1]};"
            )
            return Code(f"component({base.text}, {number.text})", scalar_of(kind)) if scalar else base
        if is_pose(kind):
            raise Unsupported("a component of a pose by an index")
        return Code(f"{name}.c[{number.text}]", scalar_of(kind))

    def _of_matrix(self, base: Code, kind: Type, index: ast.expr) -> Code:
        if isinstance(index, ast.Tuple):
            row, column = (self.code(part) for part in index.elts)
            return Code(f"{base.within(16)}.m[{row.text}][{column.text}]", scalar_of(kind))
        return matrix_row(self.library, base, self.code(index))

    # ------------------------------------------------------------------------------------------------------ operators

    def _binary(self, node: ast.BinOp) -> Code:
        left, right = self.code(node.left), self.code(node.right)
        if isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant):
            product = number_forms.product_of_literals(left, node.op, right)
            if product is not None:
                return literal(product)
        return operate(self.library, node.op, left, right)

    def _unary(self, node: ast.UnaryOp) -> Code:
        operand = self.code(node.operand)
        if isinstance(node.op, ast.USub):
            return minus(self.library, operand)
        if isinstance(node.op, ast.Not) and is_number(operand.kind):
            return Code(f"!{operand.within(UNARY)}", BOOL, UNARY)
        if isinstance(node.op, ast.Invert) and is_integer(operand.kind):
            return Code(f"~{operand.within(UNARY)}", operand.kind, UNARY)
        if isinstance(node.op, ast.UAdd):
            return operand
        raise Unsupported(f"{type(node.op).__name__} of {operand.kind}")

    def _logic(self, node: ast.BoolOp) -> Code:
        sign, precedence = ("&&", AND) if isinstance(node.op, ast.And) else ("||", OR)
        terms = [self.test(value) for value in node.values]
        needs = (AND, OR, CHOICE)  # "&&" in "||" has parentheses, as compilers advise
        texts = [
            f"({term.text})" if term.precedence in needs and term.precedence != precedence else term.text for term in terms
        ]
        return Code(f" {sign} ".join(texts), BOOL, precedence)

    def _comparison(self, node: ast.Compare) -> Code:
        operands = [self.code(operand) for operand in (node.left, *node.comparators)]
        terms = []
        for comparison, left, right in zip(node.ops, operands, operands[1:], strict=False):
            sign = _COMPARISONS.get(type(comparison))
            if sign is None or left.kind != right.kind or not is_number(left.kind) or left.kind == HALF:
                raise Unsupported(f"{type(comparison).__name__} of {left.kind} and {right.kind}")
            terms.append(binary(sign, COMPARED[sign], left, right, BOOL))
        if len(terms) == 1:
            return terms[0]
        return Code(" && ".join(term.text for term in terms), BOOL, AND)

    def _choice(self, node: ast.IfExp) -> Code:
        condition, then, other = self.test(node.test), self.code(node.body), self.code(node.orelse)
        if then.kind != other.kind:
            raise Unsupported(f"a choice of {then.kind} and {other.kind}")
        return choice(condition, then, other)
