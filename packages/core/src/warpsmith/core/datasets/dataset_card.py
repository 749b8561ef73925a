"""The card of a generated dataset, and the command that makes the dataset."""

from __future__ import annotations

from warpsmith.core.datasets.card_sections import (
    CURATION,
    LIMITS,
    RECORD_FIELDS,
    SYNTHETIC,
    category_table,
    citation_section,
    estimated_tokens,
    example_section,
    field_section,
    front_matter,
    use_section,
)
from warpsmith.core.datasets.checks import checks_section
from warpsmith.core.datasets.manifest import MakeArguments, Manifest, Versions

_CARD = """
# Warp kernels and the code generated for them

{pairs:,} pairs of a Python kernel and the {languages} code that NVIDIA Warp {warp} generates for it{directions}, made by
warpsmith, generator version {generator}, seed {seed}. Licence: Apache-2.0.

```python
import datasets
pairs = datasets.load_dataset("json", data_files="pairs-*.jsonl", split="train")
```

{table}
{bytes:,} bytes in {shards:,} files, {tokens}. `manifest.json` contains the arguments, the versions, the preambles that all
generated files start with, and the SHA-256 of each shard. The following command gives the same bytes:

```
{command} --output DIR
```

"""

MADE = "A program composes the kernels from a seed, and NVIDIA Warp generates the code; the seed decides every byte."
"""How generated records are made, for `CURATION`."""

_PROGRAM_CARD = """
# Warp programs and the code generated for their kernels

{pairs:,} Python programs of several kernels of NVIDIA Warp {warp} and the host code that launches them, with the {languages}
code that Warp generates for each kernel{directions}, the launches in their order, and what the programs compute. Made by
warpsmith, version {generator} of the generator of programs, seed {seed}. Licence: Apache-2.0.

```python
import datasets
programs = datasets.load_dataset("json", data_files="programs-*.jsonl", split="train")
```

{table}
{bytes:,} bytes in {shards:,} files, {tokens}. The fields of a line are explained in warpsmith's
`notes/reference/record.md`, section "Programs", schema version {schema}. `manifest.json` contains the arguments, the versions,
the preambles that all generated files start with, and the SHA-256 of each shard. The following command gives the same bytes:

```
{command} --output DIR
```
"""

LANGUAGES = {"cpu": "C++", "cuda": "CUDA", "both": "C++ and CUDA"}


def card(arguments: MakeArguments, versions: Versions, manifest: Manifest, example: bytes | None = None) -> str:
    """Return the card of a generated dataset.

    Args:
        arguments: the arguments that the dataset is made with.
        versions: the versions that it is made with.
        manifest: its counts.
        example: its first line.
    """
    facts = _facts(arguments, versions, manifest)
    text = _CARD.format(**facts, table=category_table(manifest.categories), command=command(arguments))
    made_of = _languages(arguments)
    sections = (
        front_matter(f"Warp kernels and their {made_of}", manifest.pairs, "pairs-*.jsonl"),
        text,
        field_section(RECORD_FIELDS),
        example_section(example),
        use_section(manifest.arguments),
        LIMITS.format(origin=SYNTHETIC),
        CURATION.format(made=MADE),
        citation_section(f"Dataset of {manifest.pairs:,} pairs, generator version {versions.generator}, seed {arguments.seed}"),
        "\n",
        checks_section({}, manifest.pairs),
    )
    return "".join(sections)


def program_card(arguments: MakeArguments, versions: Versions, manifest: Manifest, example: bytes | None = None) -> str:
    """Return the card of a dataset of generated programs; the arguments are those of `card`."""
    backward = " --backward" if arguments.backward else ""
    text = _PROGRAM_CARD.format(
        **_facts(arguments, versions, manifest),
        table=category_table(manifest.categories).replace("| category | pairs |", "| domain | programs |"),
        schema=versions.schema,
        command=f"warpsmith-synthesize make --programs --count {arguments.count} --seed {arguments.seed} "
        f"--device {arguments.device}{backward} --shard-size {arguments.shard_size}",
    )
    common = {name: value for name, value in arguments.stated().items() if name != "programs"}
    subject = f"Dataset of {manifest.pairs:,} programs, generator version {versions.generator}, seed {arguments.seed}"
    sections = (
        front_matter(f"Warp programs and the {_languages(arguments)} of their kernels", manifest.pairs, "programs-*.jsonl"),
        text,
        example_section(example),
        use_section(common),
        LIMITS.format(origin=SYNTHETIC),
        CURATION.format(made=MADE),
        citation_section(subject),
    )
    return "".join(sections)


def _languages(arguments: MakeArguments) -> str:
    return f"{LANGUAGES[arguments.device]}{_directions(arguments)}"


def _directions(arguments: MakeArguments) -> str:
    return ", forward and adjoint" if arguments.backward else ""


def _facts(arguments: MakeArguments, versions: Versions, manifest: Manifest) -> dict[str, object]:
    """Return what the texts of both cards name."""
    return {
        "pairs": manifest.pairs,
        "languages": LANGUAGES[arguments.device],
        "warp": versions.warp,
        "directions": _directions(arguments),
        "generator": versions.generator,
        "seed": arguments.seed,
        "bytes": manifest.bytes,
        "shards": len(manifest.shards),
        "tokens": estimated_tokens(manifest.bytes),
    }


def command(arguments: MakeArguments) -> str:
    """Return the command that makes a dataset with these arguments, without its folder."""
    options = [
        f"warpsmith-synthesize make --count {arguments.count} --seed {arguments.seed} --device {arguments.device}",
        "--backward" if arguments.backward else "",
        "" if arguments.codegen_only else "--build",
        f"--profile {arguments.profile}" if arguments.profile != "default" else "",
        f"--complexity {arguments.complexity}" if arguments.complexity != "medium" else "",
        f"--ptx {arguments.ptx}" if arguments.ptx else "",
        "--plain" if arguments.plain else "",
        f"--categories {','.join(arguments.categories)} --shard-size {arguments.shard_size}",
    ]
    return " ".join(option for option in options if option)
