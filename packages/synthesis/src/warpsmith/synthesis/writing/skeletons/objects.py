"""Kernels that query a Warp object, such as a mesh, at points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from warpsmith.core.records.launch import Build, Domain
from warpsmith.synthesis.language.nodes import Kernel, Stmt, TemplateStatement
from warpsmith.synthesis.language.types import FLOAT, VEC3, Type
from warpsmith.synthesis.writing.skeletons.compose import choose_templates, write_steps
from warpsmith.synthesis.writing.skeletons.holes import store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import Template


def object_parameter(
    builder: KernelBuilder, name: str, kind: Any, shape: tuple[int, ...], low: float, high: float, **build: Any
) -> str:
    """Add a parameter that is an object with values in [low, high]; return its name."""
    dtype, annotation = ("uint64", "wp.uint64") if kind != "texture" else (f"Texture{len(shape)}D", f"wp.Texture{len(shape)}D")
    domain = None if kind == "hash_grid" else Domain(kind="uniform", low=low, high=high)
    return builder.add_opaque(name, annotation, kind=kind, dtype=dtype, shape=shape, domain=domain, build=Build(**build))


def compose_query(
    builder: KernelBuilder,
    name: str,
    templates: Sequence[Template],
    results: Sequence[Type],
    verbs: Sequence[str],
    most: int = 2,
) -> Kernel:
    """Compose a kernel of some of ``templates``, in whose texts ``{o}`` stands for the object ``name``.

    Each thread has a point, ``{p}`` in the texts, of an array in [-1, 1].
    """
    rng = builder.rng
    points = builder.add_array(rng.choice(("points", "queries", "positions", "samples")), VEC3, -1.0, 1.0)
    read = builder.add_input(FLOAT)
    opening, at = builder.open_threads()
    outputs = [builder.add_output(rng.choice(results)) for _ in range(1 if builder.is_brief or rng.chance(0.8) else 2)]
    body: list[Stmt] = [*opening, TemplateStatement(f"p = {points.name}[{at[0].name}]"), *builder.load_elements(read, at=at)]
    chosen = choose_templates(builder, templates, most)
    named = [
        Template(one.mention, one.text.replace("{o}", name).replace("{p}", "p"), one.inputs, one.outputs) for one in chosen
    ]
    return builder.build_kernel(
        rng.choice(verbs),
        (
            *body,
            *write_steps(builder, (), named, at),
            *(store_result(out, at, size=rng.choice((1, 2)) if builder.is_brief else 1) for out in outputs),
        ),
    )
