"""The dataset card of an export, with the front matter that the Hugging Face hub reads."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec
import orjson

from warpsmith.core.datasets.card_sections import (
    BYTES_PER_TOKEN,
    CURATION,
    EXCHANGE_FIELDS,
    EXTRACTED,
    LICENCE,
    LIMITS,
    OTHER_LICENCE,
    RECORD_FIELDS,
    SYNTHETIC,
    FieldRow,
    category_table,
    citation_section,
    example_section,
    field_section,
    front_matter,
    is_made_from_a_seed,
    licence_sentence,
    use_section,
)
from warpsmith.core.datasets.dataset_card import MADE, command
from warpsmith.core.datasets.filter_card import MADE_ELSEWHERE, earlier_filters, filter_options
from warpsmith.core.datasets.manifest import FilterArguments, MakeArguments, typed_arguments
from warpsmith.core.export.export_manifest import ExportArguments, ExportManifest
from warpsmith.core.export.export_request import DEFAULT_SPLIT_BY, MEASURES, kept_together
from warpsmith.core.export.formats import FORMATS
from warpsmith.core.export.token_counts import ESTIMATE, QUANTILES, quantiles_row
from warpsmith.core.records.verdict import STATUSES


def card(manifest: ExportManifest, example: bytes | None = None) -> str:
    """Return the dataset card of an export.

    Args:
        manifest: its manifest.
        example: its first row as JSON.
    """
    before = (_front_matter, _opening, _splits, _tokens)
    after = (_leakage, _verdicts, _use, _reproduction)
    texts = [text for section in before for text in section(manifest)]
    texts += ["\n", field_section(_fields(manifest, example)), example_section(example)]
    return "".join([*texts, *(text for section in after for text in section(manifest))])


def _fields(manifest: ExportManifest, example: bytes | None) -> Iterable[FieldRow]:
    """Return the fields of the rows."""
    if not manifest.arguments.tasks or example is None:
        return RECORD_FIELDS
    return [
        EXCHANGE_FIELDS.get(name, FieldRow(name, type(value).__name__, "")) for name, value in orjson.loads(example).items()
    ]


def _front_matter(manifest: ExportManifest) -> Iterator[str]:
    extension = FORMATS[manifest.arguments.format].extension
    files = {name: f"{name}-*.{extension}" for name, split in manifest.splits.items() if split.pairs}
    title = "Warp kernels and the code generated for them"
    subject = f"{title}, {manifest.arguments.format}" if manifest.arguments.tasks else title
    yield front_matter(subject, manifest.lines, files, LICENCE if is_made_from_a_seed(manifest.source) else OTHER_LICENCE)


def _opening(manifest: ExportManifest) -> Iterator[str]:
    form = FORMATS[manifest.arguments.format]
    yield "\n# Warp kernels and the code generated for them\n\n"
    yield f"{form.card},\nmade of {manifest.pairs:,} pairs of a Python kernel and the code that NVIDIA Warp generates for it."
    yield f"\nTexts of these pairs: {', '.join(f'`{name}` {count:,}' for name, count in manifest.texts.items())}.\n"
    if form.note:
        yield f"{form.note}\n"
    yield f"{licence_sentence(is_made_from_a_seed(manifest.source))} Made by warpsmith"
    yield f"; versions: {manifest.source.versions}.\n" if manifest.source.versions else ".\n"


def _splits(manifest: ExportManifest) -> Iterator[str]:
    splits = {name: split for name, split in manifest.splits.items() if split.pairs}
    yield '\n```python\nimport datasets\nsplits = datasets.load_dataset("DIR")  # this folder\n```\n\n'
    yield "| split | pairs | rows | clusters | bytes |\n|---|---:|---:|---:|---:|\n"
    for name, split in splits.items():
        yield f"| {name} | {split.pairs:,} | {split.lines:,} | {split.families:,} | {split.bytes:,} |\n"
    yield "\n" + category_table(_total(split.categories for split in splits.values()))
    if tasks := _total(split.tasks for split in splits.values()):
        yield "\n| task | rows |\n|---|---:|\n" + "".join(f"| {name} | {count:,} |\n" for name, count in tasks.items())


def _tokens(manifest: ExportManifest) -> Iterator[str]:
    if not manifest.tokens:
        return
    estimate = manifest.arguments.tokenizer == ESTIMATE
    counter = f"an estimate of {BYTES_PER_TOKEN} bytes each" if estimate else f"counted by `{manifest.arguments.tokenizer}`"
    subject = "Tokens of a row, question and answer together" if manifest.arguments.tasks else "Tokens of the texts of a record"
    yield f"\n{subject}, {counter}"
    yield "; `prompt_tokens` and `answer_tokens` are those of a row.\n\n" if manifest.arguments.tasks else ".\n\n"
    yield f"| {manifest.counted} | {' | '.join(QUANTILES)} |\n|---|{'---:|' * len(QUANTILES)}\n"
    for name, found in manifest.tokens.items():
        yield f"| {name} | {' | '.join(quantiles_row(found))} |\n"


def _total(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return dict(sorted(total.items()))


_SPLITS = """
## Splits

