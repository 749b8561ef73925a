"""Constructs of a kernel that may make the gradient of an argument wrong: what a reduction keeps besides the argument.

An argument has the cause "loop" if a value that a loop changes depends on it, or is multiplied by what depends on it; likewise
for the other constructs. The analysis reads names only. It is coarse, but the same for a pair and for its candidates.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypedDict

from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.python_source import NotPythonError, parse_python
from warpsmith.validation.reduction.fault import UNSET
from warpsmith.validation.reduction.statement_edits import functions, kernel_of

BY_HAND = ("func_grad", "func_replay", "func_native")
"""The decorators of adjoints and C++ that are written by hand."""

LINEAR = ("vec", "mat", "quat", "transform", "spatial_", "float", "int", "tid", "where")
"""The starts of functions that add up or arrange what they receive."""

CAUSE_TEXTS = {
    "loop": "a variable that a loop changes",
    "loop with a jump": "a variable that a loop with a jump changes",
    "first assigned in a block": "a variable that is first assigned in a loop or branch and read elsewhere",
    "component": "an assignment to a part of a vector, matrix or struct",
    "overwritten": "an element of an array that is read and written, or written more than once",
    "written by hand": "an adjoint or C++ that is written by hand",
}
"""What a reproducer says about the causes that are no calls."""

Causes = dict[str, set[str]]


class CausesOfPairs(TypedDict):
    """The answer of a worker: for each pair the causes of each argument, in alphabetical order."""

    causes: list[dict[str, list[str]]]


def list_causes(lines: Sequence[Line]) -> CausesOfPairs:
    """Return the causes of each argument, for each pair; for sandboxed workers."""
    return {"causes": [{name: sorted(found) for name, found in _of_line(line).items()} for line in lines]}


def _of_line(line: Line) -> Causes:
    try:
        return causes(line.pair.python_source) if line.pair is not None else {}
    except (NotPythonError, RecursionError):
        return {}


def causes(source: str) -> Causes:
    """Return what may make the gradient of each argument wrong, its functions where nothing else may; and those of `UNSET`."""
    tree = parse_python(source)
    kernel = kernel_of(tree)
    if kernel is None:
        return {}
    arguments = [argument.arg for argument in kernel.args.args]
    flows = _flows(kernel)
    helpers = {function.name: _of_helper(function) for function in functions(tree) if function is not kernel}
    decorators = [decorator for function in functions(tree) for decorator in function.decorator_list]
    by_hand = {_function_of(decorator) for decorator in decorators if _is_by_hand(decorator)}
    by_hand |= {function.name for function in functions(tree) if any(map(_is_by_hand, function.decorator_list))}
    found: Causes = {argument: set() for argument in arguments}
    calls: Causes = {argument: set() for argument in arguments}
    constructs = list(_constructs(kernel, arguments, helpers, by_hand))
    products = [_reached(_values([node]), flows) for node in _products(kernel)]
    for cause, involved in constructs:
        origins = _reached(involved, flows)
        for argument in arguments:
            if argument in origins or any(argument in product and involved & product for product in products):
                found[argument].add(cause)
    for node in ast.walk(kernel):
        if isinstance(node, ast.Call):
            for argument in _reached(_values(node.args), flows) & calls.keys():
                calls[argument].add(ast.unparse(node.func))
    unset = {name for function in functions(tree) for name, _ in _assigned_in_blocks(function)}
    return {argument: found[argument] or calls[argument] for argument in arguments} | {UNSET: unset}


def _flows(kernel: ast.FunctionDef) -> Causes:
    """Return for each variable the names that its values are computed from."""
    flows: Causes = defaultdict(set)
    for node in ast.walk(kernel):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) and node.value is not None:
            for target in _targets(node):
                flows[_root(target)] |= _values([node.value])
        elif isinstance(node, ast.Call):  # a function may write the arrays that it receives
            several = _values(node.args)
            for argument in node.args:
                if isinstance(argument, ast.Name):
                    flows[argument.id] |= several if _writes(node) else set()
    return flows


def _writes(call: ast.Call) -> bool:
    name = ast.unparse(call.func)
    return "atomic_" in name or "store" in name or not name.startswith("wp.")


def _reached(start: set[str], flows: Causes) -> set[str]:
    """Return the names that values depend on, themselves included."""
    reached, fresh = set(start), set(start)
    while fresh:
        fresh = {origin for name in fresh for origin in flows.get(name, ())} - reached
        reached |= fresh
    return reached


def _constructs(
    kernel: ast.FunctionDef, arguments: Sequence[str], helpers: Causes, by_hand: set[str]
) -> Iterator[tuple[str, set[str]]]:
    """Yield constructs whose adjoint may be wrong, each with the names that it changes and reads."""
    stores: dict[str, int] = defaultdict(int)
    flows = _flows(kernel)
    for name, values in _assigned_in_blocks(kernel):
        yield "first assigned in a block", {name, *values}
    for node in ast.walk(kernel):
        if isinstance(node, ast.For | ast.While):
            jumps = any(isinstance(part, ast.Break | ast.Return) for part in ast.walk(node))
            yield ("loop with a jump" if jumps else "loop"), _carried(node, kernel)
        elif isinstance(node, ast.Assign | ast.AugAssign):
            for target in _targets(node):
                root, value = _root(target), _values([node.value])
                if _is_component(target, arguments) and not isinstance(node, ast.AugAssign):
                    yield "component", {root, *value}
                elif root in arguments and not isinstance(target, ast.Name):
                    stores[root] += 1
                    if stores[root] > 1 or root in _reached(value, flows) or not _adds(node):
                        yield "overwritten", {root, *value}
        elif isinstance(node, ast.Call):
            name, several = ast.unparse(node.func), _values(node.args)
            if "atomic_" in name:
                yield name, several
            yield from ((cause, several) for cause in sorted(helpers.get(name, ())))
            if name in by_hand:
                yield "written by hand", several


def _of_helper(function: ast.FunctionDef) -> set[str]:
    arguments = [argument.arg for argument in function.args.args]
    return {cause for cause, _ in _constructs(function, arguments, {}, set())}


def _carried(loop: ast.For | ast.While, function: ast.FunctionDef) -> set[str]:
    """Return the variables that a loop changes and that have a value before it."""
    assigned = {_root(target) for node in ast.walk(loop) for target in _targets(node)}
    before = {_root(target) for node in ast.walk(function) if getattr(node, "lineno", loop.lineno) < loop.lineno
              for target in _targets(node)}  # fmt: skip
    return assigned & before


def _assigned_in_blocks(function: ast.FunctionDef) -> Iterator[tuple[str, set[str]]]:
    """Yield the variables that are first assigned in a loop or branch and read behind it, each with what is assigned."""
    known = {argument.arg for argument in function.args.args}
    for number, statement in enumerate(function.body):
        read = _read(function.body[number + 1 :], set())
        known |= _always_assigned(statement)
        for node in ast.walk(statement):
            for name in _assigned(node) & read - known:
                yield name, _values([node])
        known |= {name for node in ast.walk(statement) for name in _assigned(node)}


def _read(block: Sequence[ast.stmt], assigned: set[str]) -> set[str]:
    """Return the variables that a block of statements reads before it assigns them, besides those ``assigned`` before it."""
    found, known = set(), set(assigned)
    for statement in block:
        inner = [part for name in ("body", "orelse") for part in getattr(statement, name, [])]
        outer = [node for node in ast.iter_child_nodes(statement) if node not in inner]
        found |= {node.id for part in outer for node in ast.walk(part) if isinstance(node, ast.Name) and _is_read(node)} - known
        counters = _assigned(statement) if inner else set()
        for name in ("body", "orelse"):
            found |= _read(getattr(statement, name, []), known | counters)
        known |= _always_assigned(statement)
    return found


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _assigned(node: ast.AST) -> set[str]:
    """Return the variables that a node assigns, the counter of a loop included."""
    targets = [node.target] if isinstance(node, ast.For) else _targets(node)
    return {_root(target) for target in targets}


def _always_assigned(statement: ast.stmt) -> set[str]:
    """Return the variables that a statement assigns in any case: of a branch, those that both sides assign; of a loop, none."""
    if isinstance(statement, ast.If):
        sides = ({name for node in side for name in _always_assigned(node)} for side in (statement.body, statement.orelse))
        return set.intersection(*sides)
    return {_root(target) for target in _targets(statement)}


def _products(kernel: ast.FunctionDef) -> Iterator[ast.expr]:
    """Yield the expressions in which the gradient of one operand is computed from the value of another one."""
    for node in ast.walk(kernel):
        match node:
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                continue
            case ast.Call(function) if ast.unparse(function).removeprefix("wp.").startswith(LINEAR):
                continue
            case ast.BinOp() | ast.Call():
                yield node


def _targets(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Assign(targets):
            return [part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
        case ast.AugAssign(target) | ast.AnnAssign(target):
            return [target]
    return []


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _is_component(target: ast.expr, arguments: Sequence[str]) -> bool:
    """Return whether a target is a part of a vector or of a struct: an element of an array has its name as its only part."""
    if isinstance(target, ast.Name):
        return False
    return _root(target) not in arguments or (isinstance(target, ast.Subscript) and isinstance(target.value, ast.Subscript))


def _adds(node: ast.Assign | ast.AugAssign) -> bool:
    return isinstance(node, ast.Assign) or isinstance(node.op, ast.Add | ast.Sub)


def _is_by_hand(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and ast.unparse(decorator.func).rpartition(".")[2] in BY_HAND


def _function_of(decorator: ast.expr) -> str:
    """Return the function that a decorator is about, such as the one whose gradient is written by hand."""
    return ast.unparse(decorator.args[0]) if isinstance(decorator, ast.Call) and decorator.args else ""


def _values(nodes: Sequence[ast.AST]) -> set[str]:
    """Return the names whose values expressions are computed from; an index and the name of a function have no gradient."""
    found: set[str] = set()
    for node in nodes:
        match node:
            case ast.Name(name):
                found |= {name} - {"wp"}
            case ast.Subscript(value):
                found |= _values([value])
            case ast.Call(_, arguments, keywords):
                found |= _values([*arguments, *(keyword.value for keyword in keywords)])
            case _:
                found |= _values(list(ast.iter_child_nodes(node)))
    return found
