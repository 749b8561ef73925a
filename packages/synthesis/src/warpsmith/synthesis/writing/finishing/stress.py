"""What Warp's compiler gets wrong, put into kernels on purpose: the profile ``stress``.

Warp does not run a dynamic loop again for the backward pass, so that the values a loop carries are not known there. The default
profile carries sums only, which do not need them. Here what the loop carries is also scaled, left early, or changed in one
component. Beside loops, a minimum or maximum is offered twice, of which Warp gives each the whole gradient, and `wp.frac` is
called, whose adjoint is empty. Such kernels are right forward, and many of their adjoints are not: `notes/warp_findings.md`
shows the smallest.
"""

from __future__ import annotations

from msgspec.structs import replace

from warpsmith.synthesis.language.nodes import (
    Atomic,
    Augment,
    Const,
    Declare,
    Expr,
    For,
    If,
    Jump,
    Kernel,
    Name,
    Stmt,
    Store,
    While,
)
from warpsmith.synthesis.language.terms import apply, compare, component, const
from warpsmith.synthesis.language.types import FLOAT, VECTORS, Type
from warpsmith.synthesis.language.walk import statements
from warpsmith.synthesis.random_stream import RandomStream


def stress_kernel(kernel: Kernel, rng: RandomStream) -> Kernel:
    """Return ``kernel`` with what Warp differentiates wrongly; one that has no place for it stays what it is."""
    types = {item.name: item.value.type for item in statements(kernel.body) if isinstance(item, Declare)}
    return replace(kernel, body=_block(kernel.body, types, rng, carried=False))


def _block(body: tuple[Stmt, ...], types: dict[str, Type], rng: RandomStream, carried: bool) -> tuple[Stmt, ...]:
    out: list[Stmt] = []
    for statement in body:
        match statement:
            case For(_, _, stop):
                inner = _block(statement.body, types, rng, carried or not isinstance(stop, Const))
                out.append(replace(statement, body=inner))
            case While():
                out.append(replace(statement, body=_block(statement.body, types, rng, carried=True)))
            case If():
                then, other = (_block(block, types, rng, carried) for block in (statement.body, statement.orelse))
                out.append(replace(statement, body=then, orelse=other))
            case Augment(name, "add", value) if carried and types.get(name) in _CARRIED:
                out += [statement, *_step(name, value, types[name], rng)]
            case Atomic("atomic_min" | "atomic_max"):
                out += [statement] * rng.choice((1, 2))
            case Store(_, _, value) if value.type is FLOAT and rng.chance(0.2):
                rate = const(rng.choice((0.5, 1.5, 3.0, 5.0)))
                out.append(replace(statement, value=apply("add", value, apply("frac", apply("mul", rate, value)))))
            case _:
                out.append(statement)
    return tuple(out)


_CARRIED = {FLOAT, *VECTORS}


def _step(name: str, value: Expr, dtype: Type, rng: RandomStream) -> tuple[Stmt, ...]:
    """What makes a sum depend on what it was: a factor between 0.8 and 1, so that it stays within its bounds."""
    number = component(value, const(0)) if dtype.is_vector else value
    factor = apply("add", const(0.9), apply("mul", const(0.1), apply("sin", number)))
    if dtype.is_vector:
        return (Augment(name, "mul", factor, at=rng.choice((0, 1)) if rng.chance(0.6) else None),)
    scaled = Augment(name, "mul", factor)
    if rng.chance(0.4):
        carried = Name(name, FLOAT, -1.0e4, 1.0e4)
        return (scaled, If(compare(">", carried, const(rng.choice((0.5, 1.0, 2.0, 5.0)))), (Jump("break"),)))
    return (scaled,)
