"""Assignments of several values at once."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from warpsmith.scoring.cuda_writer.block_writer import BlockWriter
from warpsmith.scoring.cuda_writer.code_pieces import Code
from warpsmith.scoring.cuda_writer.cuda_types import Kind, Tuple, is_vector
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.value_types import Type


def assign_several(statements: BlockWriter, node: ast.Assign, targets: Sequence[ast.expr]) -> None:
    """Write the assignment of several values.

    Raises:
        Unsupported: if the value does not have as many.
    """
    scope, value = statements.scope, node.value
    if isinstance(value, ast.Tuple) and len(value.elts) == len(targets):
        _in_parallel(statements, node, targets, value.elts)
        return
    found = statements.expressions.code(value)
    if isinstance(found.kind, Tuple) and len(found.kind.types) == len(targets):
        _from_call(statements, node, targets, found, found.kind.types)
    elif isinstance(found.kind, Type) and is_vector(found.kind) and len(targets) == found.kind.shape[0]:
        name = found.text
        if not name.isidentifier():
            name = scope.new_name("v")
            scope.emit(f"{scope.unit.name_of_type(found.kind)} {name} = {found.text};")
        for number, target in enumerate(targets):
            statements.store(node, target, statements.expressions.component(Code(name, found.kind), ast.Constant(number)))
    else:
        raise Unsupported(f"{len(targets)} values from {found.kind}")


def _in_parallel(statements: BlockWriter, node: ast.Assign, targets: Sequence[ast.expr], values: Sequence[ast.expr]) -> None:
    """Write ``a, b = b, a`` with a copy of each value that an earlier assignment changes."""
    scope = statements.scope
    found = [statements.expressions.code(value) for value in values]
    names = {target.id for target in targets[:-1] if isinstance(target, ast.Name)}
    read = {part.id for value in values[1:] for part in ast.walk(value) if isinstance(part, ast.Name)}
    if names & read or not all(isinstance(target, ast.Name) for target in targets):
        copies = []
        for value in found:
            name = scope.new_name("next")
            scope.emit(f"{scope.unit.name_of_type(value.kind)} {name} = {value.text};")
            copies.append(Code(name, value.kind))
        found = copies
    for target, value in zip(targets, found, strict=True):
        statements.store(node, target, value)


def _from_call(
    statements: BlockWriter, node: ast.Assign, targets: Sequence[ast.expr], call: Code, kinds: Sequence[Kind]
) -> None:
    """Write the call of a function that returns several values; its text lacks the arguments that receive them."""
    scope = statements.scope
    names: list[str] = []
    stores: list[tuple[ast.expr, Code]] = []
    declared: dict[str, list[str]] = {}
    for target, kind in zip(targets, kinds, strict=True):
        if isinstance(target, ast.Name):
            left = scope.assigned(node, target.id, kind).removeprefix("const ")
            name = scope.variable(target.id).name
            if left != name:
                declared.setdefault(scope.unit.name_of_type(kind), []).append(name)
        else:
            name = scope.new_name("value")
            declared.setdefault(scope.unit.name_of_type(kind), []).append(name)
            stores.append((target, Code(name, kind)))
        names.append(name)
    for ctype, variables in declared.items():
        scope.emit(f"{ctype} {', '.join(variables)};")
    prefix = "&" if scope.unit.idioms.pointers else ""
    comma = "" if call.text.endswith("(") else ", "
    scope.emit(f"{call.text}{comma}{', '.join(f'{prefix}{name}' for name in names)});")
    for target, value in stores:
        statements.store(node, target, value)
