"""Motifs of linear algebra: symmetric parts, strains, quadratic forms, regularized inverses."""

from __future__ import annotations

import math

from warpsmith.synthesis.language.nodes import Expr
from warpsmith.synthesis.language.ranges import magnitude
from warpsmith.synthesis.language.terms import const, construct
from warpsmith.synthesis.language.types import FLOAT, MATRICES, VECTOR_OF, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.motifs.motif import Motif, MotifInput, add, call, div, mul, sub


def diagonal(dtype: Type, value: float) -> Expr:
    """Return ``value`` times the identity."""
    return call("diag", construct(VECTOR_OF[dtype.shape[0]], const(value)))


def _symmetric(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (m,) = args
    return mul(0.5, add(m, call("transpose", m)))


def _antisymmetric(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (m,) = args
    return mul(0.5, sub(m, call("transpose", m)))


def _deviatoric(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (m,) = args
    order = m.type.shape[0]
    return sub(m, mul(div(call("trace", m), float(order)), diagonal(m.type, 1.0)))


def _regularized_inverse(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (m,) = args
    # Each diagonal entry exceeds the sum of the other entries of its row by at least one, so the inverse is bounded by one.
    shift = float(math.ceil(m.type.shape[0] * magnitude(m)) + 1)
    return call("inverse", add(m, diagonal(m.type, shift)))


def _gram(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (m,) = args
    transposed = call("transpose", m)
    return mul(transposed, m) if rng.chance(0.5) else mul(m, transposed)


def _strain(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (m,) = args
    return mul(0.5, sub(mul(call("transpose", m), m), diagonal(m.type, 1.0)))


def _frobenius(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    (m,) = args
    return call("sqrt", add(call("ddot", m, m), rng.choice((0.1, 0.01, 1.0))))


def _similarity(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    r, m = args
    return mul(mul(r, m), call("transpose", r))


def _blend(rng: RandomStream, args: tuple[Expr, ...]) -> Expr:
    a, b = args
    share = rng.choice((0.25, 0.5, 0.1, 0.75))
    return add(mul(1.0 - share, a), mul(share, b))


def _quadratic_form(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    m, v = args
    return call("dot", v, mul(m, v))


def _affine(_: RandomStream, args: tuple[Expr, ...]) -> Expr:
    m, v, t = args
    return add(mul(m, v), t)


def _of(dtype: Type) -> tuple[Motif, ...]:
    vector = VECTOR_OF[dtype.shape[0]]
    m, small, v = MotifInput(dtype, -20.0, 20.0), MotifInput(dtype, -4.0, 4.0), MotifInput(vector, -20.0, 20.0)
    return (
        Motif(dtype, "matrix", (m,), _symmetric, ("sym", "symmetric", "strain"), "a symmetric part", 1.0, repeats=(0,)),
        Motif(
            dtype, "matrix", (m,), _antisymmetric, ("spin", "antisym", "vorticity"), "an antisymmetric part", 0.6, repeats=(0,)
        ),
        Motif(dtype, "matrix", (m,), _deviatoric, ("dev", "deviator", "shear"), "a deviatoric part", 0.7, repeats=(0,)),
        Motif(
            dtype,
            "matrix",
            (small,),
            _regularized_inverse,
            ("inv", "preconditioner", "compliance"),
            "a regularized inverse",
            0.8,
        ),
        Motif(dtype, "matrix", (small,), _gram, ("gram", "metric", "normal_matrix"), "a Gram matrix", 0.8, repeats=(0,)),
        Motif(dtype, "matrix", (small,), _strain, ("green", "strain", "deform"), "a Green strain", 0.6, repeats=(0,)),
        Motif(FLOAT, "matrix", (m,), _frobenius, ("frob", "norm", "matrix_norm"), "a Frobenius norm", 0.8, repeats=(0,)),
        Motif(
            dtype,
            "matrix",
            (small, small),
            _similarity,
            ("conjugated", "rotated", "in_frame"),
            "a change of basis",
            0.6,
            repeats=(0,),
        ),
        Motif(dtype, "matrix", (m, m), _blend, ("blended", "averaged", "mixed"), "a blend of matrices", 0.7),
        Motif(
            FLOAT,
            "matrix",
            (small, v),
            _quadratic_form,
            ("quad_form", "energy", "mahalanobis"),
            "a quadratic form",
            1.0,
            repeats=(1,),
        ),
        Motif(vector, "matrix", (m, v, v), _affine, ("mapped", "transformed", "moved"), "an affine map", 1.5),
    )


MOTIFS = tuple(motif for dtype in MATRICES for motif in _of(dtype))
