"""A kernel or function of a file, and what is derived from it once for all figures."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cached_property

from warpsmith.core.records.syntax_walks import walk
from warpsmith.validation.statistics.realism.kernels import definition_kind
from warpsmith.validation.statistics.resemblance.identifiers import PYTHON_NAMES, WARP, bindings, is_warp
from warpsmith.validation.statistics.resemblance.role_text import SourceText, role_text


class Definition:
    """A kernel or function.

    Attributes:
        node: its syntax tree.
        kind: ``kernel`` or ``function``.
        nodes: all nodes of the tree.
        bindings: the names that it binds.
        body: its statements without the docstring.
    """

    def __init__(self, node: ast.FunctionDef, text: SourceText) -> None:
        self.node = node
        self.kind = definition_kind(node)
        self.nodes = list(walk(node))
        self.bindings = bindings(self.nodes)
        self.body: Sequence[ast.stmt] = node.body[ast.get_docstring(node, clean=False) is not None :]
        self._text = text

    @cached_property
    def roles(self) -> tuple[str, str]:
        """The text with roles: up to the docstring, and after it."""
        return role_text(self.node, self.nodes, self.bindings, self._text)

    @cached_property
    def statements(self) -> list[ast.stmt]:
        """All statements of the body, those in blocks included."""
        return [node for statement in self.body for node in walk(statement) if isinstance(node, ast.stmt)]

    @cached_property
    def calls(self) -> list[ast.Call]:
        """All calls, those of decorators included."""
        return [node for node in self.nodes if isinstance(node, ast.Call)]

    @cached_property
    def called(self) -> set[str]:
        """The last names of what is called, except for Warp's and Python's names and for local values."""
        names = set()
        for call in self.calls:
            match call.func:
                case ast.Name(name) if name not in PYTHON_NAMES and name not in WARP and self.bindings.role(name) is None:
                    names.add(name)
                case ast.Attribute(value, name) if not is_warp(value) and name != "dtype":
                    names.add(name)
        return names

    @cached_property
    def warp_members(self) -> set[str]:
        """The names of the members of Warp."""
        return {node.attr for node in self.nodes if isinstance(node, ast.Attribute) and is_warp(node.value)}

    @cached_property
    def annotations(self) -> list[ast.expr]:
        """The annotations of the parameters and of the result."""
        spec = self.node.args
        listed = [argument.annotation for argument in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]
        return [annotation for annotation in (*listed, self.node.returns) if annotation is not None]

    @property
    def signature(self) -> str:
        """The text with roles of the parameters, in their brackets."""
        head = self.roles[0]
        start, depth = head.find("(", head.find("def ")), 0
        for position in range(max(start, 0), len(head)):
            depth += (head[position] in "([{") - (head[position] in ")]}")
            if not depth:
                return head[start : position + 1]
        return ""
