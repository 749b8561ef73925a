"""The card of an export: what a trainer should know before loading it, and the front matter that the Hugging Face hub reads."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from typing import Any

from warpsmith.core.datasets.card import category_table, command, front_matter
from warpsmith.core.datasets.manifest import MakeArguments, typed_arguments
from warpsmith.core.export.writers import WRITERS
from warpsmith.core.records.verdict import STATUSES

_WHAT = {
    "chat": "Exchanges of two messages (`messages`), a question and code that answers it",
    "completion": "Prompts and their completions (`prompt`, `completion`)",
}


def card(manifest: dict[str, Any]) -> str:
    """Return the card of an export."""
    return "".join(_parts(manifest))


def _parts(manifest: dict[str, Any]) -> Iterator[str]:
    splits = {name: split for name, split in manifest["splits"].items() if split["pairs"]}
    ending = WRITERS[manifest["arguments"]["format"]][0]
    yield front_matter(manifest["lines"], {name: f"{name}-*.{ending}" for name in splits})
    yield "\n# Warp kernels and the code generated for them\n\n"
    yield from _opening(manifest)
    yield '\n```python\nimport datasets\nsplits = datasets.load_dataset("DIR")  # this folder\n```\n\n'
    yield "| split | pairs | lines | families | bytes |\n|---|---:|---:|---:|---:|\n"
    for name, split in splits.items():
        yield f"| {name} | {split['pairs']:,} | {split['lines']:,} | {split['families']:,} | {split['bytes']:,} |\n"
    yield "\n" + category_table(_total(splits, "categories"))
    if tasks := _total(splits, "tasks"):
        yield "\n| task | lines |\n|---|---:|\n" + "".join(f"| {name} | {count:,} |\n" for name, count in tasks.items())
    yield from _leakage(manifest)
    yield from _proofs(manifest)
    yield from _origin(manifest)


def _opening(manifest: dict[str, Any]) -> Iterator[str]:
    form, versions = manifest["arguments"]["format"], manifest["source"].get("versions", {})
    yield _WHAT.get(form, "Records, as `notes/schema.md` of warpsmith explains them")
    yield f",\nmade of {manifest['pairs']:,} pairs of a Python kernel and the code that NVIDIA Warp generates for it."
    yield f"\nTexts of these pairs: {', '.join(f'`{name}` {count:,}' for name, count in manifest['texts'].items())}.\n"
    if form == "parquet":
        yield "`metadata.launch` and `metadata.module_options` are JSON text.\n"
    yield "Licence: Apache-2.0. Made by warpsmith"
    yield f"; versions: {', '.join(f'{name} {version}' for name, version in versions.items())}.\n" if versions else ".\n"


def _total(splits: dict[str, Any], key: str) -> dict[str, int]:
    total: Counter[str] = Counter()
    for split in splits.values():
        total.update(split[key])
    return dict(sorted(total.items()))


_SPLITS = """
## Splits

A family is all pairs of one structure, and all whose Python or code is alike (Jaccard similarity of {jaccard} and more). No
family stands in two splits. There are {count:,} families, {of_several:,} of them of several pairs; the largest has {largest:,}.
Pairs that have their like in a split before, by structure and by MinHash signatures (0.8):

| split | structure | Python | code |
|---|---:|---:|---:|
"""


def _leakage(manifest: dict[str, Any]) -> Iterator[str]:
    yield _SPLITS.format(**manifest["families"])
    for name, kinds in manifest["leakage"].items():
        yield f"| {name} | {' | '.join(leak(kinds[kind]) for kind in ('structure', 'python', 'code'))} |\n"


def leak(measured: dict[str, float]) -> str:
    """A number of pairs and its share, for a table."""
    return f"{measured['pairs']:,} ({measured['share']:.2%})"


def _proofs(manifest: dict[str, Any]) -> Iterator[str]:
    yield "\n## Proofs\n\n"
    if not manifest["proofs"]:
        yield "None: no verdicts of `warpsmith-validate` stood beside the dataset when it was exported.\n"
        return
    yield "What `warpsmith-validate` said of these pairs; `notes/checks.md` of warpsmith explains the levels.\n\n"
    yield f"| level | {' | '.join(STATUSES)} |\n"
    yield f"|---|{'---:|' * len(STATUSES)}\n"
    for level, counts in manifest["proofs"].items():
        yield f"| {level} | {' | '.join(f'{counts.get(status, 0):,}' for status in STATUSES)} |\n"


def _origin(manifest: dict[str, Any]) -> Iterator[str]:
    yield "\n## How to make it again\n\nIn an environment of these versions:\n\n```\n"
    yield from (f"{line}\n" for line in _commands(manifest))
    yield "```\n\n`export.json` holds the arguments, the SHA-256 of all files, and the preambles of generated files.\n"
    left_out = manifest["left_out"]
    if left_out["by_verdict"]:
        yield f"{left_out['by_verdict']:,} pairs were left out for their verdicts.\n"
    for name, counts in left_out["close_to"].items():
        yield f"{counts['pairs']:,} pairs were left out that are close to one of {counts['texts']:,} texts of `{name}`.\n"


def _commands(manifest: dict[str, Any]) -> Iterator[str]:
    source, arguments = manifest["source"], manifest["arguments"]
    own = source.get("arguments") or {}
    made = typed_arguments(source.get("source") or own, MakeArguments)
    taken_out = [f"--{option} {condition}" for option in ("require", "only") for condition in own.get(option, ())]
    with_verdicts = manifest["proofs"] or taken_out
    if made is not None:  # other datasets were extracted, or made by another release
        yield f"{command(made)} --output DATASET"
    if with_verdicts:
        yield f"warpsmith-validate run DATASET --level {list(manifest['proofs'] or {'gradient': 0})[-1]}"
    if taken_out:
        yield f"warpsmith-dataset filter DATASET {' '.join(taken_out)} --output FILTERED"
    options = [
        f"--format {arguments['format']} --split {','.join(map(str, arguments['split'].values()))}",
        f"--task {','.join(arguments['tasks'])}" if arguments["tasks"] else "",
        *(f"--{option} {condition}" for option in ("require", "only") for condition in arguments[option]),
        *(f"--exclude {shlex.quote(entry['file'])}" for entry in arguments["exclude"]),
        f"--shard-size {arguments['shard_size']} --output DIR",
    ]
    dataset = "FILTERED" if taken_out else "DATASET"
    yield f"warpsmith-dataset export {dataset} {' '.join(option for option in options if option)}"
