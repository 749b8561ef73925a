"""The values that a device function returns: several ones go to parameters."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from warpsmith.scoring.cuda_writer.cuda_types import Tuple
from warpsmith.scoring.cuda_writer.expression_code import Expressions
from warpsmith.scoring.cuda_writer.function_scope import Scope
from warpsmith.validation.oracle.interpreter.syntax_walks import walk
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported


class Returns:
    """Writes ``return``: several values go to parameters, which have the names of returned variables where possible."""

    def __init__(self, scope: Scope, node: ast.FunctionDef) -> None:
        self._scope, self._node = scope, node
        self.expressions: Expressions | None = None
        self.names: list[str] = []
        found = [part for part in walk(node) if isinstance(part, ast.Return)]
        tuples = [part.value for part in found if isinstance(part.value, ast.Tuple)]
        if tuples:
            self._prepare(tuples)

    def _prepare(self, tuples: Sequence[ast.Tuple]) -> None:
        last = tuples[-1]
        pointers = self._scope.unit.idioms.pointers
        parameters = {argument.arg for argument in self._node.args.args}
        shown: list[str] = []
        received = _received(self._scope.unit.tree, self._node.name, len(last.elts))
        for number, element in enumerate(last.elts):
            base = element.id if isinstance(element, ast.Name) else received[number]
            if not isinstance(element, ast.Name) and (
                base in parameters or base in self._scope.placement.stores or base in shown
            ):
                base = f"{base}_out"
            is_local = len(tuples) == 1 and isinstance(element, ast.Name) and base not in parameters and base not in shown
            shown.append(base if is_local and not pointers else f"{base}_out" if isinstance(element, ast.Name) else base)
        for name, element in zip(shown, last.elts, strict=True):
            if isinstance(element, ast.Name) and name == element.id and self._scope.placement.stores.get(name, 0):
                variable = self._scope.variable(name)
                for names in self._scope.placement.declares.values():
                    names.discard(name)
                for before in self._scope.placement.before.values():
                    if name in before:
                        before.remove(name)
                self.names.append(variable.name)
            else:
                self.names.append(self._scope.new_name(name))

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
        for name, value in zip(self.names, values, strict=True):
            if value.text != name:
                scope.emit(f"{star}{name} = {value.text};")
        if node is not self._node.body[-1]:
            scope.emit("return;")


def _received(tree: ast.Module, function: str, count: int) -> list[str]:
    """Return the names of the variables that receive the values of a function where it is first called."""
    for node in walk(tree):
        match node:
            case ast.Assign([ast.Tuple(elements)], ast.Call(ast.Name(name))) if name == function and len(elements) == count:
                names = [element.id if isinstance(element, ast.Name) else "" for element in elements]
                if all(names) and len(set(names)) == count:
                    return names
    return [f"out{number}" for number in range(count)]
