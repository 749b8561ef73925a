"""`write_kernel`: one kernel from its key, the same on every machine, by the stages of `STAGES`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType
from typing import TypeAlias

from msgspec.structs import replace

from warpsmith.core.errors import WarpsmithError, describe
from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.extraction.targets.loading import compile_module
from warpsmith.extraction.warp.interleave import Steps, run_alone
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.language import rules
from warpsmith.synthesis.language.composed_kernel import Kernel
from warpsmith.synthesis.language.layout.file_layout import lay_out
from warpsmith.synthesis.language.render import render
from warpsmith.synthesis.language.rules import RuleError
from warpsmith.synthesis.language.structure import hash_structure, list_features
from warpsmith.synthesis.language.text_size import is_too_long
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.adjoint.replaced import replaced_use
from warpsmith.synthesis.writing.adjoint.stale import stale_use
from warpsmith.synthesis.writing.catalogue.categories import CORE, Category, category_of
from warpsmith.synthesis.writing.catalogue.domains import ideas_of
from warpsmith.synthesis.writing.catalogue.idea_kernels import find_idea
from warpsmith.synthesis.writing.catalogue.idea_rows import CatalogueError
from warpsmith.synthesis.writing.dry_run.branches import Branches
from warpsmith.synthesis.writing.dry_run.kernel_run import DryRun
from warpsmith.synthesis.writing.forms.file_forms import write_forms
from warpsmith.synthesis.writing.forms.file_style import FileStyle, choose_style
from warpsmith.synthesis.writing.forms.parameter_notes import annotate
from warpsmith.synthesis.writing.ideas.compose import Composition, Plan
from warpsmith.synthesis.writing.ideas.idea_choice import choose_idea
from warpsmith.synthesis.writing.ideas.parts import Domain, Idea
from warpsmith.synthesis.writing.kernel_launch import describe_launch
from warpsmith.synthesis.writing.policy import ATTEMPTS, CORE_LENGTHS, LENGTHS, Length
from warpsmith.synthesis.writing.sample import Sample


@dataclass(slots=True)
class Draft:
    """One attempt at a kernel, passed from stage to stage.

    Attributes:
        key: the key of the kernel.
        category: its category.
        rng: the randomness of this attempt.
        length: how long the kernel is, the same for every attempt.
        domain: the domain of its idea.
        idea: the idea.
        style: the style of its file.
        composition: the composed kernel.
        kernel: the kernel in the style of its file.
        plain: the file of the composed kernel with every statement in one line, for checks of its text.
        source: its file.
        launch: its launch.
        values: the values of its launch that validation uses.
        dry_run: its dry run.
        sample: the written kernel.
        code: its compiled file.
    """

    key: KernelKey
    category: Category
    rng: RandomStream
    length: Length = field(init=False)
    domain: Domain = field(init=False)
    idea: Idea = field(init=False)
    style: FileStyle = field(init=False)
    composition: Composition = field(init=False)
    kernel: Kernel = field(init=False)
    plain: str = field(init=False)
    source: str = field(init=False)
    launch: Launch = field(init=False)
    values: dict[str, Values] = field(init=False)
    dry_run: DryRun = field(init=False)
    sample: Sample = field(init=False)
    code: CodeType = field(init=False)


Stage: TypeAlias = Callable[[Draft], "str | None"]
"""Returns why the draft is rejected, or None."""


def write_kernel(key: KernelKey) -> Sample:
    """Write the kernel of ``key``; it depends on nothing but the key, this version and Warp's registry.

    A draft is rejected and drawn again if it is too long, lacks what its category stands for, shows no result, has a branch
    that goes one way, or has a gradient that Warp gets wrong.

    Raises:
        CatalogueError: if an idea contains a mistake, such as an unknown key.
        WarpsmithError: if all `ATTEMPTS` drafts are rejected.
    """
    sample, _ = run_alone(write_stepwise(key))
    return sample


def write_stepwise(key: KernelKey) -> Steps[tuple[Sample, CodeType]]:
    """Do the work of `write_kernel` in steps; return the compiled file with the sample.

    Raises:
        WarpsmithError: if all `ATTEMPTS` drafts are rejected.
    """
    reason: str | None = None
    for attempt in range(ATTEMPTS):
        draft, reason = yield from write_draft(key, attempt)
        if reason is None:
            return draft.sample, draft.code
    raise WarpsmithError(f"{ATTEMPTS} kernels were drawn, and none can be kept; of the last, {reason}")


def write_draft(key: KernelKey, attempt: int = 0) -> Steps[tuple[Draft, str | None]]:
    """Run the stages until one rejects the draft, and return why; every attempt has a separate random stream."""
    category = category_of(key.index, key.category)
    draft = Draft(key, category, RandomStream(f"{key.stream}/{attempt}" if attempt else key.stream))
    for stage in STAGES:
        try:
            reason = stage(draft)
        except AUTHORS_MISTAKES as error:
            raise mistake_in(draft, error) from error
        if reason is not None:
            return draft, reason
        yield
    return draft, None


AUTHORS_MISTAKES = (RuleError, ValueError, TypeError, LookupError, ArithmeticError, SyntaxError)
"""Exceptions of stages that a text of the catalogue causes, such as an unknown key; rejections of drafts are no exceptions."""


def mistake_in(draft: Draft, error: Exception) -> Exception:
    """Return the error of an author, with the place of the idea; the error itself if no file contains it."""
    if draft.category.make or not hasattr(draft, "idea"):
        return error
    found = find_idea(f"{draft.domain.name}/{draft.idea.key}")
    reason = f"idea {found.row.key}: {describe(error)}, in kernel {draft.key.id}; `ideas check` names the line"
    return CatalogueError(found.path, found.row.line, reason)


def choose_program(draft: Draft) -> None:
    """Choose how long the kernel is, from a random stream that is the same for every attempt, and its idea."""
    category = draft.category
    lengths = CORE_LENGTHS if category.group == CORE else LENGTHS
    draft.length = RandomStream(f"{draft.key.stream}/length").choice(lengths[draft.key.complexity])
    if category.make:
        draft.domain, draft.idea = category.make(draft.rng)
    else:
        candidates = ideas_of(category.name, adjoint=category.group == CORE, operations=draft.length.operations)
        draft.domain, draft.idea = choose_idea(candidates, draft.rng, adjoint=category.group == CORE)


def compose_kernel(draft: Draft) -> None:
    """Compose the kernel."""
    category = draft.category
    draft.style = choose_style(draft.rng)
    stressed = draft.key.profile == "stress"
    plan = Plan(
        draft.length,
        adjoint=category.group == CORE,
        packs=category.packs,
        stressed=stressed,
        style=draft.style,
    )
    draft.composition = Composition(draft.domain, draft.idea, draft.rng, plan)


def render_file(draft: Draft) -> None:
    """Check the composed kernel by rules that depend on nothing else, and render its file."""
    composed = draft.composition.kernel
    kernel = write_forms(composed, draft.style)
    annotated = annotate(kernel, draft.composition.notes, draft.style, draft.rng)
    draft.kernel = kernel = replace(kernel, doc=annotated.doc, comments=annotated.comments, constants=annotated.constants)
    rules.check(kernel)
    draft.plain = render(composed, draft.style.spelling)
    draft.source = lay_out(render(kernel, draft.style.spelling), draft.style.layout)
    draft.launch = describe_launch(kernel)


def check_text(draft: Draft) -> str | None:
    """Reject a kernel by its text.

    It may lack what its category stands for, because other alternatives were chosen, its generated code may be too long for a
    dataset, or the result may depend on the order of threads, because atomics of different kinds change one array.
    """
    source, shows = draft.plain, draft.category.shows
    if shows and not re.search(shows, source):
        return f"it is not of category {draft.category.name}"
    kinds: dict[str, str] = {}
    for kind, array in _ATOMIC.findall(source):
        if kinds.setdefault(array, kind.replace("sub", "add")) != kind.replace("sub", "add"):
            return f"{array} depends on the order of threads"
    return "it is too long" if is_too_long(source, tail=draft.key.complexity == "large") else None


_ATOMIC = re.compile(r"wp\.atomic_(\w+)\(([\w.]+),")


def make_values(draft: Draft) -> None:
    """Make the values of the launch."""
    draft.values = make_inputs(draft.launch, draft.key.id)


def compile_file(draft: Draft) -> None:
    """Compile the kernel's file for the dry run, and for extraction.

    Warp reads the text of functions, so that one code object serves both, unless functions run while the file is loaded or
    its code is generated.
    """
    branches = Branches(draft.source)
    draft.code = compile_module(branches.source)
    draft.dry_run = DryRun(branches, draft.code, draft.composition.kernel.name, draft.plain)
    if _RUNS_FUNCTIONS.search(draft.source):
        draft.code = compile_module(draft.source)


_RUNS_FUNCTIONS = re.compile(r"wp\.static\(|^ +def ", re.MULTILINE)


def run_dry(draft: Draft) -> str | None:
    """Reject a kernel that shows no result, or whose branches go one way, when it runs in plain Python."""
    return draft.dry_run.rejection_reason(draft.launch, draft.key.id, draft.values, ties=draft.key.profile == "stress")


def check_adjoint(draft: Draft) -> str | None:
    """Reject a kernel whose gradient Warp gets wrong, except in the stress profile, which is about such kernels."""
    if draft.key.profile == "stress":
        return None
    if wrong := stale_use(draft.plain):
        return f"its adjoint uses a stale value: {wrong}"
    wrong = replaced_use(draft.plain)
    return f"its adjoint reads a replaced element: {wrong}" if wrong else None


def collect_sample(draft: Draft) -> None:
    """Collect what the record says about the kernel."""
    kernel = draft.kernel
    draft.sample = Sample(
        id=draft.key.id,
        category=draft.category.name,
        kernel_name=kernel.name,
        source=draft.source,
        launch=draft.launch,
        features=list_features(kernel),
        description=draft.composition.describe(kernel.params),
        structure=hash_structure(replace(draft.composition.kernel, params=kernel.params, generic=kernel.generic)),
        domain=draft.domain.name,
        ideas=() if draft.category.make else (f"{draft.domain.name}/{draft.idea.key}",),
        options=kernel.options,
    )


STAGES: tuple[Stage, ...] = (
    choose_program,
    compose_kernel,
    render_file,
    check_text,
    make_values,
    compile_file,
    run_dry,
    check_adjoint,
    collect_sample,
)
"""The stages of one draft. Interleaved work pauses between them."""
