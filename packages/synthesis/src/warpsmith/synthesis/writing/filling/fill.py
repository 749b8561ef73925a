"""Filling of a whole skeleton: helper functions first, because the kernel calls them, then the kernel's own holes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from warpsmith.synthesis.language import nodes
from warpsmith.synthesis.language.nodes import Array, Function, Kernel, Name, Scalar
from warpsmith.synthesis.language.walk import statements
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.filling.expressions import Expressions, Mention, variable_of
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.filling.scope import Scope
from warpsmith.synthesis.writing.filling.statements import Statements


def fill(
    skeleton: Kernel, weights: ProductionWeights, rng: RandomStream, dry_run: bool = True, length_factor: int = 1
) -> tuple[Kernel, tuple[Mention, ...]]:
    """Fill all holes of a skeleton; return the kernel and the phrases that its productions add to the description.

    Args:
        skeleton: the kernel with holes.
        weights: the weights of the productions.
        rng: the randomness.
        dry_run: whether a dry run checks the results afterwards; otherwise they are made to differ from thread to thread.
        length_factor: the factor by which the number of the skeleton's steps is multiplied.
    """
    reserved = {param.name for param in skeleton.params} | {constant.name for constant in skeleton.constants}
    reserved |= {skeleton.name} | set(_find_fixed_names(skeleton))
    functions = tuple(_fill_function(function, weights, rng, reserved) for function in skeleton.functions)

    scope = Scope(set(reserved))
    for constant in skeleton.constants:
        scope.add(Name(constant.name, constant.value.type, constant.value.low, constant.value.high), constant.name, wanted=True)
    for param in skeleton.params:
        if isinstance(param, Scalar) and not param.extent:
            scope.add(variable_of(param), param.name, wanted=True)
    expressions = Expressions(rng, scope, weights)
    for function in functions:
        expressions.offer(function)
    arrays = {param.name: param for param in skeleton.params if isinstance(param, Array)}
    body = Statements(rng, expressions, arrays, dry_run, length_factor).fill(skeleton.body)
    return replace(skeleton, body=body, functions=functions), tuple(expressions.mentions)


_NAME = re.compile(r"(?<![.$\w])[A-Za-z_]\w*")


def _find_fixed_names(skeleton: Kernel) -> Iterator[str]:
    """Yield the names that the skeleton itself contains: thread indices, counters, sums."""
    for statement in statements(skeleton.body):
        match statement:
            case nodes.Threads(names):
                yield from (name.name for name in names)
            case nodes.For(counter):
                yield counter.name
            case nodes.Declare(name) | nodes.Assign(name) if name:
                yield name
            case nodes.TemplateStatement(text):
                yield from _NAME.findall(text)


def _fill_function(function: Function, weights: ProductionWeights, rng: RandomStream, reserved: set[str]) -> Function:
    """Fill a helper function, and name it after its result."""
    scope = Scope(reserved | {param.name for param in function.params})
    for param in function.params:
        scope.add(variable_of(param), param.name, wanted=True)
    filler = Statements(rng, Expressions(rng, scope, weights), {})
    body = filler.fill(function.body)
    low, high = filler.returned or (0.0, 0.0)
    word = rng.choice([name for name in filler.names if "{" not in name] or ["value"])
    name = Scope(reserved).choose_name(tuple(pattern.format(word) for pattern in _HELPER_NAMES), "value", rng)
    reserved.add(name)
    return replace(function, name=name, body=body, low=low, high=high, word=word)


_HELPER_NAMES = ("compute_{0}", "{0}_of", "eval_{0}", "get_{0}", "{0}_term", "local_{0}")
