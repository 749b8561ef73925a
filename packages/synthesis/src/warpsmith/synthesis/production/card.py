"""The dataset card: a README with the front matter that the Hugging Face hub reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from warpsmith.core.datasets.card import category_table, front_matter

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
{schema}. No pair has been judged yet; `warpsmith-validate` does that. `manifest.json` holds the arguments, the versions, the
preambles that all generated files open with, and the SHA-256 of each shard. The same bytes come from:

```
{command} --output DIR
```
"""

LANGUAGES = {"cpu": "C++", "cuda": "CUDA", "both": "C++ and CUDA"}


def card(manifest: dict[str, Any]) -> str:
    """Return the card of a dataset."""
    arguments, versions = manifest["arguments"], manifest["versions"]
    text = _CARD.format(
        pairs=manifest["pairs"],
        languages=LANGUAGES[arguments["device"]],
        warp=versions["warp"],
        directions=", forward and adjoint" if arguments["backward"] else "",
        generator=versions["generator"],
        schema=versions["schema"],
        seed=arguments["seed"],
        table=category_table(manifest["categories"]),
        bytes=manifest["bytes"],
        shards=len(manifest["shards"]),
        command=command(arguments),
    )
    return front_matter(manifest["pairs"], "pairs-*.jsonl") + text


def command(arguments: Mapping[str, Any]) -> str:
    """Return the command that makes a dataset, less its folder; ``arguments`` are those of its manifest."""
    options = [
        f"warpsmith-synthesize --count {arguments['count']} --seed {arguments['seed']} --device {arguments['device']}",
        "--backward" if arguments["backward"] else "",
        "--codegen-only" if arguments["codegen_only"] else "",
        f"--profile {arguments['profile']}" if arguments.get("profile", "default") != "default" else "",
        f"--complexity {arguments['complexity']}" if arguments.get("complexity", "medium") != "medium" else "",
        f"--categories {','.join(arguments['categories'])} --shard-size {arguments['shard_size']}",
    ]
    return " ".join(option for option in options if option)
