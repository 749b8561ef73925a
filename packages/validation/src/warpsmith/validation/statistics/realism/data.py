"""Predicates about what a kernel reads and writes, and about the types of its values."""

from __future__ import annotations

import ast
import re

from warpsmith.validation.statistics.realism.facts import Facts

_WORD = re.compile(r"\w+")
_WITHOUT_FLOATS = re.compile(r"wp|warp|dtype|ndim|\d|array(\dd)?|bool|u?int(8|16|32|64)?|vec\d(u?[bsil])")
"""The words in annotations of arguments that hold no floats."""

_FLOATING = re.compile(
    r"float(\d\d)?|vec(\d?[fdh]?|tor)|mat(\d\d[fdh]?|rix)|quat\w*|transform\w*|spatial\w*|sqrt|sin|cos|tan\w*|exp|log|pow|rand[fn]"
)
"""The names whose calls have floats as results."""


def many_stores(facts: Facts) -> bool:
    """Three assignments to elements of arrays, or more."""
    return len(facts.stores) >= 3


def atomic(facts: Facts) -> bool:
    """An atomic operation on an array."""
    return bool(facts.atomics)


def read_and_written(facts: Facts) -> bool:
    """An array of which elements are read and assigned, or changed by ``+=``."""
    written = {ast.unparse(store.array) for store in facts.stores}
    augmented = any(store.operator is not None for store in facts.stores)
    return augmented or not written.isdisjoint(ast.unparse(load.value) for load in facts.loads)


def copies_only(facts: Facts) -> bool:
    """All that is stored are constants, arguments and elements of arrays; nothing is computed."""
    if not facts.stores or facts.atomics or any(store.operator is not None for store in facts.stores):
        return False
    remaining, seen = [store.value for store in facts.stores], set[str]()
    while remaining:
        value = remaining.pop()
        if isinstance(value, ast.Name) and value.id in facts.locals:
            if value.id not in seen:
                seen.add(value.id)
                remaining += facts.locals[value.id]
        elif not _is_plain(facts, value):
            return False
    return True


def _is_plain(facts: Facts, value: ast.expr) -> bool:
    match value:
        case ast.Constant() | ast.Attribute() | ast.UnaryOp(ast.USub(), ast.Constant()):
            return True
        case ast.Name(name):
            return name in facts.arguments or name.isupper()
        case ast.Subscript(array):
            return facts.is_array(array)
        case ast.Call(args=arguments):
            return all(isinstance(argument, ast.Constant) for argument in arguments)
    return False


def boolean(facts: Facts) -> bool:
    """A type ``bool``, or ``True`` or ``False``."""
    annotated = any("bool" in _WORD.findall(annotation) for annotation in facts.arguments.values())
    return annotated or any(map(_is_boolean, facts.nodes))


def _is_boolean(node: ast.AST) -> bool:
    match node:
        case ast.Constant(bool()) | ast.Name("bool") | ast.Attribute(ast.Name("wp" | "warp"), "bool"):
            return True
    return False


def no_floats(facts: Facts) -> bool:
    """Arguments of integers and truth values only, and no literal, division or function of floating-point numbers."""
    annotations = facts.arguments.values()
    known = all(annotation and all(map(_WITHOUT_FLOATS.fullmatch, _WORD.findall(annotation))) for annotation in annotations)
    return known and not any(map(_is_floating, facts.nodes))


def _is_floating(node: ast.AST) -> bool:
    match node:
        case ast.Constant(float()) | ast.BinOp(op=ast.Div()):
            return True
        case ast.Call(ast.Name(name) | ast.Attribute(ast.Name("wp" | "warp"), name)):
            return _FLOATING.fullmatch(name) is not None
    return False
