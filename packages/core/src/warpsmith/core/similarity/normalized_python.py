"""Python without what its author can choose freely: annotations, decorators, imports, docstrings, aliases of types, members."""

from __future__ import annotations

import ast

from warpsmith.core.records.python_source import NotPythonError, parse_python
from warpsmith.core.similarity.tokens import python_tokens

_TYPES = {"float32": "float", "int32": "int", "bool_": "bool"}
"""Types of Warp that have a name of Python, too."""

_MEMBER = "<member>"
"""The token before a member that the text declares; its name counts like that of a variable."""


def normalized_tokens(source: str) -> list[str] | None:
    r"""Return the tokens of Python, the same for texts that differ in annotations, layout or the names of members.

    Returns:
        The tokens, or None if the text is not Python or is too long.

    Examples:
        >>> first = "@wp.kernel\ndef k(x: wp.array(dtype=wp.vec2, ndim=1)):\n    a: int = (x[0])\n"
        >>> normalized_tokens(first) == normalized_tokens("@warp.kernel()\ndef k(x : 'wp.array[vec2]') -> None: a = x[0]")
        True
    """
    try:
        tree = parse_python(source)
        members = {
            field.target.id
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
            for field in node.body
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        }
        tokens = python_tokens(ast.unparse(ast.fix_missing_locations(_Normalizer().visit(tree))))
    except (NotPythonError, RecursionError, ValueError):
        return None
    if tokens is None:
        return None
    followed = zip(tokens, [*tokens[1:], ""], strict=False)
    return [_MEMBER if text == "." and following in members else text for text, following in followed]


class _Normalizer(ast.NodeTransformer):
    """Removes annotations, decorators, imports and docstrings, and writes types in one way."""

    def visit_Import(self, _: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, _: ast.ImportFrom) -> None:
        return None

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.decorator_list, node.returns = [], None
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.decorator_list = []
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return self.generic_visit(ast.Assign([node.target], node.value))

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id in ("wp", "warp") and node.attr in _TYPES:
            return ast.Name(_TYPES[node.attr], node.ctx)
        return self.generic_visit(node)
