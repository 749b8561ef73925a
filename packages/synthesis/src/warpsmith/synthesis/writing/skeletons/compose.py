"""The skeleton of most kernels of templates: read a few elements, alternate steps and templates, write results."""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.synthesis.language.nodes import Array, Expr, Kernel, LoadElement, Steps, Stmt
from warpsmith.synthesis.language.types import FLOAT, Type
from warpsmith.synthesis.writing.skeletons.holes import store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import Template


def compose_kernel(
    builder: KernelBuilder,
    templates: Sequence[Template],
    reads: Sequence[Type],
    results: Sequence[Type],
    verbs: Sequence[str],
    most: int = 3,
) -> Kernel:
    """Compose a kernel of one to ``most`` of ``templates``, with steps of the grammar between them.

    Args:
        builder: collects the parts of the kernel.
        templates: the templates to choose from.
        reads: the types of the elements that each thread reads.
        results: the types of results to choose from.
        verbs: the verbs to choose the kernel's name from.
        most: the maximum number of templates in a kernel of usual length.
    """
    rng = builder.rng
    kinds = list(dict.fromkeys(reads))
    arrays = [
        builder.add_input(dtype)
        for dtype in (rng.sample(kinds, rng.choice((1, 1, 2))) if builder.length_factor <= 1 else kinds)
    ]
    builder.add_scalars(1 if rng.chance(0.3) else 0, FLOAT)
    opening, at = builder.open_threads()
    outputs = [builder.add_output(rng.choice(results)) for _ in range(1 if builder.is_brief or rng.chance(0.8) else 2)]
    chosen = choose_templates(builder, templates, most)
    return builder.build_kernel(
        rng.choice(verbs),
        (
            *opening,
            *write_steps(builder, arrays, chosen, at),
            *(store_result(out, at, size=rng.choice((1, 2)) if builder.is_brief else 1) for out in outputs),
        ),
    )


def choose_templates(builder: KernelBuilder, templates: Sequence[Template], most: int) -> list[Template]:
    """Choose templates: one in most kernels, rarely up to ``most``, and more than ``most`` in long kernels."""
    rng = builder.rng
    count = 1 if builder.is_brief or rng.chance(0.9) else rng.between(1, most)
    return rng.sample(templates, count if builder.length_factor <= 1 else most + builder.length_factor // 3)


def write_steps(
    builder: KernelBuilder, arrays: Sequence[Array], chosen: Sequence[Template], at: tuple[Expr, ...]
) -> tuple[Stmt, ...]:
    """Read the elements of ``arrays``, and put steps of the grammar between templates."""
    rng = builder.rng
    types = tuple(dict.fromkeys((FLOAT, *(array.element for array in arrays))))
    fetches: list[Stmt] = [LoadElement(array.name, at) for array in arrays]
    for template in chosen:
        if rng.chance(0.15) or builder.length_factor != 1:
            fetches.append(Steps(1, types, 1))
        fetches.append(template.instantiate(rng))
    return (*fetches, Steps(1, types, 1)) if rng.chance(0.15) or builder.length_factor != 1 else tuple(fetches)
