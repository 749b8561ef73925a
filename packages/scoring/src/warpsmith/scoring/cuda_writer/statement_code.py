"""Statements of a kernel's Python as CUDA."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from warpsmith.scoring.cuda_writer import array_code, operator_calls
from warpsmith.scoring.cuda_writer.array_code import ArrayCode
from warpsmith.scoring.cuda_writer.branch_code import write_if
from warpsmith.scoring.cuda_writer.code_pieces import Code
from warpsmith.scoring.cuda_writer.cuda_types import Tuple, is_integer
from warpsmith.scoring.cuda_writer.expression_code import Expressions
from warpsmith.scoring.cuda_writer.function_scope import Scope
from warpsmith.scoring.cuda_writer.loop_code import Loops
from warpsmith.scoring.cuda_writer.syntax.assigned_operations import operand
from warpsmith.scoring.cuda_writer.syntax.counted_loops import Counter, counter
from warpsmith.scoring.cuda_writer.tuple_code import assign_several
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Struct
from warpsmith.validation.oracle.values.value_types import Type


@dataclass(slots=True)
class Statements:
    """Writes the statements of one function.

    Attributes:
        scope: the function.
        expressions: writes its expressions.
        skipped: statements that other lines of the text replace.
        counters: the counters of ``while`` loops that count, by the identity of the loop.
    """

    scope: Scope
    expressions: Expressions
    skipped: set[int] = field(default_factory=set)
    last_line: int = 0
    counters: dict[int, Counter] = field(default_factory=dict)
    table: dict[type[ast.stmt], Callable[[Any], None]] = field(init=False)

    def __post_init__(self) -> None:
        loops = Loops(self)
        self.table = {
            ast.Assign: self._assign,
            ast.AnnAssign: self._annotated,
            ast.AugAssign: self._augmented,
            ast.Expr: self._expression,
            ast.If: lambda node: write_if(self, node),
            ast.For: loops.for_loop,
            ast.While: loops.while_loop,
            ast.Return: self._return,
            ast.Break: lambda _: self.scope.emit("break;"),
            ast.Continue: lambda _: self.scope.emit("continue;"),
            ast.Pass: lambda _: None,
        }

    def block(self, body: Sequence[ast.stmt], end: int) -> None:
        """Write statements, with their comments and the empty lines between them.

        Args:
            body: the statements.
            end: the last line that may have a comment of theirs.
        """
        self._find_counters(body)
        for number, statement in enumerate(body):
            self._space(statement, is_first=number == 0)
            following = body[number + 1].lineno - 1 if number + 1 < len(body) else end
            self._statement(statement, following)
        column = body[0].col_offset
        for comment in self.scope.unit.comments.alone(self.last_line + 1, end, column):
            self.scope.emit(f"// {comment.text}")
            self.last_line = comment.line

    def _find_counters(self, body: Sequence[ast.stmt]) -> None:
        declared = {identity for identity, names in self.scope.placement.declares.items() if names}
        for number, statement in enumerate(body):
            if isinstance(statement, ast.While) and (found := counter(body, number, declared)):
                self.counters[id(statement)] = found
                self.skipped.add(id(found.start))

    def _space(self, statement: ast.stmt, *, is_first: bool) -> None:
        """Write the comments before a statement, and one empty line if the Python has one."""
        comments = self.scope.unit.comments
        alone = comments.alone(self.last_line + 1, statement.lineno - 1)
        start = alone[0].line if alone else statement.lineno
        has_lines = bool(self.scope.lines) and self.scope.lines[-1].text not in ("", "{")
        if not is_first and has_lines and comments.has_gap(self.last_line, start):
            self.scope.lines.append(type(self.scope.lines[0])(0, ""))
        for comment in alone:
            self.scope.emit(f"// {comment.text}")
        self.last_line = max(self.last_line, statement.lineno - 1)

    def _statement(self, statement: ast.stmt, end: int) -> None:
        if id(statement) in self.skipped:
            self.last_line = statement.end_lineno or statement.lineno
            return
        writer = self.table.get(type(statement))
        if writer is None:
            raise Unsupported(f"a {type(statement).__name__} statement")
        self.scope.declare_before(statement)
        compound = isinstance(statement, ast.If | ast.For | ast.While)
        if compound:
            self.end = end
            writer(statement)
            self.last_line = max(self.last_line, statement.end_lineno or 0)
            return
        last = statement.end_lineno or statement.lineno
        for comment in self.scope.unit.comments.alone(statement.lineno, last):
            self.scope.emit(f"// {comment.text}")
        count = len(self.scope.lines)
        writer(statement)
        self.last_line = last
        remark = self.scope.unit.comments.behind(statement.lineno, last)
        if remark and len(self.scope.lines) > count:
            self.scope.lines[-1].text += f"  // {remark}"

    end: int = 0

    def header_remark(self, statement: ast.If | ast.For | ast.While) -> None:
        """Write the comment behind the first line of a compound statement above the statement."""
        if remark := self.scope.unit.comments.behind(statement.lineno, max(statement.body[0].lineno - 1, statement.lineno)):
            self.scope.emit(f"// {remark}")

    def inner(self, body: Sequence[ast.stmt], end: int) -> None:
        """Write the statements of an inner block."""
        self.scope.depth += 1
        self.last_line = max(self.last_line, body[0].lineno - 1 - self._comment_lines(body[0]))
        self.block(body, end)
        self.scope.depth -= 1

    def _comment_lines(self, statement: ast.stmt) -> int:
        line, comments = statement.lineno, self.scope.unit.comments
        while comments.alone(line - 1, line - 1):
            line -= 1
        return statement.lineno - line

    # ----------------------------------------------------------------------------------------------------- assignments

    def _assign(self, node: ast.Assign) -> None:
        if len(node.targets) != 1:
            raise Unsupported("an assignment to several targets")
        (target,) = node.targets
        if isinstance(target, ast.Tuple):
            assign_several(self, node, target.elts)
            return
        if isinstance(target, ast.Name) and (array := self._alias(node.value)) is not None:
            self._array(target.id, array)
            return
        if not self._compound(node, target):
            self.store(node, target, self.expressions.code(node.value))

    def _compound(self, node: ast.Assign, target: ast.expr) -> bool:
        """Write ``x = x + e`` as ``x += e``; return False for another assignment."""
        found = operand(target, node.value)
        if found is None or (isinstance(target, ast.Name) and target.id in self.scope.placement.declares.get(id(node), ())):
            return False
        operator, other, is_left = found
        value = self.expressions.code(other)
        if (element := self.expressions.element(target)) is not None:
            left = array_code.load(self.expressions.library, *element, self.scope.unit.idioms.components)
        else:
            left = self.expressions.code(target)
        if (is_left and not operator_calls.commutes(operator, left.kind, value.kind)) or not _is_place(left.text):
            return False
        text = operator_calls.step(self.expressions.library, operator, left, value)
        if text:
            self._mark(target)
            self.scope.emit(text)
        return bool(text)

    def _annotated(self, node: ast.AnnAssign) -> None:
        if node.value is None:
            raise Unsupported("a declaration without a value")
        self.store(node, node.target, self.expressions.code(node.value))

    def _alias(self, node: ast.expr) -> ArrayCode | None:
        return self.expressions.array(node) if isinstance(node, ast.Name | ast.Subscript | ast.Attribute) else None

    def _array(self, name: str, array: ArrayCode) -> None:
        """Write the pointer to a part of an array. Whether the elements are ``const`` is not known before the end."""
        if self.scope.placement.stores.get(name) != 1:
            raise Unsupported(f"the array {name!r} is assigned several times")
        pointer = self.scope.new_name(name)
        self.scope.emit(f"auto {pointer} = {array.pointer};")
        self.scope.arrays[name] = ArrayCode(array.parameter, pointer, array.axis)

    def store(self, node: ast.stmt, target: ast.expr, value: Code) -> None:
        """Write the assignment of a value."""
        kind = value.kind
        if isinstance(target, ast.Name):
            if isinstance(kind, Tuple) or not isinstance(kind, Type | Struct):
                raise Unsupported(f"{target.id!r} is {kind}")
            self.scope.emit(f"{self.scope.assigned(node, target.id, kind)} = {value.text};")
            return
        if (found := self.expressions.element(target)) is not None:
            array, place = found
            if array.parameter.element != kind:
                raise Unsupported(f"{kind} stored where {array.parameter.element} is expected")
            components = self.scope.unit.idioms.components
            self.scope.emit(array_code.store(self.expressions.library, array, place, value.text, components))
            return
        left = self.place(target)
        if left.kind != kind:
            raise Unsupported(f"{kind} stored where {left.kind} is expected")
        self.scope.emit(f"{left.text} = {value.text};")

    def place(self, target: ast.expr) -> Code:
        """Return what a component or a member of a variable or an element is written to."""
        self._mark(target)
        left = self.expressions.code(target)
        if not _is_place(left.text):
            raise Unsupported("a store to a part of a value")
        return left

    def _mark(self, target: ast.expr) -> None:
        """Mark the array that a component belongs to as written."""
        base = target
        while isinstance(base, ast.Attribute | ast.Subscript):
            base = base.value
        if isinstance(base, ast.Name) and (array := self.scope.arrays.get(base.id)) is not None:
            array.parameter.is_written = True

    def _augmented(self, node: ast.AugAssign) -> None:
        value = self.expressions.code(node.value)
        if (found := self.expressions.element(node.target)) is not None:
            self._augmented_element(node, *found, value)
            return
        left = self.place(node.target)
        if isinstance(node.target, ast.Subscript) and self.scope_array(node.target):
            raise Unsupported("an operation on a component of an element")
        self._augmented_value(node.op, left, value)

    def scope_array(self, target: ast.expr) -> bool:
        """Return whether a component belongs to an element of an array."""
        while isinstance(target, ast.Attribute | ast.Subscript):
            target = target.value
        return isinstance(target, ast.Name) and target.id in self.scope.arrays

    def _augmented_value(self, operator: ast.operator, left: Code, value: Code) -> None:
        if text := operator_calls.step(self.expressions.library, operator, left, value):
            self.scope.emit(text)
            return
        result = operator_calls.operate(self.expressions.library, operator, left, value)
        if result.kind != left.kind:
            raise Unsupported(f"{left.kind} becomes {result.kind}")
        self.scope.emit(f"{left.text} = {result.text};")

    def _augmented_element(self, node: ast.AugAssign, array: ArrayCode, place: Code, value: Code) -> None:
        """Write ``array[i] += value``, which is atomic in Warp, unless the thread's own coordinates are the index."""
        library, components = self.expressions.library, self.scope.unit.idioms.components
        is_sum = isinstance(node.op, ast.Add | ast.Sub)
        if is_sum and not self._is_thread_element(node.target):
            name = "atomic_add" if isinstance(node.op, ast.Add) else "atomic_sub"
            self.scope.emit(f"{array_code.atomic(library, name, array, place, value, components).text};")
            return
        array.parameter.is_written = True
        left = array_code.load(library, array, place, components)
        if left.text.startswith("load_"):
            result = operator_calls.operate(library, node.op, left, value)
            self.scope.emit(array_code.store(library, array, place, result.text, components))
        else:
            self._augmented_value(node.op, left, value)

    def _is_thread_element(self, target: ast.expr) -> bool:
        if not isinstance(target, ast.Subscript):
            return False
        indices = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
        names = [index.id for index in indices if isinstance(index, ast.Name)]
        return bool(names) and len(names) == len(indices) and names == self.scope.coordinates

    # -------------------------------------------------------------------------------------------------- other statements

    def _expression(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return
        found = self.expressions.code(node.value)
        if isinstance(found.kind, Tuple):
            raise Unsupported("several values that nothing receives")
        self.scope.emit(f"{found.text};")

    def _return(self, node: ast.Return) -> None:
        if self.scope.returns is None:
            raise Unsupported("a return")
        self.scope.returns(node)

    def integer(self, node: ast.expr) -> Code:
        """Return an integer expression."""
        found = self.expressions.code(node)
        if not is_integer(found.kind):
            raise Unsupported(f"{found.kind} where an integer is expected")
        return found


def _is_place(text: str) -> bool:
    """Return whether an expression can be assigned: it is no value that a function returns."""
    return "(" not in text.partition("[")[0]
