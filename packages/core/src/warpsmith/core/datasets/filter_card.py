"""The card of a filtered dataset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from msgspec import UnsetType

from warpsmith.core.datasets.card_sections import (
    CURATION,
    EXTRACTED,
    LICENCE,
    LIMITS,
    OTHER_LICENCE,
    RECORD_FIELDS,
    SYNTHETIC,
    category_table,
    citation_section,
    estimated_tokens,
    example_section,
    field_section,
    front_matter,
    is_made_from_a_seed,
    licence_sentence,
    use_section,
)
from warpsmith.core.datasets.checks import Counts, checks_section
from warpsmith.core.datasets.conditions import Condition
from warpsmith.core.datasets.dataset_card import MADE, command
from warpsmith.core.datasets.manifest import FilterArguments, MakeArguments, Manifest, Versions, typed_arguments

MADE_ELSEWHERE = "warpsmith extracted the kernels from source files, and NVIDIA Warp generates the code."
"""How records without a seed are made, for `CURATION`."""


def card(arguments: FilterArguments, manifest: Manifest, checks: Counts, example: bytes | None) -> str:
    """Return the card of a filtered dataset.

    Args:
        arguments: the arguments of the filter.
        manifest: the manifest of the new dataset.
        checks: the verdicts on its pairs.
        example: its first line.
    """
    return "".join(_sections(arguments, manifest, checks, example))


def _sections(arguments: FilterArguments, manifest: Manifest, checks: Counts, example: bytes | None) -> Iterator[str]:
    is_generated = is_made_from_a_seed(manifest)
    title = "Warp kernels and the code generated for them, selected"
    yield front_matter(title, manifest.pairs, "pairs-*.jsonl", LICENCE if is_generated else OTHER_LICENCE) + "\n"
    yield "# Warp kernels and the code generated for them\n\n"
    yield f"{manifest.pairs:,} pairs, selected from {arguments.pairs:,} by their verdicts: "
    yield f"{' and '.join(_conditions(arguments, checks))}. {licence_sentence(is_generated)}\n"
    yield from _provenance(manifest)
    yield "`verdicts-*.jsonl` contains the verdict of each check on each pair.\n"
    yield "\n" + category_table(manifest.categories)
    yield f"\n{manifest.bytes:,} bytes, {estimated_tokens(manifest.bytes)}.\n\n"
    yield field_section(RECORD_FIELDS) + example_section(example) + use_section(manifest.source)
    yield LIMITS.format(origin=SYNTHETIC if is_generated else EXTRACTED)
    yield CURATION.format(made=MADE if is_generated else MADE_ELSEWHERE)
    yield citation_section(f"Dataset of {manifest.pairs:,} selected pairs") + "\n"
    yield checks_section(checks, manifest.pairs)


def _conditions(arguments: FilterArguments, checks: Counts) -> Iterator[str]:
    """Yield the conditions; of a required pass, the number of pairs to which the level does not apply."""
    for text in arguments.require:
        condition = Condition.read(text)
        exempt = checks.get(condition.level, Counter[str]())["not_applicable"] if condition.status == "pass" else 0
        yield f"`{text}`" + (f" ({exempt:,} of these pairs are not applicable: there is nothing to check)" if exempt else "")
    yield from (f"`{text}`" for text in arguments.only)


def earlier_filters(filters: Sequence[Mapping[str, object]] | UnsetType) -> Iterator[FilterArguments]:
    """Yield the arguments of the earlier filters of a manifest, as far as they are those of this release."""
    for raw in filters or ():
        if (arguments := typed_arguments(raw, FilterArguments)) is not None:
            yield arguments


class _Conditional(Protocol):
    """Arguments with conditions on verdicts."""

    @property
    def require(self) -> tuple[str, ...]: ...

    @property
    def only(self) -> tuple[str, ...]: ...


def filter_options(arguments: _Conditional) -> Iterator[str]:
    """Yield the options of conditions on verdicts."""
    yield from (f"--require {condition}" for condition in arguments.require)
    yield from (f"--only {condition}" for condition in arguments.only)


def _provenance(manifest: Manifest) -> Iterator[str]:
    """Yield the versions, the seed and the command of the dataset that the pairs come from, as far as they are known."""
    if isinstance(manifest.versions, Versions):
        yield f"Made by warpsmith; versions: {manifest.versions}.\n"
    if (made := typed_arguments(manifest.source, MakeArguments)) is not None:
        yield f"Seed: {made.seed}. The larger dataset is made by:\n\n```\n{command(made)} --output DIR\n```\n\n"
    for earlier in earlier_filters(manifest.filters):
        yield f"Selected before by `warpsmith-dataset filter DIR {' '.join(filter_options(earlier))}`.\n"
