"""A Python module that defines the kernels of many probes, and a program that launches them."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from known_adjoints.corpus.probe import Probe

DOUBLE = {
    **{
        f"{name}{letter}": f"{name}d"
        for name in ("vec2", "vec3", "vec4", "mat22", "mat33", "mat44", "quat")
        for letter in ("", "f", "h")
    },
    **{
        f"{name}{letter}": f"{name}d" for name in ("transform", "spatial_vector", "spatial_matrix") for letter in ("", "f", "h")
    },
    "float16": "float64",
    "float32": "float64",
}
"""Warp's types in double precision."""


class _Double(ast.NodeTransformer):
    """Double precision in place of every other one."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.parse("wp.float64", mode="eval").body if node.id == "float" else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "wp":
            node.attr = DOUBLE.get(node.attr, node.attr)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, str):
            return ast.Constant(re.sub(r"\b(\w*)float\b", r"\1double", node.value).replace("f;", ";"))
        return ast.parse(f"wp.float64({node.value!r})", mode="eval").body if isinstance(node.value, float) else node


class _Renamed(ast.NodeTransformer):
    """The names of a file with a suffix."""

    def __init__(self, names: set[str], suffix: str) -> None:
        self.names, self.suffix = names, suffix

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id in self.names:
            node.id += self.suffix
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        if node.name in self.names:
            node.name += self.suffix
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        if node.name in self.names:
            node.name += self.suffix
        return node


def definitions(source: str, suffix: str, *, double: bool = False, options: Mapping[str, Any] | None = None) -> str:
    """Return a file whose names have a suffix.

    Args:
        source: the file.
        suffix: what each name that it defines at its top level gets.
        double: whether all numbers are in double precision.
        options: options of the module of the kernel.
    """
    tree: ast.Module = ast.parse(source)
    if double:
        tree = _Double().visit(tree)
    if options:
        decorator = ast.parse(f'wp.kernel(module="unique", module_options={dict(options)!r})', mode="eval").body
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name == "kernel":
                node.decorator_list = [decorator]
    names = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    names |= {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    return ast.unparse(ast.fix_missing_locations(_Renamed(names, suffix).visit(tree))) + "\n"


HEAD = "from typing import Any\n\nimport warp as wp\n\nfrom known_adjoints.corpus.given import inputs, launched\n"
"""The first lines of a program."""


def program(probes: Mapping[int, Probe], *, double: bool = False) -> str:
    """Return a program that defines the kernels of probes, ``kernel_<number>``, and launches each one if it is run."""
    texts = [
        definitions(one.program or one.source, f"_{number}", double=double, options=one.options)
        for number, one in probes.items()
    ]
    launches = [
        f"    launched(kernel_{number}, {one.dim}, inputs(kernel_{number}, {number}), {one.block})\n"
        for number, one in probes.items()
    ]
    return (
        HEAD
        + "\n\n"
        + "\n\n".join(texts)
        + '\n\nif __name__ == "__main__":\n    wp.config.optimization_level = 0\n'
        + "    wp.config.use_precompiled_headers = False\n"
        + "".join(launches)
    )
