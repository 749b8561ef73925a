"""`write_kernel`: one kernel from its key, the same on every machine, by the stages of `STAGES` and the checks of `CHECKS`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType
from typing import TypeAlias

from warpsmith.core.errors import WarpsmithError
from warpsmith.extraction.interleave import Steps, run_alone
from warpsmith.extraction.loading import compile_module
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.language import rules
from warpsmith.synthesis.language.kernel import Kernel
from warpsmith.synthesis.language.render import STYLES, render
from warpsmith.synthesis.language.structure import hash_structure, list_features
from warpsmith.synthesis.language.text_size import is_too_long
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.categories import CORE, Category, category_of
from warpsmith.synthesis.writing.catalogue.domains import ideas_of
from warpsmith.synthesis.writing.dry_run.run import rejection_reason
from warpsmith.synthesis.writing.ideas.choose import LENGTHS, choose_ideas
from warpsmith.synthesis.writing.ideas.compose import Length, Plan, compose
from warpsmith.synthesis.writing.ideas.parts import Domain, Idea
from warpsmith.synthesis.writing.launch import describe_launch
from warpsmith.synthesis.writing.sample import Sample

ATTEMPTS = 20
"""The maximum number of drafts for one key. One kernel in five needs a second draft, hardly any needs a fifth."""


@dataclass(slots=True)
class Draft:
    """One attempt at a kernel, passed from stage to stage.

    Attributes:
        key: the key of the kernel.
        category: its category.
        rng: the randomness of this attempt.
        length: how long the kernel is, the same for every attempt.
        domain: the domain of its ideas.
        ideas: the ideas; the first one gives the kernel its name.
        kernel: the composed kernel.
        description: its description.
        sample: the written kernel.
        code: its compiled file.
    """

    key: KernelKey
    category: Category
    rng: RandomStream
    length: Length = field(init=False)
    domain: Domain = field(init=False)
    ideas: list[Idea] = field(init=False)
    kernel: Kernel = field(init=False)
    description: str = field(init=False)
    sample: Sample = field(init=False)
    code: CodeType = field(init=False)


Stage: TypeAlias = Callable[[Draft], None]
Check: TypeAlias = Callable[[Draft], "str | None"]
"""Returns why the draft is rejected, or None."""


def write_kernel(key: KernelKey) -> Sample:
    """Write the kernel of ``key``; it depends on nothing but the key, this version and Warp's registry.

    A draft is rejected and drawn again if it is too long, lacks what its category stands for, shows no result, or has a branch
    that goes one way.

    Raises:
        WarpsmithError: if all `ATTEMPTS` drafts are rejected.
    """
    sample, _ = run_alone(write_stepwise(key))
    return sample


def write_stepwise(key: KernelKey) -> Steps[tuple[Sample, CodeType]]:
    """Do the work of `write_kernel` in steps; return the compiled file with the sample.

    Raises:
        WarpsmithError: if all `ATTEMPTS` drafts are rejected.
    """
    category = category_of(key.index, key.category)
    reason: str | None = None
    for attempt in range(ATTEMPTS):
        draft = write_draft(key, category, attempt)
        for check in CHECKS:
            reason = check(draft)
            if reason is not None:
                break
            yield
        else:
            return draft.sample, draft.code
    raise WarpsmithError(f"{ATTEMPTS} kernels were drawn, and none can be kept; of the last, {reason}")


def write_draft(key: KernelKey, category: Category, attempt: int = 0) -> Draft:
    """Run all stages once; every attempt has a separate random stream."""
    draft = Draft(key, category, RandomStream(f"{key.id}/{attempt}" if attempt else key.id))
    for stage in STAGES:
        stage(draft)
    return draft


# ------------------------------------------------------------------------------------------------------------------ stages


def choose_length(draft: Draft) -> None:
    """Choose how long the kernel is, from a random stream that is the same for every attempt."""
    draft.length = RandomStream(f"{draft.key.id}/length").choice(LENGTHS[draft.key.complexity])


def choose_program(draft: Draft) -> None:
    """Choose the ideas of the kernel."""
    category = draft.category
    if category.make:
        draft.domain, draft.ideas = category.make(draft.rng)
    else:
        candidates = ideas_of(category.name, adjoint=category.group == CORE, brief=draft.length.brief)
        draft.domain, draft.ideas = choose_ideas(candidates, draft.length, draft.rng)


def compose_kernel(draft: Draft) -> None:
    """Compose and describe the kernel."""
    category = draft.category
    plan = Plan(draft.length, adjoint=category.group == CORE, packs=category.packs, stressed=draft.key.profile == "stress")
    draft.kernel, draft.description = compose(draft.domain, draft.ideas, draft.rng, plan)


def check_rules(draft: Draft) -> None:
    """Check the composed kernel by rules that depend on nothing else."""
    rules.check(draft.kernel)


def emit_sample(draft: Draft) -> None:
    """Render the kernel's file, and collect what the record says about it."""
    kernel = draft.kernel
    draft.sample = Sample(
        id=draft.key.id,
        category=draft.category.name,
        kernel_name=kernel.name,
        source=render(kernel, draft.rng.choice(STYLES)),
        launch=describe_launch(kernel),
        features=list_features(kernel),
        description=draft.description,
        structure=hash_structure(kernel),
        options=kernel.options,
    )


STAGES: tuple[Stage, ...] = (choose_length, choose_program, compose_kernel, check_rules, emit_sample)
"""The stages of one draft."""


# ------------------------------------------------------------------------------------------------------------------ checks


def check_size(draft: Draft) -> str | None:
    """Reject a kernel whose generated code would be too long for a dataset."""
    return "it is too long" if is_too_long(draft.sample.source, tail=draft.key.complexity == "large") else None


def check_category(draft: Draft) -> str | None:
    """Reject a kernel that lacks what its category stands for, because other alternatives were chosen."""
    shows = draft.category.shows
    return None if not shows or re.search(shows, draft.sample.source) else f"it is not of category {draft.category.name}"


def check_order(draft: Draft) -> str | None:
    """Reject a kernel whose atomics of different kinds change one array, because the result depends on the order of threads."""
    kinds: dict[str, str] = {}
    for kind, array in _ATOMIC.findall(draft.sample.source):
        if kinds.setdefault(array, kind.replace("sub", "add")) != kind.replace("sub", "add"):
            return f"{array} depends on the order of threads"
    return None


_ATOMIC = re.compile(r"wp\.atomic_(\w+)\(([\w.]+),")


def run_dry(draft: Draft) -> str | None:
    """Reject a kernel that shows no result, or whose branches go one way, when it runs in plain Python."""
    sample = draft.sample
    return rejection_reason(sample.source, sample.kernel_name, sample.launch, sample.id, ties=draft.key.profile == "stress")


def compile_source(draft: Draft) -> None:
    """Compile the kernel's file; extraction uses the same code object."""
    draft.code = compile_module(draft.sample.source)


CHECKS: tuple[Check, ...] = (check_size, check_category, check_order, run_dry, compile_source)
"""The checks of a draft. Interleaved work pauses between them."""
