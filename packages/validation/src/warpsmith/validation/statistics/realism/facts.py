"""What predicates about a kernel need: its arguments, local variables, indices, stores, tests and comments."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cached_property
from typing import NamedTuple

from warpsmith.core.records.python_source import NotPythonError
from warpsmith.core.records.python_tokens import split_tokens
from warpsmith.core.records.syntax_walks import walk
from warpsmith.validation.statistics.realism.kernels import SourceKernel, unindented
from warpsmith.validation.statistics.realism.simple_expressions import root, warp_name
from warpsmith.validation.statistics.realism.skeletons import has_docstring


class Store(NamedTuple):
    """An assignment to an element of an array; the operator is that of an augmented assignment."""

    array: ast.expr
    value: ast.expr
    operator: ast.operator | None


class Comparison(NamedTuple):
    """One comparison; ``a < b < c`` is two."""

    left: ast.expr
    operator: ast.cmpop
    right: ast.expr


class Facts:
    """A kernel and what is derived from it once for all predicates.

    Attributes:
        node: the syntax tree of the function.
        decorator: the decorator that makes it a kernel.
        body: its statements without the docstring.
        nodes: all nodes of the body.
    """

    def __init__(self, kernel: SourceKernel) -> None:
        self.node = kernel.node
        self.decorator = kernel.decorator
        self.body = kernel.node.body[has_docstring(kernel.node) :]
        self.nodes = [node for statement in self.body for node in walk(statement)]
        self._lines = kernel.lines

    @cached_property
    def arguments(self) -> dict[str, str]:
        """The annotations of the arguments as text, by name."""
        spec = self.node.args
        listed = (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)
        return {argument.arg: ast.unparse(argument.annotation) if argument.annotation else "" for argument in listed}

    @cached_property
    def locals(self) -> dict[str, list[ast.expr]]:
        """The values that are assigned to each local variable; an augmented assignment is an operation."""
        values: dict[str, list[ast.expr]] = defaultdict(list)
        for node in self.nodes:
            match node:
                case ast.Assign(targets, value):
                    for name in (target.id for target in targets if isinstance(target, ast.Name)):
                        values[name].append(value)
                case ast.AnnAssign(ast.Name(name), value=ast.expr() as value):
                    values[name].append(value)
                case ast.AugAssign(ast.Name(name) as target, operator, value):
                    values[name].append(ast.BinOp(target, operator, value))
        return values

    @cached_property
    def subscripts(self) -> list[ast.Subscript]:
        """Subscripts in the body, except those of annotations."""
        annotations = [node.annotation for node in self.nodes if isinstance(node, ast.AnnAssign)]
        excluded = {id(inner) for annotation in annotations for inner in walk(annotation)}
        return [node for node in self.nodes if isinstance(node, ast.Subscript) and id(node) not in excluded]

    @cached_property
    def indices(self) -> list[ast.expr]:
        """The indices of subscripts and of atomic operations, each dimension separately."""
        return [index for subscript in self.subscripts for index in _dimensions(subscript)] + self._atomic_indices

    @cached_property
    def array_indices(self) -> list[ast.expr]:
        """The indices of elements of arrays, each dimension separately."""
        arrays = [subscript for subscript in self.subscripts if self.is_array(subscript.value)]
        return [index for array in arrays for index in _dimensions(array)] + self._atomic_indices

    @property
    def _atomic_indices(self) -> list[ast.expr]:
        return [index for call in self.atomics for index in call.args[1:-1]]

    def is_array(self, node: ast.expr) -> bool:
        """Return whether an expression is an array: an argument with such a type, or a member of an argument."""
        match node:
            case ast.Name(name):
                return "array" in self.arguments.get(name, "").lower()
            case ast.Attribute():
                return root(node) in self.arguments
        return False

    @cached_property
    def calls(self) -> list[ast.Call]:
        """All calls in the body."""
        return [node for node in self.nodes if isinstance(node, ast.Call)]

    @cached_property
    def atomics(self) -> list[ast.Call]:
        """Calls of Warp's atomic operations with array, indices and value."""
        return [call for call in self.calls if (warp_name(call) or "").startswith("atomic_") and len(call.args) >= 3]

    @cached_property
    def stores(self) -> list[Store]:
        """Assignments to elements of arrays."""
        found = []
        for node in self.nodes:
            match node:
                case ast.Assign([ast.Subscript(array)], value) if self.is_array(array):
                    found.append(Store(array, value, None))
                case ast.AugAssign(ast.Subscript(array), operator, value) if self.is_array(array):
                    found.append(Store(array, value, operator))
        return found

    @cached_property
    def loads(self) -> list[ast.Subscript]:
        """Reads of elements of arrays."""
        return [node for node in self.subscripts if isinstance(node.ctx, ast.Load) and self.is_array(node.value)]

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """The comparisons of the body."""
        found = []
        for node in self.nodes:
            if isinstance(node, ast.Compare):
                lefts = (node.left, *node.comparators)
                found += [Comparison(*parts) for parts in zip(lefts, node.ops, node.comparators)]
        return found

    @cached_property
    def branches(self) -> list[ast.If]:
        """Every ``if`` and ``elif``."""
        return [node for node in self.nodes if isinstance(node, ast.If)]

    @cached_property
    def thread_indices(self) -> list[list[str]]:
        """The names that receive the thread index, for each assignment of it."""
        found = []
        for node in self.nodes:
            match node:
                case ast.Assign([target], ast.Call() as call) if warp_name(call) == "tid":
                    parts = target.elts if isinstance(target, ast.Tuple) else [target]
                    found.append([part.id for part in parts if isinstance(part, ast.Name)])
        return found

    @property
    def body_lines(self) -> list[str]:
        """The lines from the first statement after the docstring to the end."""
        return self._lines[self.body[0].lineno - 1 : self.node.end_lineno] if self.body else []

    @cached_property
    def comments(self) -> list[str]:
        """The comments in the function."""
        text = unindented(self.node, self._lines)
        try:
            return split_tokens(text).comments if "#" in text else []
        except NotPythonError:
            return []


def _dimensions(subscript: ast.Subscript) -> list[ast.expr]:
    return subscript.slice.elts if isinstance(subscript.slice, ast.Tuple) else [subscript.slice]