A cluster consists of all pairs with {kept_together} or with similar Python or code (a Jaccard similarity of {jaccard} or
more). No cluster is divided between splits. There are {count:,} clusters, {of_several:,} of them with several pairs; the
largest has {largest:,}. Pairs that resemble a pair of an earlier split, by structure, idea and domain, and by MinHash
signatures (0.8):

| split | structure | idea | domain | Python | code |
|---|---:|---:|---:|---:|---:|
"""


def _leakage(manifest: ExportManifest) -> Iterator[str]:
    named = f"the same {' or '.join(kept_together(manifest.arguments.split_by))}"
    yield _SPLITS.format(kept_together=named, **msgspec.structs.asdict(manifest.families))
    for name, leaks in manifest.leakage.items():
        yield f"| {name} | {' | '.join(str(leaks[measure]) for measure in MEASURES)} |\n"


def _verdicts(manifest: ExportManifest) -> Iterator[str]:
    yield "\n## Verdicts\n\n"
    if not manifest.proofs:
        yield "None: the dataset had no verdicts of `warpsmith-validate` when it was exported.\n"
        return
    yield "Verdicts of `warpsmith-validate` on these pairs; `notes/checks.md` of warpsmith explains the levels.\n\n"
    yield f"| level | {' | '.join(STATUSES)} |\n"
    yield f"|---|{'---:|' * len(STATUSES)}\n"
    for level, counts in manifest.proofs.items():
        yield f"| {level} | {' | '.join(f'{counts.get(status, 0):,}' for status in STATUSES)} |\n"


def _use(manifest: ExportManifest) -> Iterator[str]:
    is_generated = is_made_from_a_seed(manifest.source)
    yield use_section(manifest.source.source or manifest.source.arguments)
    yield LIMITS.format(origin=SYNTHETIC if is_generated else EXTRACTED)
    questions = " Questions are worded by rules from the id of a record." if manifest.arguments.tasks else ""
    yield CURATION.format(made=f"{MADE if is_generated else MADE_ELSEWHERE}{questions}")
    yield citation_section(f"Export of {manifest.pairs:,} pairs, format {manifest.arguments.format}")


def _reproduction(manifest: ExportManifest) -> Iterator[str]:
    yield "\n## Reproduction\n\nIn an environment with these versions:\n\n```\n"
    yield from (f"{line}\n" for line in _commands(manifest))
    yield "```\n\n`export.json` contains the arguments, the SHA-256 of all files, and the preambles of generated files.\n"
    if manifest.left_out.long_rows:
        yield f"{manifest.left_out.long_rows:,} rows were left out because they have more tokens than the limit.\n"
    if manifest.left_out.by_verdict:
        yield f"{manifest.left_out.by_verdict:,} pairs were left out because of their verdicts.\n"
    for name, counts in manifest.left_out.close_to.items():
        yield f"{counts.pairs:,} pairs were left out that are close to one of {counts.texts:,} texts of `{name}`.\n"


def _commands(manifest: ExportManifest) -> Iterator[str]:
    """Yield the commands that make the dataset, check it, filter it and export it."""
    source = manifest.source
    made = typed_arguments(source.source or source.arguments, MakeArguments)
    filtered = typed_arguments(source.arguments, FilterArguments)
    if made is not None:  # other datasets were extracted, or made by another release
        yield f"{command(made)} --output DATASET"
    if manifest.proofs or filtered:
        highest = list(manifest.proofs)[-1] if manifest.proofs else "gradient"
        yield f"warpsmith-validate run DATASET --level {highest}"
    folder = "DATASET"
    filters = [*earlier_filters(source.filters), *([filtered] if filtered else [])]
    for number, arguments in enumerate(filters, start=1):
        output = "FILTERED" if number == len(filters) else f"FILTERED{number}"
        yield f"warpsmith-dataset filter {folder} {' '.join(filter_options(arguments))} --output {output}"
        folder = output
    yield f"warpsmith-dataset export {folder} {' '.join(_options(manifest.arguments))}"


def _options(arguments: ExportArguments) -> Iterator[str]:
    yield f"--format {arguments.format} --split {','.join(map(str, arguments.split.values()))}"
    if arguments.split_by != DEFAULT_SPLIT_BY:
        yield f"--split-by {arguments.split_by}"
    if arguments.tokenizer != ESTIMATE:
        yield f"--tokenizer {shlex.quote(arguments.tokenizer)}"
    if arguments.max_tokens is not None:
        yield f"--max-tokens {arguments.max_tokens}"
    if arguments.tasks:
        yield f"--task {','.join(arguments.tasks)}"
    yield from filter_options(arguments)
    yield from (f"--exclude {shlex.quote(benchmark.file)}" for benchmark in arguments.exclude)
    yield f"--shard-size {arguments.shard_size} --output DIR"
