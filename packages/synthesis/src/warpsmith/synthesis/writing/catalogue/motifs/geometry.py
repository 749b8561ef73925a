"""Motifs of vectors: distances, projections, reflections, rotations in the plane."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Expr
from warpsmith.synthesis.language.terms import component, const, construct
from warpsmith.synthesis.language.types import FLOAT, VEC2, VEC3, VECTORS, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.motifs.motif import Motif, MotifInput, add, call, div, mul, neg, sub

SCALAR = MotifInput(FLOAT, -20.0, 20.0)


def _distance(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    return call("length_sq" if rng.chance(0.3) else "length", sub(*args))


def _direction(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    return call("normalize", sub(*args))


def _project(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    v, n = args
    return mul(call("dot", v, n), n)


def _reject(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    v, n = args
    return sub(v, mul(call("dot", v, n), n))


def _reflect(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    v, n = args
    return sub(v, mul(mul(2.0, call("dot", v, n)), n))


def _midpoint(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    a, b = args
    return mul(0.5, add(a, b)) if rng.chance(0.6) else add(a, mul(rng.choice((0.5, 0.25, 0.75)), sub(b, a)))


def _cosine(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    return call("dot", call("normalize", args[0]), call("normalize", args[1]))


def _area(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    return mul(0.5, call("length", call("cross", *args)))


def _lambert(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    return call("max", call("dot", *args), rng.choice((0.0, 0.0, 0.1)))


def _soft_direction(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (v,) = args
    return div(v, add(call("length", v), rng.choice((0.1, 1.0, 0.5))))


def _step_along(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    a, direction, amount = args
    return add(a, mul(direction, amount)) if rng.chance(0.6) else sub(a, mul(amount, direction))


def _rotate_plane(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    v, angle = args
    c, s = call("cos", angle), call("sin", angle)
    x, y = (component(v, const(axis)) for axis in range(2))
    return construct(VEC2, sub(mul(c, x), mul(s, y)), add(mul(s, x), mul(c, y)))


def _perpendicular(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (v,) = args
    x, y = (component(v, const(axis)) for axis in range(2))
    return construct(VEC2, neg(y), x) if rng.chance(0.6) else construct(VEC2, y, neg(x))


def _of(dtype: Type) -> tuple[Motif, ...]:
    """Return the motifs that exist for vectors of every length."""
    v, n = MotifInput(dtype, -20.0, 20.0), MotifInput(dtype, -5.0, 5.0)
    return (
        Motif(FLOAT, "vector", (v, v), _distance, ("dist", "separation", "gap", "spread"), "a distance", 1.5),
        Motif(dtype, "vector", (v, v), _direction, ("heading", "toward", "axis", "ray_dir"), "a direction", 1.0),
        Motif(dtype, "vector", (v, n), _project, ("along", "projected", "parallel"), "a projection", 0.8, repeats=(1,)),
        Motif(
            dtype, "vector", (v, n), _reject, ("tangent", "rejected", "tangential"), "a tangential part", 0.8, repeats=(0, 1)
        ),
        Motif(dtype, "vector", (n, n), _reflect, ("reflected", "mirrored", "bounced"), "a reflection", 0.7, repeats=(0, 1)),
        Motif(dtype, "vector", (v, v), _midpoint, ("midpoint", "center", "halfway"), "a midpoint", 0.8, repeats=(0,)),
        Motif(FLOAT, "vector", (v, v), _cosine, ("cos_angle", "similarity", "agreement"), "a cosine of an angle", 0.8),
        Motif(FLOAT, "vector", (n, n), _lambert, ("facing", "lambert", "incidence"), "a clamped dot product", 0.6),
        Motif(
            dtype, "vector", (v,), _soft_direction, ("soft_dir", "limited", "eased"), "a softened direction", 0.6, repeats=(0,)
        ),
        Motif(dtype, "vector", (v, n, SCALAR), _step_along, ("moved", "advanced", "stepped"), "a step along a direction", 1.4),
    )


MOTIFS = (
    *(motif for dtype in VECTORS for motif in _of(dtype)),
    Motif(
        FLOAT,
        "vector",
        (MotifInput(VEC3, -5.0, 5.0), MotifInput(VEC3, -5.0, 5.0)),
        _area,
        ("area", "footprint"),
        "a triangle's area",
        0.8,
    ),
    Motif(
        VEC2,
        "vector",
        (MotifInput(VEC2, -20.0, 20.0), SCALAR),
        _rotate_plane,
        ("rotated", "spun"),
        "a rotation in the plane",
        0.8,
        repeats=(0, 1),
    ),
    Motif(
        VEC2,
        "vector",
        (MotifInput(VEC2, -50.0, 50.0),),
        _perpendicular,
        ("perp", "left", "sideways"),
        "a perpendicular",
        0.7,
        repeats=(0,),
    ),
)
