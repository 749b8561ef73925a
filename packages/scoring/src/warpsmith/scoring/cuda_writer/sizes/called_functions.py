"""The statements of a function of the file as a call of it runs them."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping, Sequence

from warpsmith.core.records.syntax_walks import walk

Functions = Mapping[str, Sequence[ast.FunctionDef]]
"""The definitions of each function of a file."""


def called_body(call: ast.Call, functions: Functions, place: int) -> list[ast.stmt]:
    """Return the statements of a called function; none if it is no function of the file, or has several definitions.

    Its parameters are replaced by the names that the call passes. Its other names get a suffix that no identifier has.

    Args:
        call: the call.
        functions: the functions of the file.
        place: the number of the call, which is part of the suffix.
    """
    match call.func:
        case ast.Name(name) if len(found := functions.get(name, ())) == 1:
            function = found[0]
        case _:
            return []
    parameters = [each.arg for each in function.args.args]
    passed = dict(zip(parameters, call.args, strict=False))
    passed |= {each.arg: each.value for each in call.keywords if each.arg}
    body = copy.deepcopy(function.body)
    names = {name: value for name, value in passed.items() if isinstance(value, ast.Name | ast.Attribute)}
    local = {part.id for part in walk(ast.Module(body, [])) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    renamed = _Renamed({name: value for name, value in names.items() if name not in local}, {*parameters, *local}, f"@{place}")
    return [renamed.visit(statement) for statement in body]


class _Renamed(ast.NodeTransformer):
    def __init__(self, passed: Mapping[str, ast.expr], local: set[str], suffix: str) -> None:
        self._passed, self._local, self._suffix = passed, local, suffix

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self._passed:
            return self._passed[node.id]
        return ast.copy_location(ast.Name(f"{node.id}{self._suffix}", node.ctx), node) if node.id in self._local else node
