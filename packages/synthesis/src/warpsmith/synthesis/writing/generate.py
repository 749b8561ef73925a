"""`generate(seed, index)`: one kernel, the same on every machine."""

from __future__ import annotations

from functools import cache, partial
from types import CodeType

from msgspec import Struct
from msgspec.structs import replace

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.launch import Launch
from warpsmith.extraction.interleave import Steps, finished
from warpsmith.extraction.loading import compiled
from warpsmith.synthesis.kernel_key import Complexity, Profile, identity_of
from warpsmith.synthesis.language import rules
from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.render import Style, render
from warpsmith.synthesis.language.structure import features, structure
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.categories import all_categories, core_categories
from warpsmith.synthesis.writing.catalogue.categories.category import CORE, Category
from warpsmith.synthesis.writing.catalogue.vocabulary import THEMES
from warpsmith.synthesis.writing.dry_run.run import arguments, rejection_reason
from warpsmith.synthesis.writing.filling.fill import fill
from warpsmith.synthesis.writing.finishing.description import description, docstring
from warpsmith.synthesis.writing.finishing.launch import launch
from warpsmith.synthesis.writing.finishing.stress import stressed
from warpsmith.synthesis.writing.finishing.text_size import too_long
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder, reordered
from warpsmith.synthesis.writing.skeletons.size_budget import brief

LENGTH_FACTORS: dict[Complexity, tuple[int, ...]] = {
    "small": (0,),
    "medium": (*(0,) * 18, 5, 6, 7),
    "large": (1, 2, 4, 6, 9, 12, 18, 26),
}
"""How many times as many steps as its category draws a kernel takes; without any it is brief, see `drafts`.

Of real kernels' CUDA texts the median is 11 KB, and one in ten is longer than 106 KB. A kernel of a core category has the
length that its category draws, unless ``large`` is asked for.
"""

ATTEMPTS = 20
"""How often a kernel is drawn before its index is given up. One in twenty is drawn twice, hardly any five times."""


class Sample(Struct, frozen=True, gc=False):
    """A written kernel.

    Attributes:
        id: ``"<generator version>-<seed>-<index>"``.
        category: its name.
        kernel_name: the kernel in ``source``.
        source: the Python file.
        launch: how to run it.
        features: builtins, types and constructs used.
        description: one sentence.
        structure: a hash of its shape.
        options: the module options that differ from Warp's defaults.
    """

    id: str
    category: str
    kernel_name: str
    source: str
    launch: Launch
    features: tuple[str, ...]
    description: str
    structure: str
    options: tuple[tuple[str, int], ...] = ()


def category_of(index: int, name: str = "") -> Category:
    """Return the category of this name; without one, that of a core index: these take turns, so that a dataset is balanced."""
    if name:
        return next(category for category in all_categories() if category.name == name)
    return core_categories()[index % len(core_categories())]


def generate(
    seed: int, index: int, profile: Profile = "default", category: str = "", complexity: Complexity = "medium"
) -> Sample:
    """Write the kernel of ``seed`` and ``index``; it depends on nothing but these, this version and Warp's registry.

    The core categories take turns; every other ``category`` counts its kernels for itself, so that a new one changes no other.
    ``profile`` ``"stress"`` adds what Warp's compiler gets wrong, see `stress`; ``complexity`` decides how long kernels get.

    A kernel that turns out to show nothing or to be too long is drawn again.

    Raises:
        WarpsmithError: if all that was drawn does.
    """
    sample, _ = finished(generating(seed, index, profile, category, complexity))
    return sample


def generating(
    seed: int, index: int, profile: Profile, category: str, complexity: Complexity
) -> Steps[tuple[Sample, CodeType | None]]:
    """Do what `generate` does, step by step; the kernel's file comes compiled if that was of use already."""
    identity = identity_of(seed, index, profile, category, complexity)
    kind = category_of(index, category)
    refused: str | None = None
    for attempt in range(ATTEMPTS):
        sample = _written(identity, kind, RandomStream(f"{identity}/{attempt}" if attempt else identity), profile, complexity)
        if not _as_drawn(kind, complexity) and too_long(sample.source, tail=complexity == "large"):
            refused = "it is too long"
            continue
        if not kind.dry_run:
            return sample, None
        yield
        code = compiled(sample.source)
        yield
        given = arguments(sample.launch, identity)
        yield
        refused = rejection_reason(code, sample.kernel_name, sample.launch.dim, given, ties=profile == "stress")
        if refused is None:
            return sample, code
    raise WarpsmithError(f"{ATTEMPTS} kernels were drawn, and none can be kept; of the last, {refused}")


def _written(
    identity: str, category: Category, rng: RandomStream, profile: Profile, complexity: Complexity = "medium"
) -> Sample:
    """Write one kernel, whatever it does."""
    length_factor = (
        1 if _as_drawn(category, complexity) else RandomStream(f"{identity}/length").choice(LENGTH_FACTORS[complexity])
    )
    draft = partial(_draft, category, rng, length_factor)
    (sketch, skeleton), length_factor = (draft(), length_factor) if length_factor else brief(draft, rng)
    rules.check_skeleton(skeleton)
    weights = category.weights if category.group == CORE else category.weights.swarm(rng)
    filled = fill(skeleton, weights, rng, category.dry_run, length_factor)
    kernel = stressed(filled.kernel, rng) if profile == "stress" else filled.kernel
    if rng.chance(0.4):
        kernel = replace(kernel, doc=docstring(kernel, sketch.theme))
    rules.check(kernel)
    return Sample(
        id=identity,
        category=category.name,
        kernel_name=kernel.name,
        source=render(kernel, _style(rng)),
        launch=launch(kernel),
        features=features(kernel),
        description=description(kernel, sketch.theme, category, filled.said),
        structure=structure(kernel),
        options=kernel.options,
    )


def _as_drawn(category: Category, complexity: Complexity) -> bool:
    """Whether a kernel has the length that its category draws; of those of the core none is too long."""
    return category.group == CORE and complexity != "large"


def _draft(category: Category, rng: RandomStream, length_factor: int) -> tuple[KernelBuilder, Kernel]:
    sketch = KernelBuilder(rng, rng.choice(THEMES), length_factor)
    skeleton = category.draw(sketch)
    return sketch, skeleton if category.group == CORE else replace(skeleton, params=reordered(skeleton.params, rng))


@cache
def _styles() -> tuple[Style, ...]:
    return tuple(
        Style(warp_scalars, subscripted, numbered)
        for warp_scalars in (False, False, True)
        for subscripted in (False, False, False, True)
        for numbered in (True, False)
    )


def _style(rng: RandomStream) -> Style:
    return rng.choice(_styles())
