"""Motifs of simulation: energies, forces, time steps."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Expr
from warpsmith.synthesis.language.types import FLOAT, VECTORS, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.motifs.motif import Motif, MotifInput, add, call, div, mul, neg, sub

SCALAR = MotifInput(FLOAT, -20.0, 20.0)
POSITIVE = MotifInput(FLOAT, 0.1, 20.0)
SMALL = MotifInput(FLOAT, 0.0, 1.0)


def _spring(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    stiffness, length, rest = args
    return mul(neg(stiffness), sub(length, rest)) if rng.chance(0.6) else mul(stiffness, sub(rest, length))


def _euler(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    value, rate, dt = args
    return add(value, mul(rate, dt))


def _damped(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    value, damping = args
    return mul(value, sub(1.0, damping))


def _kinetic(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    mass, velocity = args
    return mul(mul(0.5, mass), call("dot", velocity, velocity))


def _drag(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    coefficient, velocity = args
    return (
        mul(mul(neg(coefficient), call("length", velocity)), velocity) if rng.chance(0.5) else mul(neg(coefficient), velocity)
    )


def _attraction(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    a, b = args
    offset = sub(a, b)
    return div(offset, add(call("length_sq", offset), rng.choice((0.1, 0.25, 1.0))))


def _of(dtype: Type) -> tuple[Motif, ...]:
    v = MotifInput(dtype, -20.0, 20.0)
    return (
        Motif(dtype, "physics", (v, v, SMALL), _euler, ("next_{0}", "integrated", "stepped"), "an explicit Euler step", 1.5),
        Motif(dtype, "physics", (v, SMALL), _damped, ("damped", "slowed", "settled"), "damping", 1.0),
        Motif(
            FLOAT, "physics", (POSITIVE, v), _kinetic, ("kinetic", "ke", "motion_energy"), "a kinetic energy", 0.8, repeats=(1,)
        ),
        Motif(
            dtype,
            "physics",
            (MotifInput(FLOAT, 0.0, 5.0), v),
            _drag,
            ("drag_force", "resist", "friction"),
            "a drag force",
            0.8,
            repeats=(1,),
        ),
        Motif(
            dtype,
            "physics",
            (v, v),
            _attraction,
            ("pull", "attraction", "repulsion"),
            "an inverse-square force",
            0.8,
            repeats=(0, 1),
        ),
    )


MOTIFS = (
    Motif(FLOAT, "physics", (POSITIVE, SCALAR, SCALAR), _spring, ("restoring", "spring", "tension"), "a spring force", 1.2),
    Motif(
        FLOAT, "physics", (SCALAR, SCALAR, SMALL), _euler, ("next_{0}", "new_value", "stepped"), "an explicit Euler step", 1.2
    ),
    Motif(FLOAT, "physics", (SCALAR, SMALL), _damped, ("damped", "lossy", "settled"), "damping", 1.0),
    *(motif for dtype in VECTORS for motif in _of(dtype)),
)
