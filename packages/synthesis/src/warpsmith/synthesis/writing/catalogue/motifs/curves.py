"""Motifs of one number: falloffs, activations, polynomials."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Expr
from warpsmith.synthesis.language.types import FLOAT
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.motifs.motif import Motif, MotifInput, add, call, div, mul, neg, sub

MODERATE = MotifInput(FLOAT, -5.0, 5.0)
POSITIVE = MotifInput(FLOAT, 0.1, 20.0)


def _gaussian(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (x,) = args
    square = mul(x, x)
    return call("exp", neg(square) if rng.chance(0.5) else mul(rng.choice((-0.5, -2.0, -0.25)), square))


def _inverse_square(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (x,) = args
    return div(1.0, add(mul(x, x), rng.choice((0.1, 0.25, 0.5, 1.0))))


def _decay(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    return call("exp", mul(rng.choice((-0.5, -0.25, -0.75, -0.1)), args[0]))


def _rational(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (x,) = args
    return div(x, add(call("abs", x), rng.choice((1.0, 0.5, 2.0))))


def _hat(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (x,) = args
    bump = call("max", sub(1.0, mul(x, x)), 0.0)
    return bump if rng.chance(0.6) else mul(rng.choice((0.75, 1.5, 0.5)), bump)


def _logistic(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    return div(1.0, add(1.0, call("exp", neg(args[0]))))


def _softplus(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    return call("log", add(1.0, call("exp", args[0])))


def _quadratic(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (x,) = args
    first, second, third = (rng.choice((0.5, 1.5, 2.0, 0.25, 0.1, 3.0)) for _ in range(3))
    return add(mul(add(mul(first, x), second), x), third) if rng.chance(0.5) else sub(mul(mul(first, x), x), second)


def _damped_wave(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    x, decay = args
    return mul(call(rng.choice(("sin", "cos")), mul(rng.choice((2.0, 3.0, 0.5)), x)), call("exp", neg(decay)))


def _saturation(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    x, half = args
    return div(x, add(x, half)) if rng.chance(0.7) else div(mul(x, x), add(mul(half, half), mul(x, x)))


def _soft_root(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (x,) = args
    return sub(call("sqrt", add(mul(x, x), rng.choice((1.0, 0.1, 0.25)))), rng.choice((1.0, 0.5, 0.1)))


def _hermite(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (t,) = args
    return mul(mul(t, t), sub(3.0, mul(2.0, t)))


MOTIFS = (
    Motif(
        FLOAT, "curve", (MODERATE,), _gaussian, ("falloff", "gauss", "weight", "bell"), "a Gaussian falloff", 1.5, repeats=(0,)
    ),
    Motif(
        FLOAT,
        "curve",
        (MODERATE,),
        _inverse_square,
        ("attenuation", "inv_sq", "response"),
        "an inverse-square falloff",
        repeats=(0,),
    ),
    Motif(FLOAT, "curve", (MODERATE,), _decay, ("decay", "fade", "damp"), "an exponential decay", 1.2),
    Motif(
        FLOAT,
        "curve",
        (MotifInput(FLOAT, -100.0, 100.0),),
        _rational,
        ("limited", "soft", "squeezed"),
        "a soft limit",
        0.8,
        repeats=(0,),
    ),
    Motif(
        FLOAT, "curve", (MotifInput(FLOAT, -3.0, 3.0),), _hat, ("hat", "support", "lobe"), "a compact bump", 0.7, repeats=(0,)
    ),
    Motif(FLOAT, "curve", (MODERATE,), _logistic, ("sigmoid", "probability", "gate"), "a logistic curve", 1.2),
    Motif(FLOAT, "curve", (MODERATE,), _softplus, ("softplus", "soft_max0", "smooth_relu"), "a softplus", 0.6),
    Motif(FLOAT, "arithmetic", (MODERATE,), _quadratic, ("poly", "quad", "curve", "fit"), "a quadratic", 1.0, repeats=(0,)),
    Motif(
        FLOAT, "curve", (MODERATE, MotifInput(FLOAT, 0.0, 8.0)), _damped_wave, ("ripple", "wave", "ring"), "a damped wave", 0.8
    ),
    Motif(
        FLOAT,
        "arithmetic",
        (POSITIVE, POSITIVE),
        _saturation,
        ("saturated", "uptake", "share"),
        "a saturation",
        0.9,
        repeats=(0, 1),
    ),
    Motif(
        FLOAT,
        "curve",
        (MotifInput(FLOAT, -20.0, 20.0),),
        _soft_root,
        ("smooth_abs", "pseudo_huber", "soft_abs"),
        "a soft absolute",
        repeats=(0,),
    ),
    Motif(
        FLOAT,
        "curve",
        (MotifInput(FLOAT, 0.0, 1.0),),
        _hermite,
        ("smooth_t", "eased", "ease"),
        "an easing curve",
        0.6,
        repeats=(0,),
    ),
)
