"""Kernels around an object of Warp, such as a mesh: points in, what queries of the object find out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from warpsmith.core.records.launch import Build, Domain
from warpsmith.synthesis.language.nodes import Kernel, Phrase, Stmt
from warpsmith.synthesis.language.types import FLOAT, VEC3, Type
from warpsmith.synthesis.writing.skeletons.compose import some, steps
from warpsmith.synthesis.writing.skeletons.kernel_builder import Sketch, result
from warpsmith.synthesis.writing.skeletons.templates import Idiom


def thing(s: Sketch, name: str, kind: Any, shape: tuple[int, ...], low: float, high: float, **build: Any) -> str:
    """A parameter that is an object with values in [low, high]; return its name."""
    dtype, annotation = ("uint64", "wp.uint64") if kind != "texture" else (f"Texture{len(shape)}D", f"wp.Texture{len(shape)}D")
    domain = None if kind == "hash_grid" else Domain(kind="uniform", low=low, high=high)
    return s.other(name, annotation, kind=kind, dtype=dtype, shape=shape, domain=domain, build=Build(**build))


def query(
    s: Sketch, name: str, idioms: Sequence[Idiom], results: Sequence[Type], verbs: Sequence[str], most: int = 2
) -> Kernel:
    """A kernel with some of ``idioms``, in whose text ``{o}`` stands for the object ``name``.

    Each thread has a point, ``{p}`` in the texts, of an array in [-1, 1].
    """
    d = s.d
    points = s.array(d.choice(("points", "queries", "positions", "samples")), VEC3, -1.0, 1.0)
    read = s.input(FLOAT)
    opening, at = s.threads()
    outputs = [s.output(d.choice(results)) for _ in range(1 if s.brief or d.chance(0.8) else 2)]
    body: list[Stmt] = [*opening, Phrase(f"p = {points.name}[{at[0].name}]"), *s.fetch(read, at=at)]
    chosen = some(s, idioms, most)
    named = [Idiom(one.says, one.text.replace("{o}", name).replace("{p}", "p"), one.needs, one.gives) for one in chosen]
    return s.kernel(
        d.choice(verbs),
        (*body, *steps(s, (), named, at), *(result(out, at, size=d.choice((1, 2)) if s.brief else 1) for out in outputs)),
    )
