"""Python functions that return a helper function, which uses their arguments as constants."""

from __future__ import annotations

import ast
import copy

from warpsmith.core.records.syntax_walks import walk
from warpsmith.validation.oracle.interpreter.module_values import Module
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported


def is_factory(module: Module, node: ast.FunctionDef) -> bool:
    """Return whether a function defines one helper function, returns it, and does nothing else."""
    match [part for part in node.body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))]:
        case [ast.FunctionDef(inner, decorator_list=[decorator]), ast.Return(ast.Name(returned))]:
            return inner == returned and module.member(decorator) == "func"
    return False


def made(module: Module, factory: ast.FunctionDef, arguments: list[ast.expr]) -> ast.FunctionDef:
    """Return the helper function that ``factory`` returns for these arguments, which are numbers.

    Raises:
        Unsupported: if the arguments are not numbers, or not those of the factory.
    """
    names = [argument.arg for argument in factory.args.args]
    values = [module.constant(argument) for argument in arguments]
    if len(values) != len(names) or not all(type(value) in (bool, int, float) for value in values):
        raise Unsupported(f"{factory.name!r} with such arguments")
    (inner,) = (statement for statement in factory.body if isinstance(statement, ast.FunctionDef))
    inner = copy.deepcopy(inner)
    local_names = {argument.arg for argument in inner.args.args}
    local_names |= {part.id for part in walk(inner) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    constants = {name: value for name, value in zip(names, values, strict=True) if name not in local_names}
    inner.body = [_Replace(constants).visit(part) for part in inner.body]
    return inner


class _Replace(ast.NodeTransformer):
    """Replaces names by numbers."""

    def __init__(self, constants: dict[str, bool | int | float]) -> None:
        self.constants = constants

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the number of a name, or the name."""
        return ast.Constant(self.constants[node.id]) if node.id in self.constants else node
