"""The values that a device function returns: several ones go to parameters."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence

from warpsmith.core.records.syntax_walks import walk
from warpsmith.scoring.cuda_writer.cuda_types import Tuple
from warpsmith.scoring.cuda_writer.expression_code import Expressions
from warpsmith.scoring.cuda_writer.function_scope import Scope
from warpsmith.scoring.cuda_writer.operator_calls import commutes, step
from warpsmith.scoring.cuda_writer.syntax.assigned_operations import operand
from warpsmith.scoring.plain.plain_names import is_free
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported

_CLEAR = 3
"""The fewest letters of a name that says more than the part of a function's name, as ``slope`` in ``ramp_and_slope``."""

_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


class Returns:
    """Writes ``return``: several values go to parameters, which are returned variables where possible.

    The others have the names that the callers give them, as far as these agree.
    """

    def __init__(self, scope: Scope, node: ast.FunctionDef) -> None:
        self._scope, self._node = scope, node
        self.expressions: Expressions | None = None
        self.names: list[str] = []
        self._variables: list[str] = []
        self._parameters = {argument.arg for argument in node.args.args}
        found = [part for part in walk(node) if isinstance(part, ast.Return)]
        tuples = sorted((part.value for part in found if isinstance(part.value, ast.Tuple)), key=lambda value: value.lineno)
        if tuples:
            self._prepare(tuples)

    def _prepare(self, tuples: Sequence[ast.Tuple]) -> None:
        elements = tuples[-1].elts
        received = self._received(len(elements))
        parts = self._node.name.strip("_").split("_and_")
        for number, element in enumerate(elements):
            variable = self._variable(number, tuples, received[number])
            self._variables.append(variable if variable not in self._variables else "")
            if self._variables[-1]:
                self.names.append(self._declared_outside(variable))
                continue
            taken = self._parameters | set(self._scope.placement.stores) | set(self.names)
            bases = [element.id] if isinstance(element, ast.Name) else [received[number]]
            if len(parts) == len(elements):
                bases.insert(0 if len(bases[0]) < _CLEAR else 1, parts[number])
            free = [base for base in bases if base not in taken and is_free(base)]
            self.names.append(self._scope.new_name(free[0] if free else f"{bases[0]}_out"))

    def _variable(self, number: int, tuples: Sequence[ast.Tuple], received: str) -> str:
        """Return the variable of the function that a result may be.

        The function returns it, perhaps after an operation if the callers have the same name for it.
        """
        returned = element = tuples[-1].elts[number]
        while isinstance(element, ast.BinOp) and isinstance(element.op, _OPERATORS):
            element = element.left
        if not isinstance(element, ast.Name) or self._scope.unit.idioms.pointers:
            return ""
        if element is not returned and element.id != received:
            return ""
        name = element.id
        if name in self._parameters or not self._scope.placement.stores.get(name, 0):
            return ""
        for values in tuples:
            found = values.elts[number]
            is_same = isinstance(found, ast.Name) and found.id == name
            if not is_same and any(_reads(other, name) for other in values.elts[number + 1 :]):
                return ""
        return name

    def _declared_outside(self, name: str) -> str:
        """Return the name of a variable that the function's head declares."""
        variable = self._scope.variable(name)
        for names in self._scope.placement.declares.values():
            names.discard(name)
        for before in self._scope.placement.before.values():
            if name in before:
                before.remove(name)
        return variable.name

    def _received(self, count: int) -> list[str]:
        """Return what the names of the variables that receive the results of all calls have in common."""
        calls = _receivers(self._scope.unit.tree, self._node.name, count)
        if not calls:
            return [f"out{number}" for number in range(count)]
        found = []
        for names in zip(*calls, strict=True):
            common = _common_start(names)
            common = common.rstrip("0123456789_") if len(calls) > 1 and common not in names else common
            found.append(common or names[0])
        return found if len(set(found)) == count else calls[0]

    def write(self, node: ast.Return) -> None:
        """Write a ``return``."""
        scope, expressions = self._scope, self.expressions
        if expressions is None:
            raise Unsupported("a return")
        if node.value is None:
            scope.emit("return;")
            return
        elements = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        values = [expressions.code(element) for element in elements]
        kinds = tuple(value.kind for value in values)
        if scope.result is not None and scope.result != kinds:
            raise Unsupported(f"a function that returns {', '.join(map(str, kinds))} and {', '.join(map(str, scope.result))}")
        scope.result = kinds
        if len(values) == 1:
            if isinstance(kinds[0], Tuple):
                raise Unsupported("several values that are passed on")
            scope.emit(f"return {values[0].text};")
            return
        star = "*" if scope.unit.idioms.pointers else ""
        for number, (name, value) in enumerate(zip(self.names, values, strict=True)):
            if value.text != name:
                scope.emit(self._step(expressions, number, elements[number]) or f"{star}{name} = {value.text};")
        if node is not self._node.body[-1]:
            scope.emit("return;")

    def _step(self, expressions: Expressions, number: int, element: ast.expr) -> str:
        """Return the statement that applies an operation to a variable which is a result, or an empty string."""
        target = ast.Name(self._variables[number], ast.Load())
        found = operand(target, element) if self._variables[number] else None
        if found is None:
            return ""
        operator, other, is_left = found
        left, value = expressions.code(target), expressions.code(other)
        if is_left and not commutes(operator, left.kind, value.kind):
            return ""
        return step(expressions.library, operator, left, value)


def returns_variables(tree: ast.Module) -> bool:
    """Return whether a function of a file returns several values, one of which is a variable: a reference can be this one."""
    tuples = [node.value for node in walk(tree) if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple)]
    return any(isinstance(element, ast.Name) for found in tuples for element in found.elts)


def _receivers(tree: ast.Module, function: str, count: int) -> list[list[str]]:
    """Return the names of the variables that receive the values of a function, for each call of which all are variables."""
    found = []
    for node in walk(tree):
        match node:
            case ast.Assign([ast.Tuple(elements)], ast.Call(ast.Name(name))) if name == function and len(elements) == count:
                names = [element.id for element in elements if isinstance(element, ast.Name)]
                if len(set(names)) == count:
                    found.append(names)
    return found


def _common_start(names: Sequence[str]) -> str:
    """Return the letters that names start with.

    Examples:
        >>> _common_start(["slope_a", "slope_b"])
        'slope_'
    """
    same = itertools.takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in same)


def _reads(node: ast.expr, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in walk(node))
