"""Predicates about arguments, constants, functions and decorators."""

from __future__ import annotations

import ast
import re

from warpsmith.validation.statistics.realism.facts import Facts
from warpsmith.validation.statistics.realism.simple_expressions import WARP, root

_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]+")
_NO_MEMBERS = frozenset({*"xyzw", "shape", "ndim", "size", "strides", "ptr", "dtype"})
"""Components of vectors and attributes of arrays."""

_PYTHON = frozenset({"int", "float", "bool", "range", "len", "min", "max", "abs", "round", "print", "type", "isinstance"})
"""Python's functions that kernels call."""


def eight_arguments(facts: Facts) -> bool:
    """Eight arguments or more."""
    return len(facts.arguments) >= 8


def fifteen_arguments(facts: Facts) -> bool:
    """Fifteen arguments or more."""
    return len(facts.arguments) >= 15


def named_constant(facts: Facts) -> bool:
    """A constant of a module or an enumeration, by its upper-case name; Warp's own, such as ``wp.PI``, do not count."""
    return any(_is_named_constant(facts, node) for node in facts.nodes)


def _is_named_constant(facts: Facts, node: ast.AST) -> bool:
    match node:
        case ast.Name(name, ast.Load()):
            return _CONSTANT.fullmatch(name) is not None and name not in facts.arguments and name not in facts.locals
        case ast.Attribute(attr=name):
            return _CONSTANT.fullmatch(name) is not None and root(node) not in (*WARP, *facts.arguments)
    return False


def member(facts: Facts) -> bool:
    """``argument.member``; components of vectors and attributes of arrays do not count."""
    attributes = [node for node in facts.nodes if isinstance(node, ast.Attribute) and node.attr not in _NO_MEMBERS]
    return any(root(node) in facts.arguments for node in attributes)


def calls_function(facts: Facts) -> bool:
    """A function that is neither Warp's nor Python's."""
    return bool(_functions(facts))


def calls_three_functions(facts: Facts) -> bool:
    """Three different such functions, or more."""
    return len(_functions(facts)) >= 3


def _functions(facts: Facts) -> set[str]:
    """Return the functions called that are neither Warp's nor Python's; a capitalized name is a type."""
    callees = [call.func for call in facts.calls if root(call.func) not in (None, *WARP)]
    names = {ast.unparse(callee) for callee in callees}
    return {name for name in names if name not in _PYTHON and not name.rpartition(".")[2][:1].isupper()}


def without_backward(facts: Facts) -> bool:
    """``enable_backward=False``."""
    return _options(facts).get("enable_backward") == "False"


def other_options(facts: Facts) -> bool:
    """Another option of the decorator."""
    return bool(_options(facts).keys() - {"enable_backward"})


def _options(facts: Facts) -> dict[str, str]:
    keywords = facts.decorator.keywords if isinstance(facts.decorator, ast.Call) else []
    return {keyword.arg or "**": ast.unparse(keyword.value) for keyword in keywords}
