"""Predicates about indices of arrays."""

from __future__ import annotations

import ast
import re

from warpsmith.validation.statistics.realism.facts import Facts
from warpsmith.validation.statistics.realism.simple_expressions import computes, integer_literal, outside_subscripts

_REPLICA = re.compile(r"_?(world|env|environment|batch|scene|replica|instance)s?(_?(id|idx|index|i))?")


def loaded(facts: Facts) -> bool:
    """``j = idx[i]`` that is an index later, or ``a[idx[i]]``."""
    return any(_loads(facts, expression) for expression in (*_values_of_indices(facts), *facts.indices))


def computed_local(facts: Facts) -> bool:
    """A local variable that is computed by arithmetic and is an index later."""
    return any(map(computes, _values_of_indices(facts)))


def arithmetic(facts: Facts) -> bool:
    """``a[i + k]``."""
    return any(map(computes, facts.indices))


def constant(facts: Facts) -> bool:
    """``a[0]``, where ``a`` is an array."""
    return any(integer_literal(index) is not None for index in facts.array_indices)


def several_thread_indices(facts: Facts) -> bool:
    """``i, j = wp.tid()``."""
    return any(len(names) >= 2 for names in facts.thread_indices)


def replica(facts: Facts) -> bool:
    """An index with the name of a world, an environment, a batch, a scene, a replica or an instance."""
    names = _names_in_indices(facts).union(*facts.thread_indices)
    return any(_REPLICA.fullmatch(name) for name in names)


def _loads(facts: Facts, value: ast.expr) -> bool:
    return any(isinstance(inner, ast.Subscript) and facts.is_array(inner.value) for inner in outside_subscripts(value))


def _values_of_indices(facts: Facts) -> list[ast.expr]:
    """Return the values of the local variables that occur in indices."""
    return [value for name in _names_in_indices(facts) for value in facts.locals.get(name, ())]


def _names_in_indices(facts: Facts) -> set[str]:
    inner = (node for index in facts.indices for node in outside_subscripts(index))
    return {node.id for node in inner if isinstance(node, ast.Name)}
