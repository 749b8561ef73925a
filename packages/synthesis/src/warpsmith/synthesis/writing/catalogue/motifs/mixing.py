"""Motifs of several numbers: averages, ratios, hypotenuses, limits."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Expr
from warpsmith.synthesis.language.types import FLOAT
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.motifs.motif import Motif, MotifInput, add, call, div, mul, neg, sub

ANY = MotifInput(FLOAT, -100.0, 100.0)
SHARE = MotifInput(FLOAT, 0.0, 1.0)
POSITIVE = MotifInput(FLOAT, 0.1, 50.0)


def _by_hand(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    a, b, t = args
    return add(mul(a, sub(1.0, t)), mul(b, t))


def _weighted_mean(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    a, b, weight = args
    return div(add(a, mul(weight, b)), add(1.0, weight))


def _hypotenuse(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    a, b = args
    return call("sqrt", add(add(mul(a, a), mul(b, b)), rng.choice((0.01, 0.1, 1.0))))


def _relative_difference(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    a, b = args
    return div(sub(a, b), add(add(call("abs", a), call("abs", b)), rng.choice((0.1, 0.01, 1.0))))


def _harmonic(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    a, b = args
    return div(mul(mul(2.0, a), b), add(a, b))


def _squared_error(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    error = sub(*args)
    return mul(error, error) if rng.chance(0.5) else mul(mul(0.5, error), error)


def _excess(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    a, b = args
    return call("max", sub(a, b), 0.0) if rng.chance(0.6) else call("min", sub(a, b), rng.choice((0.0, 1.0, 0.5)))


def _fused(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    a, b, c = args
    return add(mul(a, b), c)


def _fused_minus(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    a, b, c = args
    return sub(a, mul(b, c)) if rng.chance(0.6) else mul(neg(a), sub(b, c))


def _relax(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    value, goal = args
    return add(value, mul(rng.choice((0.1, 0.25, 0.5, 0.05)), sub(goal, value)))


MOTIFS = (
    Motif(FLOAT, "selection", (ANY, ANY, SHARE), _by_hand, ("blended", "mix", "interp"), "a linear blend", 0.8, repeats=(2,)),
    Motif(
        FLOAT,
        "arithmetic",
        (ANY, ANY, MotifInput(FLOAT, 0.0, 20.0)),
        _weighted_mean,
        ("mean", "average"),
        "a weighted mean",
        0.8,
        repeats=(2,),
    ),
    Motif(FLOAT, "arithmetic", (ANY, ANY), _hypotenuse, ("hypot", "distance", "norm"), "a hypotenuse", 0.8, repeats=(0, 1)),
    Motif(
        FLOAT,
        "arithmetic",
        (ANY, ANY),
        _relative_difference,
        ("contrast", "asymmetry", "rel_diff"),
        "a relative difference",
        repeats=(0, 1),
    ),
    Motif(
        FLOAT,
        "arithmetic",
        (POSITIVE, POSITIVE),
        _harmonic,
        ("harmonic", "effective", "parallel"),
        "a harmonic mean",
        0.5,
        repeats=(0, 1),
    ),
    Motif(
        FLOAT, "arithmetic", (ANY, ANY), _squared_error, ("err_sq", "penalty", "cost"), "a squared error", 1.0, repeats=(0, 1)
    ),
    Motif(FLOAT, "arithmetic", (ANY, ANY), _excess, ("excess", "overshoot", "gap"), "an excess over a limit", 0.7),
    Motif(FLOAT, "arithmetic", (ANY, ANY, ANY), _fused, ("affine", "predicted", "updated"), "", 2.0),
    Motif(FLOAT, "arithmetic", (ANY, ANY, ANY), _fused_minus, ("corrected", "balance", "remaining"), "", 1.5),
    Motif(FLOAT, "arithmetic", (ANY, ANY), _relax, ("relaxed", "filtered", "tracked"), "a relaxation step", 0.8, repeats=(0,)),
)
