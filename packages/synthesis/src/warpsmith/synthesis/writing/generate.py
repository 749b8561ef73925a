"""`write_kernel`: one kernel from its key, the same on every machine, by the stages of `STAGES` and the checks of `DRY_RUN`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from types import CodeType
from typing import Any, TypeAlias

from msgspec.structs import replace

from warpsmith.core.errors import WarpsmithError
from warpsmith.extraction.interleave import Steps, run_alone
from warpsmith.extraction.loading import compile_module
from warpsmith.synthesis.kernel_key import Complexity, KernelKey
from warpsmith.synthesis.language import rules
from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.render import Style, render
from warpsmith.synthesis.language.structure import hash_structure, list_features
from warpsmith.synthesis.language.text_size import is_too_long
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.categories import category_of
from warpsmith.synthesis.writing.catalogue.categories.category import CORE, Category
from warpsmith.synthesis.writing.catalogue.vocabulary import THEMES
from warpsmith.synthesis.writing.catalogue.vocabulary.words import Theme
from warpsmith.synthesis.writing.dry_run.run import make_arguments, rejection_reason
from warpsmith.synthesis.writing.filling.expressions import Mention
from warpsmith.synthesis.writing.filling.fill import fill
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.finishing.dead_code import remove_dead_code
from warpsmith.synthesis.writing.finishing.description import describe, select_phrases, write_docstring
from warpsmith.synthesis.writing.finishing.launch import describe_launch
from warpsmith.synthesis.writing.finishing.sample import Sample
from warpsmith.synthesis.writing.finishing.stress import stress_kernel
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder, reorder_parameters
from warpsmith.synthesis.writing.skeletons.size_budget import draw_brief

LENGTH_FACTORS: dict[Complexity, tuple[int, ...]] = {
    "small": (0,),
    "medium": (*(0,) * 18, 5, 6, 7),
    "large": (1, 2, 4, 6, 9, 12, 18, 26),
}
"""The factors by which the number of a category's steps is multiplied; 0 stands for a brief kernel, see `size_budget`.

The CUDA texts of real kernels have a median of 11 KB, and one in ten is longer than 106 KB. Core kernels have the length
that their category draws, unless the complexity is ``large``.
"""

ATTEMPTS = 20
"""The maximum number of drafts for one key. One kernel in twenty needs a second draft, hardly any needs a fifth."""

DOCSTRING_CHANCE = 0.4
"""The probability that a kernel has a docstring."""

STYLES = tuple(Style(*options) for options in product((False, False, True), (False, False, False, True), (True, False)))
"""The styles of rendering, each as often as it is likely."""


@dataclass(slots=True)
class Draft:
    """One attempt at a kernel, passed from stage to stage.

    Attributes:
        key: the key of the kernel.
        category: its category.
        rng: the randomness of this attempt.
        length_factor: see `LENGTH_FACTORS`.
        theme: the words of the kernel.
        kernel: the tree: the skeleton at first, later the kernel without holes.
        weights: the weights of the productions.
        mentions: the phrases that productions add to the description, with their expressions.
        phrases: the phrases whose expressions are in the finished kernel.
        sample: the written kernel.
        code: its compiled file.
        arguments: the arguments of its dry run.
    """

    key: KernelKey
    category: Category
    rng: RandomStream
    length_factor: int = field(init=False)
    theme: Theme = field(init=False)
    kernel: Kernel = field(init=False)
    weights: ProductionWeights = field(init=False)
    mentions: tuple[Mention, ...] = field(init=False)
    phrases: tuple[str, ...] = field(init=False)
    sample: Sample = field(init=False)
    code: CodeType = field(init=False)
    arguments: dict[str, Any] = field(init=False)


Stage: TypeAlias = Callable[[Draft], None]
Check: TypeAlias = Callable[[Draft], "str | None"]
"""Returns why the draft is rejected, or None."""


def write_kernel(key: KernelKey) -> Sample:
    """Write the kernel of ``key``; it depends on nothing but the key, this version and Warp's registry.

    A draft that is too long, or whose dry run shows no result, is rejected and drawn again.

    Raises:
        WarpsmithError: if all `ATTEMPTS` drafts are rejected.
    """
    sample, _ = run_alone(write_stepwise(key))
    return sample


def write_stepwise(key: KernelKey) -> Steps[tuple[Sample, CodeType | None]]:
    """Do the work of `write_kernel` in steps; return the compiled file with the sample if a check compiled it.

    Raises:
        WarpsmithError: if all `ATTEMPTS` drafts are rejected.
    """
    category = category_of(key.index, key.category)
    checks = (check_size, *DRY_RUN) if category.dry_run else (check_size,)
    reason: str | None = None
    for attempt in range(ATTEMPTS):
        draft = write_draft(key, category, attempt)
        for check in checks:
            reason = check(draft)
            if reason is not None:
                break
            yield
        else:
            return draft.sample, draft.code if category.dry_run else None
    raise WarpsmithError(f"{ATTEMPTS} kernels were drawn, and none can be kept; of the last, {reason}")


def write_draft(key: KernelKey, category: Category, attempt: int = 0) -> Draft:
    """Run all stages once; every attempt has a separate random stream."""
    draft = Draft(key, category, RandomStream(f"{key.id}/{attempt}" if attempt else key.id))
    for stage in STAGES:
        stage(draft)
    return draft


# ------------------------------------------------------------------------------------------------------- stages: structure


def choose_length(draft: Draft) -> None:
    """Choose the length factor, from a random stream that is the same for every attempt."""
    if _has_category_length(draft):
        draft.length_factor = 1
    else:
        draft.length_factor = RandomStream(f"{draft.key.id}/length").choice(LENGTH_FACTORS[draft.key.complexity])


def draw_skeleton(draft: Draft) -> None:
    """Choose a theme and let the category draw a skeleton; a brief kernel is drawn until it fits its size budget."""
    draw = partial(_draw, draft.category, draft.rng, draft.length_factor)
    if draft.length_factor:
        builder, draft.kernel = draw()
    else:
        (builder, draft.kernel), draft.length_factor = draw_brief(draw, draft.rng)
    draft.theme = builder.theme


def _draw(category: Category, rng: RandomStream, length_factor: int) -> tuple[KernelBuilder, Kernel]:
    builder = KernelBuilder(rng, rng.choice(THEMES), length_factor)
    skeleton = category.draw(builder)
    return builder, skeleton if category.group == CORE else replace(skeleton, params=reorder_parameters(skeleton.params, rng))


def check_skeleton(draft: Draft) -> None:
    """Check the skeleton before its holes are filled."""
    rules.check_skeleton(draft.kernel)


# -------------------------------------------------------------------------------------------------------- stages: populate


def choose_weights(draft: Draft) -> None:
    """Choose the weights of the productions; outside the core, a random subset of them is switched off (swarm testing)."""
    weights = draft.category.weights
    draft.weights = weights if draft.category.group == CORE else weights.swarm(draft.rng)


def fill_holes(draft: Draft) -> None:
    """Fill the holes of the skeleton with expressions and statements."""
    draft.kernel, draft.mentions = fill(draft.kernel, draft.weights, draft.rng, draft.category.dry_run, draft.length_factor)


def tidy(draft: Draft) -> None:
    """Remove code whose result nothing reads, and mentions of it."""
    draft.kernel = remove_dead_code(draft.kernel)
    draft.phrases = select_phrases(draft.kernel, draft.mentions)


def add_stress(draft: Draft) -> None:
    """Add constructs that Warp's compiler handles incorrectly, in the profile ``stress``."""
    if draft.key.profile == "stress":
        draft.kernel = stress_kernel(draft.kernel, draft.rng)


