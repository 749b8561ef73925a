"""Likely reasons why a mutant slipped, by its text and its verdicts: the first rule of a table that holds."""

from __future__ import annotations

import re
from collections.abc import Callable

from mutants.checking import Outcome
from mutants.operators import COMPARISON

_BOUNDED = re.compile(r"wp::(adj_)?(min|max|clamp|step|smoothstep|where|abs|sign)\(")


FORWARD = ("forward", "common")
"""The families of mutants of the forward pass."""


def _status(one: Outcome, level: str) -> str:
    return next((verdict.status for verdict in one.verdicts if verdict.level == level), "")


def _ungraded(one: Outcome, status: str) -> bool:
    """Return whether `gradient`, the only level that can catch a compiler error, has the given status without a result."""
    return one.mutant.family == "compiler" and _status(one, "gradient") == status


RULES: tuple[tuple[Callable[[Outcome], bool], str], ...] = (
    (lambda one: one.agrees, "it leaves the same as the original at 50,000 random inputs"),
    (lambda one: _status(one, "execute") == "skipped", "the pair was not run"),
    (
        lambda one: _ungraded(one, "inconclusive"),
        "gradient is inconclusive: no launch has a derivative, or all derivatives are zero",
    ),
    (lambda one: _ungraded(one, "not_applicable"), "gradient does not apply: no float is an input, or none is an output"),
    (lambda one: one.mutant.edit == "operator" and "&&" in one.mutant.before, "no input distinguishes the conditions"),
    (lambda one: one.mutant.edit == "operator" and bool(COMPARISON.search(one.mutant.before)), "no input lies on the boundary"),
    (lambda one: one.mutant.edit == "branch", "no input takes the branch, or both branches have the same result"),
    (lambda one: one.mutant.edit == "loop bound", "one iteration more or less has no effect for these inputs"),
    (lambda one: bool(_BOUNDED.search(one.mutant.before)), "no input reaches the bound"),
    (lambda one: "adj_array_store" in one.mutant.before, "the gradients of outputs are not compared"),
    (lambda one: one.mutant.edit == "constant", "no value lies between the two constants, or the branch is not taken"),
    (lambda one: one.mutant.family not in FORWARD, "the contribution is zero for these inputs, or lost in rounding"),
)
"""The rules in order, each with its reason."""


def reason(one: Outcome) -> str:
    """Return a likely reason why no level caught the mutant."""
    return next((why for rule, why in RULES if rule(one)), "the branch is not taken, or has the same result for these inputs")
