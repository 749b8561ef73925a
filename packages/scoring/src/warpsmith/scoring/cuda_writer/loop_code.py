"""Loops of a kernel's Python as CUDA."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from warpsmith.core.records.syntax_walks import walk
from warpsmith.scoring.cuda_writer import operator_calls
from warpsmith.scoring.cuda_writer.block_writer import BlockWriter
from warpsmith.scoring.cuda_writer.code_pieces import Code
from warpsmith.scoring.cuda_writer.cuda_types import INT
from warpsmith.scoring.cuda_writer.syntax.counted_loops import Counter
from warpsmith.scoring.cuda_writer.syntax.variable_placement import changed_variable
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported

MAX_UNROLLED = 16
"""The most passes of a loop that a text asks the compiler to unroll."""


class Loops:
    """Writes the loops of one function."""

    def __init__(self, statements: BlockWriter) -> None:
        self._statements = statements

    def while_loop(self, node: ast.While) -> None:
        """Write a ``while`` loop."""
        statements, end = self._statements, self._statements.end
        if node.orelse:
            raise Unsupported("a loop with else")
        statements.header_remark(node)
        found = statements.counters.get(id(node))
        if found is None:
            statements.scope.emit(f"while ({statements.expressions.test(node.test).text}) {{")
            self._body(node.body, end)
        else:
            self._counted(node, found, end)

    def _counted(self, node: ast.While, counter: Counter, end: int) -> None:
        """Write a loop whose last statement counts."""
        statements = self._statements
        value = statements.integer(counter.start.value)
        first = statements.scope.assigned(counter.start, counter.name, value.kind).removeprefix("const ")
        place = statements.expressions.code(ast.Name(counter.name, ast.Load()))
        amount = statements.integer(counter.amount)
        step = operator_calls.step(statements.expressions.library, counter.operator, place, amount).rstrip(";")
        statements.scope.emit(f"for ({first} = {value.text}; {statements.expressions.test(node.test).text}; {step}) {{")
        self._body(node.body[:-1], min(end, counter.step.lineno - 1))

    def for_loop(self, node: ast.For) -> None:
        """Write a ``for`` loop over a range."""
        statements, end = self._statements, self._statements.end
        scope, target = statements.scope, node.target
        if not (
            isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id == "range"
        ) or not isinstance(target, ast.Name):
            raise Unsupported("a loop over something else than a range")
        if node.orelse or node.iter.keywords:
            raise Unsupported("a loop with else")
        statements.header_remark(node)
        changed = _changed_names(node)
        if target.id in changed:
            raise Unsupported("a loop whose variable changes")
        start, stop, step = self._range(node.iter.args, changed)
        outer = scope.variables.get(target.id)
        declares = outer is None or target.id not in self._outside
        variable = scope.variable(target.id)
        variable.kind = INT
        self._unrolled(start, stop)
        if step.number is None or not isinstance(step.number, int) or step.number == 0:
            raise Unsupported("a range whose step is not known")
        sign = "<" if step.number > 0 else ">"
        amount = {1: f"++{variable.name}", -1: f"--{variable.name}"}.get(
            step.number, f"{variable.name} {'+' if step.number > 0 else '-'}= {str(step.text).lstrip('-')}"
        )
        first = f"{'int ' if declares else ''}{variable.name} = {start.text}"
        last = f"{sign} {stop.within(11)}"
        if start.number is not None and start.number < 0 and step.number == 1 and stop.number == 1 - start.number:
            last = f"<= {-start.number}"
        scope.emit(f"for ({first}; {variable.name} {last}; {amount}) {{")
        self._body(node.body, end)

    @property
    def _outside(self) -> set[str]:
        """The names that are declared before a statement."""
        return {name for names in self._statements.scope.placement.before.values() for name in names}

    def _range(self, nodes: list[ast.expr], changed: set[str]) -> tuple[Code, Code, Code]:
        statements = self._statements
        values = [statements.integer(node) for node in nodes]
        start, stop, step = Code("0", INT, number=0), values[0], Code("1", INT, number=1)
        stop_node = nodes[0]
        if len(values) > 1:
            start, stop, stop_node = values[0], values[1], nodes[1]
        if len(values) > 2:
            step = values[2]
        names = {part.id for part in walk(stop_node) if isinstance(part, ast.Name)}
        arrays = [array.parameter for name, array in statements.scope.arrays.items() if name in names]
        if stop.number is None and (
            names & changed
            or any(isinstance(part, ast.Call) for part in walk(stop_node))
            or any(array.is_written for array in arrays)
        ):
            name = statements.scope.new_name("end")
            statements.scope.emit(f"const int {name} = {stop.text};")
            stop = Code(name, INT)
        return start, stop, step

    def _unrolled(self, start: Code, stop: Code) -> None:
        scope = self._statements.scope
        known = isinstance(stop.number, int) and isinstance(start.number, int)
        if known and scope.unit.idioms.unroll and 1 < stop.number - start.number <= MAX_UNROLLED:  # type: ignore[operator]
            scope.emit("#pragma unroll")

    def _body(self, body: Sequence[ast.stmt], end: int) -> None:
        self._statements.inner(body, end)
        self._statements.scope.emit("}")


def _changed_names(node: ast.For) -> set[str]:
    """Return the names that the body of a loop assigns."""
    found = set()
    for statement in node.body:
        for part in walk(statement):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                found.add(part.id)
            elif isinstance(part, ast.Assign):
                found |= {changed_variable(target) for target in part.targets}
            elif isinstance(part, ast.AugAssign):
                found.add(changed_variable(part.target))
    return found
