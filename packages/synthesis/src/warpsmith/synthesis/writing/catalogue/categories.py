"""The categories of kernels, one row each; an idea names the categories that it belongs to."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from msgspec import Struct

from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.builtins import draw_builtins
from warpsmith.synthesis.writing.ideas.parts import Domain, Idea

CORE = "core"
"""The group whose categories share one numbering of kernels."""


class Category(Struct, frozen=True, gc=False):
    """A category of kernels.

    Attributes:
        name: the name for users.
        group: the group for users; `CORE` for the categories of a dataset by default.
        shows: a regular expression that the source of each kernel contains.
        every: the category takes every ``every``-th turn in a dataset, for kernels that are rare in real code.
        packs: whether arguments are passed in structs.
        make: makes the idea of a kernel and its domain; None if it is chosen among those of the domains.
    """

    name: str
    group: str = CORE
    shows: str = ""
    every: int = 1
    packs: bool = False
    make: Callable[[RandomStream], tuple[Domain, Idea]] | None = None


_FUNCTIONS = r"wp\.(?:a?sin|a?cos|a?tan2?|sinh|cosh|tanh|exp|log\d*|sqrt|cbrt|pow|erf\w*)\("
_NESTED_LOOP = r"\n( +)(?:for|while) [^\n]*(?:\n\1 [^\n]*|\n(?=\n))*?\n\1 +(?:for|while) "
_IF = r"(?:(?<!tid\(\))(?<!tid\(\)\n)\n +if |\n +if (?!\w+ < [^\n]*:\n|[^\n]*>= [^\n]*:\n +return\n))"
"""An ``if`` that is not the test of threads beyond the end."""
_SCALAR_PARAMETER = r"@wp\.kernel[^\n]*\ndef (?:(?!\):\n)[\s\S])*?\w+: (?:(?:wp\.)?(?:float|int)(?:16|32|64)?|Any)[,)]"
_OBJECT = r"wp\.(?:uint64|Texture)"

CATEGORIES = (
    Category("arithmetic", shows=r" [-+*/] "),
    Category("atomic", shows=r"wp\.atomic_"),
    Category("combined", shows=r"(?s)(?=.*wp\.(?:vec|quat|transform|spatial))(?=.*\n +(?:if|for|while) )"),
    Category("control_flow", shows=rf"\n +(?:for|while) |{_IF}"),
    Category("math", shows=_FUNCTIONS),
    Category("matrix", shows=r"wp\.(?:mat|spatial_matrix)"),
    Category("multi_conditional", shows=rf"(?s)\n +elif |{_IF}.*\n +if "),
    Category("nested_loop", shows=_NESTED_LOOP),
    Category("scalar_param", shows=_SCALAR_PARAMETER),
    Category("vector", shows=r"wp\.(?:vec|spatial_vector|quat)"),
    Category("linear_algebra", "algebra"),
    Category("gather_scatter", "arrays", r"\["),
    Category("indexed_array", "arrays", r"wp\.indexedarray", every=4),
    Category("multi_dim", "arrays", r"\w+, \w+ = wp\.tid\(\)|array[234]d|ndim="),
    Category("reduction", "arrays", r"\+= |wp\.atomic_|wp\.(?:min|max)\("),
    Category("stencil", "arrays"),
    Category("atomics", "domains", r"wp\.atomic_"),
    Category("cellular_automata", "domains"),
    Category("cloth", "domains"),
    Category("contact", "domains"),
    Category("fields", "domains"),
    Category("finite_elements", "domains"),
    Category("histograms", "domains"),
    Category("image_filter", "domains"),
    Category("losses", "domains"),
    Category("monte_carlo", "domains"),
    Category("optimizers", "domains"),
    Category("particles", "domains"),
    Category("ray_tracing", "domains"),
    Category("signed_distance", "domains"),
    Category("sorting", "domains"),
    Category("sparse", "domains"),
    Category("sph", "domains"),
    Category("quaternion", "geometry", r"wp\.quat"),
    Category("spatial", "geometry", r"wp\.spatial"),
    Category("transform", "geometry", r"wp\.transform"),
    Category("closure_static", "language", every=4),
    Category("diagnostics", "language", every=4),
    Category("early_exit", "language", r"\n +(?:return|break)\b"),
    Category("generic", "language", r"\bAny\b", every=2),
    Category("helper_functions", "language", r"@wp\.func"),
    Category("native", "language", r"@wp\.func_native", every=4),
    Category("struct", "language", r"@wp\.struct", packs=True),
    Category("while_loop", "language", r"\n +while "),
    Category("integer_bits", "numbers"),
    Category("mixed_precision", "numbers", every=2),
    Category("overloads", "numbers", every=2, make=draw_builtins),
    Category("bvh_query", "objects", _OBJECT),
    Category("hash_grid", "objects", _OBJECT),
    Category("mesh_query", "objects", _OBJECT),
    Category("texture", "objects", _OBJECT, every=2),
    Category("volume", "objects", _OBJECT),
    Category("volume_store", "objects", _OBJECT, every=2),
    Category("random_noise", "random", r"wp\.(?:rand|noise|pnoise|curlnoise|sample|poisson)"),
    Category("tile", "tiles", r"wp\.tile", every=2),
    Category("tile_fft", "tiles", r"wp\.tile_(?:i?fft|fft)", every=8),
    Category("tile_matrix", "tiles", r"wp\.tile", every=4),
    Category("tile_query", "tiles", r"wp\.", every=4),
    Category("tile_scan", "tiles", r"wp\.tile", every=4),
    Category("tile_shared", "tiles", r"wp\.tile", every=4),
    Category("tile_solve", "tiles", r"wp\.tile", every=8),
    Category("tile_thread", "tiles", r"wp\.", every=4),
)


@cache
def all_categories() -> tuple[Category, ...]:
    """Return all categories, sorted by name."""
    return tuple(sorted(CATEGORIES, key=lambda category: category.name))


@cache
def core_categories() -> tuple[Category, ...]:
    """Return the core categories, sorted by name; the index of a core kernel selects one of them."""
    return tuple(category for category in all_categories() if category.group == CORE)


def category_of(index: int, name: str = "") -> Category:
    """Return the category with this name; without a name, the core category of ``index``, so that all are equally frequent."""
    if name:
        return next(category for category in all_categories() if category.name == name)
    return core_categories()[index % len(core_categories())]
