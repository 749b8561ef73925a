"""The skeleton that most kernels of idioms have: a few elements in, steps and idioms in turn, results out."""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.synthesis.language.nodes import Array, Expr, Fetch, Kernel, Steps, Stmt
from warpsmith.synthesis.language.types import FLOAT, Type
from warpsmith.synthesis.writing.skeletons.kernel_builder import Sketch, result
from warpsmith.synthesis.writing.skeletons.templates import Idiom


def around(
    s: Sketch, idioms: Sequence[Idiom], reads: Sequence[Type], results: Sequence[Type], verbs: Sequence[str], most: int = 3
) -> Kernel:
    """A kernel with one to ``most`` of ``idioms`` around which the grammar writes.

    Args:
        s: the sketch.
        idioms: to choose from.
        reads: types of the elements that each thread reads.
        results: types to choose what it writes from.
        verbs: to choose the kernel's name from.
        most: see above.
    """
    d = s.d
    kinds = list(dict.fromkeys(reads))
    arrays = [s.input(kind) for kind in (d.sample(kinds, d.choice((1, 1, 2))) if s.length_factor <= 1 else kinds)]
    s.scalars(1 if d.chance(0.3) else 0, FLOAT)
    opening, at = s.threads()
    outputs = [s.output(d.choice(results)) for _ in range(1 if s.brief or d.chance(0.8) else 2)]
    chosen = some(s, idioms, most)
    return s.kernel(
        d.choice(verbs),
        (
            *opening,
            *steps(s, arrays, chosen, at),
            *(result(out, at, size=d.choice((1, 2)) if s.brief else 1) for out in outputs),
        ),
    )


def some(s: Sketch, idioms: Sequence[Idiom], most: int) -> list[Idiom]:
    """One of ``idioms``, in all but brief kernels seldom up to ``most``, in long kernels as many as that and more."""
    d = s.d
    count = 1 if s.brief or d.chance(0.9) else d.between(1, most)
    return d.sample(idioms, count if s.length_factor <= 1 else most + s.length_factor // 3)


def steps(s: Sketch, arrays: Sequence[Array], chosen: Sequence[Idiom], at: tuple[Expr, ...]) -> tuple[Stmt, ...]:
    """Elements read, and steps of the grammar between idioms."""
    d = s.d
    types = tuple(dict.fromkeys((FLOAT, *(array.element for array in arrays))))
    fetches: list[Stmt] = [Fetch(array.name, at) for array in arrays]
    for idiom in chosen:
        if d.chance(0.15) or s.length_factor != 1:
            fetches.append(Steps(1, types, 1))
        fetches.append(idiom.phrase(d))
    return (*fetches, Steps(1, types, 1)) if d.chance(0.15) or s.length_factor != 1 else tuple(fetches)
