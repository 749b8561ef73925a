"""Predicates for habits of generators that are rare in code that people write."""

from __future__ import annotations

import ast
import re

from warpsmith.validation.statistics.realism.facts import Facts
from warpsmith.validation.statistics.realism.simple_expressions import float_literal, warp_name

SMALL = 0.5
"""Literals between zero and this number are small."""

MORE_WORDS = 3
"""A docstring repeats the name of its kernel if it has this many more words, such as ``for each particle``, or fewer."""

_ADJECTIVE = re.compile(r"(weighted|scaled|offset|shifted|damped|biased|adjusted|blended|mixed|bounded|combined)_\w+")
_LETTERS = re.compile(r"[a-z0-9]+")


def small_tail(facts: Facts) -> bool:
    """A stored ``… ± 0.07 * x``: the last term is a small literal times a name or an element."""
    values = [store.value for store in facts.stores] + [call.args[-1] for call in facts.atomics]
    return any(map(_has_small_tail, values))


def _has_small_tail(value: ast.expr) -> bool:
    match value:
        case ast.BinOp(op=ast.Add() | ast.Sub(), right=ast.BinOp(left, ast.Mult(), right)):
            other = right if _is_small(left) else left if _is_small(right) else None
            return isinstance(other, ast.Name | ast.Subscript | ast.Attribute)
    return False


def _is_small(node: ast.expr) -> bool:
    value = float_literal(node)
    return value is not None and 0.0 < value < SMALL


def adjective_name(facts: Facts) -> bool:
    """A local variable such as ``weighted_x``, ``scaled_x`` or ``offset_x``."""
    return any(map(_ADJECTIVE.fullmatch, facts.locals))


def damped_tanh(facts: Facts) -> bool:
    """``wp.tanh(0.03 * x)``."""
    arguments = [argument for call in facts.calls if warp_name(call) == "tanh" for argument in call.args]
    return any(map(_is_small_product, arguments))


def _is_small_product(node: ast.expr) -> bool:
    match node:
        case ast.BinOp(left, ast.Mult(), right):
            return _is_small(left) or _is_small(right)
    return False


def nested_scaling(facts: Facts) -> bool:
    """``0.25 * (0.5 * x)``: a literal times a product with a literal, or times a sum with such a product."""
    factors = [_scaled(node) for node in facts.nodes]
    return any(factor is not None and _contains_scaled(factor) for factor in factors)


def _scaled(node: ast.AST) -> ast.expr | None:
    """Return what a product multiplies by a literal, or None for other nodes."""
    match node:
        case ast.BinOp(left, ast.Mult(), right):
            return right if float_literal(left) is not None else left if float_literal(right) is not None else None
    return None


def _contains_scaled(node: ast.expr) -> bool:
    match node:
        case ast.BinOp(left, ast.Add() | ast.Sub(), right):
            return _contains_scaled(left) or _contains_scaled(right)
    return _scaled(node) is not None


def echoing_docstring(facts: Facts) -> bool:
    """A docstring that starts with the words of the name and has few others, such as ``Sum cost for each triangle.``."""
    name = _LETTERS.findall(facts.node.name.lower())
    words = _LETTERS.findall((ast.get_docstring(facts.node) or "").lower())
    return bool(name) and words[: len(name)] == name and len(words) <= len(name) + MORE_WORDS


def repeated_test(facts: Facts) -> bool:
    """``if … elif …`` that tests the same condition twice."""
    chained: set[int] = set()
    for node in facts.branches:
        if id(node) not in chained:
            chain = _chain(node)
            chained |= set(map(id, chain))
            if len({ast.unparse(branch.test) for branch in chain}) < len(chain):
                return True
    return False


def _chain(node: ast.If) -> list[ast.If]:
    """Return an ``if`` and its ``elif``."""
    chain = [node]
    while len(chain[-1].orelse) == 1 and isinstance(following := chain[-1].orelse[0], ast.If):
        chain.append(following)
    return chain
