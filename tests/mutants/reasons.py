"""Why a mutant slipped, as far as its text and its verdicts tell: a table of rules, the first that holds."""

from __future__ import annotations

import re
from collections.abc import Callable

from mutants.judging import Outcome

_COMPARES = re.compile(r" (<|>|<=|>=|==|!=) ")
_BOUNDED = re.compile(r"wp::(adj_)?(min|max|clamp|step|smoothstep|where|abs|sign)\(")


def _status(one: Outcome, level: str) -> str:
    return next((verdict.status for verdict in one.verdicts if verdict.level == level), "")


def _ungraded(one: Outcome, status: str) -> bool:
    """Whether the only level that could see a compiler's mistake has said nothing."""
    return one.mutant.family == "compiler" and _status(one, "gradient") == status


RULES: tuple[tuple[Callable[[Outcome], bool], str], ...] = (
    (lambda one: _status(one, "execute") == "skipped", "the pair was not run"),
    (lambda one: _ungraded(one, "inconclusive"), "gradient is inconclusive: no draw has a derivative, or all are zero"),
    (lambda one: _ungraded(one, "not_applicable"), "gradient does not apply: no floats come in, or none go out"),
    (lambda one: one.mutant.edit == "operator" and "&&" in one.mutant.before, "no input tells the conditions apart"),
    (lambda one: one.mutant.edit == "operator" and bool(_COMPARES.search(one.mutant.before)), "no input lies on the boundary"),
    (lambda one: one.mutant.edit == "branch", "no input takes the branch, or both ways lead to the same"),
    (lambda one: one.mutant.edit == "loop bound", "the turn more or less does nothing at these inputs"),
    (lambda one: bool(_BOUNDED.search(one.mutant.before)), "no input reaches the bound"),
    (lambda one: "adj_array_store" in one.mutant.before, "the gradients of outputs are not compared"),
    (lambda one: one.mutant.edit == "constant", "no value lies between the two constants, or the branch is not taken"),
    (lambda one: one.mutant.family != "forward", "what flows back is zero at these inputs, or lost in rounding"),
)
"""Rules in order, each with what it says."""


def reason(one: Outcome) -> str:
    """A guess at why nothing caught it."""
    return next((why for rule, why in RULES if rule(one)), "the branch is not taken, or leads to the same at these inputs")
