"""Dataset cards: the card of a generated dataset, and parts of all cards, such as the front matter of the Hugging Face hub."""

from __future__ import annotations

from collections.abc import Mapping

from warpsmith.core.datasets.checks import checks_section
from warpsmith.core.datasets.manifest import MakeArguments, Manifest, Versions

_FRONT = """---
license: apache-2.0
task_categories:
- text-generation
tags:
- code
- cuda
- python
- warp
- synthetic
size_categories:
- {size}
configs:
- config_name: default
  data_files:{files}
---
"""

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"), (10_000_000, "1M<n<10M"))


_CARD = """
# Warp kernels and the code generated for them

{pairs:,} pairs of a Python kernel and the {languages} code that NVIDIA Warp {warp} generates for it{directions}, made by
warpsmith, generator version {generator}, seed {seed}. Licence: Apache-2.0.

```python
import datasets
pairs = datasets.load_dataset("json", data_files="pairs-*.jsonl", split="train")
```

{table}
{bytes:,} bytes in {shards:,} files. The fields of a line are explained in warpsmith's `notes/schema.md`, schema version
{schema}. `manifest.json` contains the arguments, the versions, the preambles that all generated files start with, and the
SHA-256 of each shard. To train a model of Warp code, put the dataset beside real code, at about a quarter of the tokens, and
prefer more categories to more pairs. The following command gives the same bytes:

```
{command} --output DIR
```

{checks}"""

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
{bytes:,} bytes in {shards:,} files. The fields of a line are explained in warpsmith's `notes/reference/record.md`, section
"Programs", schema version {schema}. `manifest.json` contains the arguments, the versions, the preambles that all generated
files start with, and the SHA-256 of each shard. The following command gives the same bytes:

```
{command} --output DIR
```
"""

LANGUAGES = {"cpu": "C++", "cuda": "CUDA", "both": "C++ and CUDA"}


def card(arguments: MakeArguments, versions: Versions, manifest: Manifest) -> str:
    """Return the card of a generated dataset."""
    text = _CARD.format(
        pairs=manifest.pairs,
        languages=LANGUAGES[arguments.device],
        warp=versions.warp,
        directions=", forward and adjoint" if arguments.backward else "",
        generator=versions.generator,
        schema=versions.schema,
        seed=arguments.seed,
        table=category_table(manifest.categories),
        bytes=manifest.bytes,
        shards=len(manifest.shards),
        command=command(arguments),
        checks=checks_section({}, manifest.pairs),
    )
    return front_matter(manifest.pairs, "pairs-*.jsonl") + text


def program_card(arguments: MakeArguments, versions: Versions, manifest: Manifest) -> str:
    """Return the card of a dataset of generated programs."""
    backward = " --backward" if arguments.backward else ""
    text = _PROGRAM_CARD.format(
        pairs=manifest.pairs,
        languages=LANGUAGES[arguments.device],
        warp=versions.warp,
        directions=", forward and adjoint" if arguments.backward else "",
        generator=versions.generator,
        schema=versions.schema,
        seed=arguments.seed,
        table=category_table(manifest.categories).replace("| category | pairs |", "| domain | programs |"),
        bytes=manifest.bytes,
        shards=len(manifest.shards),
        command=f"warpsmith-synthesize make --programs --count {arguments.count} --seed {arguments.seed} "
        f"--device {arguments.device}{backward} --shard-size {arguments.shard_size}",
    )
    return front_matter(manifest.pairs, "programs-*.jsonl") + text


def command(arguments: MakeArguments) -> str:
    """Return the command that makes a dataset with these arguments, without its folder."""
    options = [
        f"warpsmith-synthesize make --count {arguments.count} --seed {arguments.seed} --device {arguments.device}",
        "--backward" if arguments.backward else "",
        "" if arguments.codegen_only else "--build",
        f"--profile {arguments.profile}" if arguments.profile != "default" else "",
        f"--complexity {arguments.complexity}" if arguments.complexity != "medium" else "",
        f"--categories {','.join(arguments.categories)} --shard-size {arguments.shard_size}",
    ]
    return " ".join(option for option in options if option)


def front_matter(lines: int, files: str | Mapping[str, str]) -> str:
    """Return the front matter of a dataset.

    Args:
        lines: the number of rows.
        files: a pattern for all files, or one for each split.
    """
    if isinstance(files, str):
        listed = f" {files}"
    else:
        listed = "".join(f"\n  - split: {split}\n    path: {pattern}" for split, pattern in files.items())
    size = next((name for limit, name in _SIZES if lines < limit), "10M<n<100M")
    return _FRONT.format(size=size, files=listed)


def category_table(categories: Mapping[str, int]) -> str:
    """Return a table with the number of pairs in each category."""
    rows = (f"| {name} | {count:,} |\n" for name, count in categories.items())
    return f"| category | pairs |\n|---|---:|\n{''.join(rows)}"
