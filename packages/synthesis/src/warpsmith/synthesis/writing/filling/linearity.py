"""What an expression adds up: how often each value stands in it, what cancels, and what comes out the same for all inputs.

Kernels that nothing tries out are kept from showing nothing by this alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from warpsmith.synthesis.language.nodes import Apply, Const, Expr, Name

_NOTHING = 1.0e-6


def collect_shares(expr: Expr, meanings: Mapping[str, Expr] | None = None) -> dict[Expr, float]:
    """How often each value is added up, as far as sums and factors go; other functions of values are values of their own.

    Args:
        expr: what is taken apart.
        meanings: what names stand for that are to be taken apart, too.
    """
    found: dict[Expr, float] = defaultdict(float)
    _collect(expr, 1.0, meanings or {}, found)
    return found


def _collect(expr: Expr, factor: float, meanings: Mapping[str, Expr], found: dict[Expr, float]) -> None:
    match expr:
        case Name(name) if name in meanings:
            _collect(meanings[name], factor, meanings, found)
        case Apply("add" | "sub" as key, (a, b)):
            _collect(a, factor, meanings, found)
            _collect(b, -factor if key == "sub" else factor, meanings, found)
        case Apply("mul", (Const(number), other)) | Apply("mul", (other, Const(number))):
            _collect(other, factor * number, meanings, found)
        case _:
            found[expr] += factor


def contains_share(expr: Expr, value: Expr, meanings: Mapping[str, Expr] | None = None) -> bool:
    """Whether shares of ``value`` stand in ``expr`` and do not cancel."""
    return abs(collect_shares(expr, meanings).get(value, 0.0)) > _NOTHING


def is_degenerate(expr: Expr) -> bool:
    """Whether an expression is a difference or quotient of equal terms, or one number for all inputs, or holds such a one."""
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
    """Bounds of a sum, narrower than its own where a value stands in it twice."""
    low = high = 0.0
    for value, factor in collect_shares(expr).items():
        ends = factor * value.low, factor * value.high
        low, high = low + min(ends), high + max(ends)
    return low, high