def add_docstring(draft: Draft) -> None:
    """Add a docstring to some kernels."""
    if draft.rng.chance(DOCSTRING_CHANCE):
        draft.kernel = replace(draft.kernel, doc=write_docstring(draft.kernel, draft.theme.item))


# ------------------------------------------------------------------------------------------------------------ stages: emit


def check_kernel(draft: Draft) -> None:
    """Check the finished kernel: types, bounds, indices."""
    rules.check(draft.kernel)


def emit_sample(draft: Draft) -> None:
    """Render the kernel's file and describe the kernel."""
    kernel = draft.kernel
    draft.sample = Sample(
        id=draft.key.id,
        category=draft.category.name,
        kernel_name=kernel.name,
        source=render(kernel, draft.rng.choice(STYLES)),
        launch=describe_launch(kernel),
        features=list_features(kernel),
        description=describe(kernel, draft.theme.item, draft.category.phrase, draft.phrases),
        structure=hash_structure(kernel),
        options=kernel.options,
    )


STAGES: tuple[Stage, ...] = (
    choose_length,
    draw_skeleton,
    check_skeleton,
    choose_weights,
    fill_holes,
    tidy,
    add_stress,
    add_docstring,
    check_kernel,
    emit_sample,
)
"""The stages of one draft: structure, populate, emit."""


# ------------------------------------------------------------------------------------------------------------------ checks


def check_size(draft: Draft) -> str | None:
    """Reject a kernel whose generated code would be too long for a dataset."""
    if _has_category_length(draft):
        return None
    return "it is too long" if is_too_long(draft.sample.source, tail=draft.key.complexity == "large") else None


def compile_source(draft: Draft) -> None:
    """Compile the kernel's file; extraction uses the same code object."""
    draft.code = compile_module(draft.sample.source)


def draw_arguments(draft: Draft) -> None:
    """Draw the arguments of the dry run: the values that validation uses, too."""
    draft.arguments = make_arguments(draft.sample.launch, draft.key.id)


def run_dry(draft: Draft) -> str | None:
    """Reject a kernel whose results are constant, missing or not differentiable when it runs in plain Python."""
    sample = draft.sample
    ties = draft.key.profile == "stress"
    return rejection_reason(draft.code, sample.kernel_name, sample.launch.dim, draft.arguments, ties=ties)


DRY_RUN: tuple[Check, ...] = (compile_source, draw_arguments, run_dry)
"""The checks after `check_size`, of categories whose kernels run in plain Python. Interleaved work pauses between them."""


def _has_category_length(draft: Draft) -> bool:
    """Return whether the kernel has the length that its category draws; no core kernel of this length is too long."""
    return draft.category.group == CORE and draft.key.complexity != "large"
