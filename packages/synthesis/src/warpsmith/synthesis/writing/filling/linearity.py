"""Linear analysis of expressions: the coefficient of each value, terms that cancel, and expressions that are constant.

For kernels without a dry run, this analysis alone prevents results that show nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from warpsmith.synthesis.language.nodes import Apply, Const, Expr, Name

_NOTHING = 1.0e-6


def collect_coefficients(expr: Expr, meanings: Mapping[str, Expr] | None = None) -> dict[Expr, float]:
    """Return the coefficient of each value in sums and products with literals; results of other functions count as values.

    Args:
        expr: the expression to analyze.
        meanings: the expressions of names that are to be expanded.
    """
    coefficients: dict[Expr, float] = defaultdict(float)
    _add_coefficients(expr, 1.0, meanings or {}, coefficients)
    return coefficients


def _add_coefficients(expr: Expr, factor: float, meanings: Mapping[str, Expr], coefficients: dict[Expr, float]) -> None:
    match expr:
        case Name(name) if name in meanings:
            _add_coefficients(meanings[name], factor, meanings, coefficients)
        case Apply("add" | "sub" as key, (a, b)):
            _add_coefficients(a, factor, meanings, coefficients)
            _add_coefficients(b, -factor if key == "sub" else factor, meanings, coefficients)
        case Apply("mul", (Const(number), other)) | Apply("mul", (other, Const(number))):
            _add_coefficients(other, factor * number, meanings, coefficients)
        case _:
            coefficients[expr] += factor


def contains_value(expr: Expr, value: Expr, meanings: Mapping[str, Expr] | None = None) -> bool:
    """Return whether ``expr`` contains ``value`` with a coefficient that is not zero."""
    return abs(collect_coefficients(expr, meanings).get(value, 0.0)) > _NOTHING


def is_degenerate(expr: Expr) -> bool:
    """Return whether an expression is a difference or quotient of equal terms, is constant, or contains such an expression."""
    match expr:
        case Apply(low=low, high=high) if low == high:
            return True
        case Apply("min", (a, Const(bound))) | Apply("min", (Const(bound), a)) if _bounds(a)[0] >= bound:
            return True
        case Apply("max", (a, Const(bound))) | Apply("max", (Const(bound), a)) if _bounds(a)[1] <= bound:
            return True
        case Apply("sub" | "div" | "cross" | "min" | "max", (a, b)):
            return a == b or is_degenerate(a) or is_degenerate(b)
        case Apply(_, args):
            return any(is_degenerate(arg) for arg in args)
    return False


def _bounds(expr: Expr) -> tuple[float, float]:
    """Return bounds of a sum that are tighter than its own if it contains a value twice."""
    low = high = 0.0
    for value, factor in collect_coefficients(expr).items():
        ends = factor * value.low, factor * value.high
        low, high = low + min(ends), high + max(ends)
    return low, high
