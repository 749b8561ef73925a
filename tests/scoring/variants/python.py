"""Edits of a kernel's Python that keep its meaning."""

from __future__ import annotations

import ast
from random import Random

from scoring.variants.cuda import Edit

_COMMUTATIVE = (ast.Add, ast.Mult)


def _device_functions(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list]


def _parameters(function: ast.FunctionDef) -> set[str]:
    return {argument.arg for argument in function.args.args}


def _locals(function: ast.FunctionDef) -> set[str]:
    stored = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored - _parameters(function)


def rename_locals(source: str, random: Random) -> str:
    """Give local variables other names."""
    tree, word = ast.parse(source), random.choice(("value", "tmp", "q"))
    for function in _device_functions(tree):
        names = {name: f"{word}_{number}" for number, name in enumerate(sorted(_locals(function)))}
        for node in ast.walk(function):
            if isinstance(node, ast.Name):
                node.id = names.get(node.id, node.id)
    return ast.unparse(tree)


def other_assignments(source: str, random: Random) -> str:
    """Write ``a = a + b`` in place of ``a += b``, and the reverse; for elements of arrays these are different operations."""

    class Assignments(ast.NodeTransformer):
        def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
            if not isinstance(node.target, ast.Name) or random.random() < 0.2:
                return node
            value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
            return ast.Assign([ast.Name(node.target.id, ast.Store())], value, lineno=node.lineno)

        def visit_Assign(self, node: ast.Assign) -> ast.AST:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(left=ast.Name(id=left), op=op, right=right)):
                    if name == left and isinstance(op, ast.Add | ast.Sub | ast.Mult):
                        return ast.AugAssign(ast.Name(name, ast.Store()), op, right)
            return node

    return ast.unparse(ast.fix_missing_locations(Assignments().visit(ast.parse(source))))


def swap_branches(source: str, random: Random) -> str:
    """Negate conditions and exchange the branches."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and random.random() < 0.8:
            node.test = ast.UnaryOp(ast.Not(), node.test)
            node.body, node.orelse = node.orelse or [ast.Pass()], node.body
    return ast.unparse(ast.fix_missing_locations(tree))


def commute(source: str, random: Random) -> str:
    """Exchange the operands of additions, and those of multiplications by a number."""
    tree = ast.parse(source)
    for function in _device_functions(tree):
        for node in ast.walk(function):
            if isinstance(node, ast.BinOp) and isinstance(node.op, _COMMUTATIVE) and random.random() < 0.8:
                is_number = any(isinstance(side, ast.Constant) for side in (node.left, node.right))
                if isinstance(node.op, ast.Add) or is_number:
                    node.left, node.right = node.right, node.left
    return ast.unparse(tree)


def introduce_temporaries(source: str, random: Random) -> str:
    """Assign results to a variable before they are stored."""
    tree = ast.parse(source)
    for function in _device_functions(tree):
        count = 0
        for owner in ast.walk(function):
            body = getattr(owner, "body", None)
            if not isinstance(body, list):
                continue
            new: list[ast.stmt] = []
            for statement in body:
                match statement:
                    case ast.Assign(targets=[ast.Subscript()], value=ast.BinOp()) if random.random() < 0.8:
                        name, count = f"held_{count}", count + 1
                        new.append(ast.Assign([ast.Name(name, ast.Store())], statement.value))
                        statement.value = ast.Name(name, ast.Load())
                new.append(statement)
            owner.body = new  # type: ignore[attr-defined]
    return ast.unparse(ast.fix_missing_locations(tree))


def extract_function(source: str, random: Random) -> str:
    """Move an expression of the kernel into a separate function."""
    tree = ast.parse(source)
    kernel = _device_functions(tree)[-1]
    known = _locals(kernel)
    places = [
        node
        for node in ast.walk(kernel)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and _is_simple(node.value, known)
    ]
    if not places:
        return source
    chosen = random.choice(places)
    used = sorted({node.id for node in ast.walk(chosen.value) if isinstance(node, ast.Name)} & known)
    parameters = ", ".join(f"{name}: Any" for name in used)
    function = ast.parse(f"@wp.func\ndef part({parameters}):\n    return {ast.unparse(chosen.value)}\n").body[0]
    chosen.value = ast.parse(f"part({', '.join(used)})", mode="eval").body
    tree.body.insert(tree.body.index(kernel), function)
    tree.body.insert(0, ast.parse("from typing import Any").body[0])
    return ast.unparse(ast.fix_missing_locations(tree))


def _is_simple(expression: ast.expr, known: set[str]) -> bool:
    """Return whether an expression consists of local variables, numbers and operators."""
    nodes = [node for node in ast.walk(expression) if isinstance(node, ast.expr)]
    names = [node.id for node in nodes if isinstance(node, ast.Name)]
    return all(isinstance(node, ast.Name | ast.Constant | ast.BinOp) for node in nodes) and bool(names) and set(names) <= known


def add_dead_code(source: str, random: Random) -> str:
    """Add statements without an effect."""
    tree = ast.parse(source)
    for function in _device_functions(tree):
        dead = ast.parse(random.choice(("unused = 1.5 * 2.0", "if False:\n    pass", "unused = wp.sin(0.5)"))).body
        function.body[len(function.body) - 1 : len(function.body) - 1] = dead
    return ast.unparse(tree)


def reformat(source: str, random: Random) -> str:
    """Write the text in other lines, with comments and without documentation."""
    tree = ast.parse(source)
    for function in _device_functions(tree):
        if ast.get_docstring(function) and len(function.body) > 1:
            del function.body[0]
    lines = ast.unparse(tree).split("\n")
    return "\n".join(f"{line}  # a note" if line.strip() and random.random() < 0.3 else line for line in lines) + "\n\n"


EDITS: dict[str, Edit] = {
    "rename locals": rename_locals,
    "other assignments": other_assignments,
    "swap branches": swap_branches,
    "commute": commute,
    "extract a function": extract_function,
    "introduce temporaries": introduce_temporaries,
    "add dead code": add_dead_code,
    "reformat": reformat,
}
"""The edits by name, in an order in which they can be composed."""
