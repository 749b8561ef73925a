"""The profile ``stress``: constructs that Warp's compiler handles incorrectly.

Warp does not run a dynamic loop again for the backward pass, so that the values carried by the loop are unknown there. The
default profile carries sums only, which do not need them. The stress profile also scales the carried value, leaves the loop
early, or changes one component. In addition, a thread executes an atomic minimum or maximum twice, and Warp gives each of
the two the whole gradient; and kernels call `wp.frac`, whose adjoint is empty. Such kernels are correct forward, and many of
their adjoints are not: `notes/warp_findings.md` shows minimal examples.
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
    """Return ``kernel`` with constructs that Warp differentiates incorrectly, if it has a place for them."""
    types = {item.name: item.value.type for item in statements(kernel.body) if isinstance(item, Declare)}
    return replace(kernel, body=_stress_block(kernel.body, types, rng, carried=False))


def _stress_block(body: tuple[Stmt, ...], types: dict[str, Type], rng: RandomStream, carried: bool) -> tuple[Stmt, ...]:
    stressed: list[Stmt] = []
    for statement in body:
        match statement:
            case For(_, _, stop):
                inner = _stress_block(statement.body, types, rng, carried or not isinstance(stop, Const))
                stressed.append(replace(statement, body=inner))
            case While():
                stressed.append(replace(statement, body=_stress_block(statement.body, types, rng, carried=True)))
            case If():
                then, other = (_stress_block(block, types, rng, carried) for block in (statement.body, statement.orelse))
                stressed.append(replace(statement, body=then, orelse=other))
            case Augment(name, "add", value) if carried and types.get(name) in _CARRIED:
                stressed += [statement, *_carry(name, value, types[name], rng)]
            case Atomic("atomic_min" | "atomic_max"):
                stressed += [statement] * rng.choice((1, 2))
            case Store(_, _, value) if value.type is FLOAT and rng.chance(0.2):
                rate = const(rng.choice((0.5, 1.5, 3.0, 5.0)))
                stressed.append(replace(statement, value=apply("add", value, apply("frac", apply("mul", rate, value)))))
            case _:
                stressed.append(statement)
    return tuple(stressed)


_CARRIED = {FLOAT, *VECTORS}


def _carry(name: str, value: Expr, dtype: Type, rng: RandomStream) -> tuple[Stmt, ...]:
    """Make a sum depend on its previous value: a factor between 0.8 and 1 keeps it within its bounds."""
    number = component(value, const(0)) if dtype.is_vector else value
    factor = apply("add", const(0.9), apply("mul", const(0.1), apply("sin", number)))
    if dtype.is_vector:
        return (Augment(name, "mul", factor, at=rng.choice((0, 1)) if rng.chance(0.6) else None),)
    scaled = Augment(name, "mul", factor)
    if rng.chance(0.4):
        carried = Name(name, FLOAT, -1.0e4, 1.0e4)
        return (scaled, If(compare(">", carried, const(rng.choice((0.5, 1.0, 2.0, 5.0)))), (Jump("break"),)))
    return (scaled,)
