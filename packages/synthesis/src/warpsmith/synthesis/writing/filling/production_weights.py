"""Productions, the ways to make a value of a type, and how a category weighs their families.

A production is a builtin of the registry with one of its signatures, or a motif. All productions are known in advance, so that
drawing one is a search in running totals.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import accumulate

from msgspec import Struct

from warpsmith.synthesis.language.builtins.registry import ROWS
from warpsmith.synthesis.language.builtins.rows import Domain
from warpsmith.synthesis.language.nodes import Expr
from warpsmith.synthesis.language.overloads import signatures
from warpsmith.synthesis.language.terms import apply, component, const, construct, ternary
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, MATRICES, VECTORS, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.motifs import MOTIFS

Build = Callable[[RandomStream, tuple[Expr, ...]], Expr]


class Production(Struct, frozen=True, gc=False):
    """One way to make a value.

    Attributes:
        result: the type of the value.
        inputs: the types of its arguments.
        domains: the bounds that each argument must keep.
        build: makes the expression.
        names: candidates for the name of a local that holds the value.
        mention: the phrase for the kernel's description, or empty.
        weight: the weight among all productions, before the weight of the family.
        family: see `ProductionWeights`.
        literal: positions of arguments that are literals.
        distinct: whether two equal arguments make no sense.
        takes_literal: whether one of two arguments may be a literal, as in ``2.0 * x``.
        repeats: positions of arguments that the production reads more than once.
    """

    result: Type
    inputs: tuple[Type, ...]
    domains: tuple[Domain, ...]
    build: Build
    names: tuple[str, ...]
    mention: str
    weight: float
    family: str
    literal: tuple[int, ...] = ()
    distinct: bool = False
    takes_literal: bool = False
    repeats: tuple[int, ...] = ()


class ProductionWeights(Struct, frozen=True, gc=False):
    """The weight of each family of productions in a category; families without a weight are not used.

    ``essential`` is the family that defines the category: the first possible expression uses it.
    """

    families: tuple[tuple[str, float], ...]
    essential: str = ""

    def swarm(self, rng: RandomStream) -> ProductionWeights:
        """Choose the families of one kernel: each is on or off; the first and the essential one are always on.

        Kernels that lack some features altogether differ more from each other, and find more bugs, than kernels with a little
        of everything: swarm testing (Groce, Zhang, Eide, Chen and Regehr, ISSTA 2012).
        """
        first, *rest = self.families
        kept = [family for family in rest if family[0] == self.essential or rng.chance(0.6)]
        return ProductionWeights((first, *kept), self.essential)


_LITERAL_OPERANDS = {"add", "sub", "mul", "div", "min", "max"}
_DISTINCT_ARGUMENTS = {
    "add",
    "sub",
    "div",
    "min",
    "max",
    "cross",
    "where",
    "lerp",
    "floordiv",
    "mod",
    "atan2",
    "clamp",
    "copysign",
}


@cache
def all_productions() -> tuple[Production, ...]:
    """Return every production: the overloads of all rows, components and constructors, and the motifs."""
    productions: list[Production] = []
    for row in ROWS.values():
        if row.family == "guarded":
            continue
        overloads = {inputs: result for inputs, result in signatures(row.key).items() if _is_common(row.key, inputs, result)}
        for inputs, result in overloads.items():
            build: Build = _build_selection if row.key == "where" else partial(_build_apply, row.key)
            weight = row.weight * (1.0 if not any(dtype.shape for dtype in inputs) else 1.5)
            productions.append(
                Production(
                    result,
                    inputs,
                    row.domains[: len(inputs)],
                    build,
                    row.names,
                    row.mention,
                    weight,
                    row.family,
                    row.literal,
                    row.key in _DISTINCT_ARGUMENTS,
                    row.key in _LITERAL_OPERANDS,
                )
            )
    productions.extend(_component_productions())
    for motif in MOTIFS:
        inputs = tuple(item.type for item in motif.inputs)
        domains = tuple((item.low, item.high) for item in motif.inputs)
        productions.append(
            Production(
                motif.result,
                inputs,
                domains,
                motif.build,
                motif.names,
                motif.mention,
                motif.weight,
                motif.family,
                distinct=True,
                repeats=motif.repeats,
            )
        )
    return tuple(productions)


def _is_common(key: str, inputs: tuple[Type, ...], result: Type) -> bool:
    """Return whether an overload is common in kernels: no arithmetic on truth values, no vector to the left of a matrix."""
    if key == "where":
        return inputs[0] is BOOL and result is not BOOL
    if key in ("mod", "min", "max") and (len(inputs) == 1 or result.shape):
        return not result.shape
    if key in ("step", "sign", "abs", "div") and any(dtype.is_matrix for dtype in inputs):
        return False
    if key == "div" and (inputs[0] is not result or result is INT):
        return False
    if key == "cw_div" and result.is_matrix:
        return False
    return (
        BOOL not in inputs
        and not (key == "mul" and inputs[0].is_vector and inputs[1].is_matrix)
        and inputs != (FLOAT,) * (key == "float")
    )


def _build_apply(key: str, _: RandomStream, args: tuple[Expr, ...]) -> Expr:
    return apply(key, *args)


def _build_selection(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    return apply("where", *args) if rng.chance(0.6) else ternary(*args)


def _build_component(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (value,) = args
    indices = tuple(const(rng.below(size)) for size in value.type.shape)
    return component(value, *indices, letters=value.type.is_vector and rng.chance(0.3))


def _build_construct(dtype: Type, _: RandomStream, args: tuple[Expr, ...]) -> Expr:
    return construct(dtype, *args)


def _component_productions() -> list[Production]:
    """Return the productions for components of vectors and matrices, and for vectors made of components."""
    wide: Domain = (-1.0e4, 1.0e4)
    productions = []
    for dtype in (*VECTORS, *MATRICES):
        family = "vector" if dtype.is_vector else "matrix"
        productions.append(
            Production(FLOAT, (dtype,), (wide,), _build_component, ("{0}_part", "coord", "entry", "component"), "", 1.2, family)
        )
    for dtype in VECTORS:
        size = dtype.shape[0]
        names = ("vec", "packed", "combined", "basis_vec", "joined")
        inputs, domains = (FLOAT,) * size, (wide,) * size
        productions.append(Production(dtype, inputs, domains, partial(_build_construct, dtype), names, "", 0.8, "construct"))
    return productions


@cache
def select_productions(
    result: Type, weights: ProductionWeights, available: frozenset[Type]
) -> tuple[tuple[Production, ...], tuple[float, ...]]:
    """Return the productions of a type from available types, with running totals of their weights."""
    by_family = dict(weights.families)
    usable = [
        production
        for production in all_productions()
        if production.result is result and production.family in by_family and available.issuperset(production.inputs)
    ]
    return tuple(usable), tuple(accumulate(production.weight * by_family[production.family] for production in usable))


@cache
def select_essentials(
    result: Type, weights: ProductionWeights, available: frozenset[Type]
) -> tuple[tuple[Production, ...], tuple[float, ...]]:
    """Return the same for the essential family alone, without productions that descriptions do not mention."""
    usable, _ = select_productions(result, weights, available)
    chosen = tuple(production for production in usable if production.family == weights.essential and production.mention)
    return chosen, tuple(accumulate(production.weight for production in chosen))
