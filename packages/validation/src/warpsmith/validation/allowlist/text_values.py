"""The expressions of a file whose value may be a text while the file is loaded."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from warpsmith.core.records.syntax_walks import walk

_NUMBERS = frozenset({"len", "int", "float", "bool", "isinstance", "issubclass", "range"})
"""Builtins whose result is not a text."""

_TEXTS = frozenset({"str"})


@dataclass(frozen=True)
class TextValues:
    """Tells whether expressions may be texts.

    Attributes:
        names: the names that may be bound to a text, or to something that contains one.
    """

    names: frozenset[str] = frozenset()

    def may_be(self, node: ast.AST) -> bool:
        """Return whether the value of an expression may be a text, or contain one."""
        match node:
            case ast.Constant(value):
                return isinstance(value, str | bytes)
            case ast.Name(name):
                return name in self.names or name in _TEXTS
            case ast.Attribute(_, "name"):
                return True
            case ast.Compare():
                return False
            case ast.Call(ast.Name(name)) if name in _NUMBERS:
                return False
        return any(map(self.may_be, ast.iter_child_nodes(node)))


def text_values(host_nodes: Sequence[ast.AST], annotations: Iterable[ast.expr]) -> TextValues:
    """Return the texts of a file.

    Args:
        host_nodes: all nodes outside of device code.
        annotations: the annotations, whose strings are types.
    """
    exempt = {id(part) for annotation in annotations for part in walk(annotation)}
    exempt |= {id(node.value) for node in host_nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    nodes = [node for node in host_nodes if id(node) not in exempt]
    none = TextValues()
    if not any(isinstance(node, ast.Constant | ast.Name | ast.Attribute) and none.may_be(node) for node in nodes):
        return none
    parameters = {node.name: _parameters(node) for node in nodes if isinstance(node, ast.FunctionDef)}
    bindings = [(name, value) for node in nodes for name, value in _bindings(node, parameters)]
    names: set[str] = set()
    while True:
        known = TextValues(frozenset(names))
        found = {name for name, value in bindings if name not in names and known.may_be(value)}
        if not found:
            return known
        names |= found


def _bindings(node: ast.AST, parameters: Mapping[str, list[str]]) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that a node gives a meaning, each with an expression that the meaning is made of."""
    match node:
        case ast.Assign(targets, value):
            yield from ((name, value) for target in targets for name in _names(target))
        case ast.AnnAssign(target, _, ast.expr() as value) | ast.AugAssign(target, _, value):
            yield from ((name, value) for name in _names(target))
        case ast.For(target, iterable) | ast.comprehension(target, iterable):
            yield from ((name, iterable) for name in _names(target))
        case ast.ClassDef(name):
            yield from ((name, part.value) for part in node.body if isinstance(part, ast.Assign | ast.AnnAssign) and part.value)
        case ast.FunctionDef(name):
            yield from ((name, part.value) for part in walk(node) if isinstance(part, ast.Return) and part.value)
            defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default)]
            yield from ((parameter, default) for parameter in parameters[name] for default in defaults)
        case ast.Call(ast.Name(name), arguments, keywords) if name in parameters:
            values = [*arguments, *(keyword.value for keyword in keywords)]
            yield from ((parameter, value) for parameter in parameters[name] for value in values)


def _names(target: ast.expr) -> Iterator[str]:
    return (node.id for node in walk(target) if isinstance(node, ast.Name))


def _parameters(node: ast.FunctionDef) -> list[str]:
    arguments = node.args
    return [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
