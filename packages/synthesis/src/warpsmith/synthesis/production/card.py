"""The dataset card: a README with the front matter that the Hugging Face hub reads."""

from __future__ import annotations

from typing import Any

_CARD = """---
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
  data_files: pairs-*.jsonl
---

# Warp kernels and the code generated for them

{pairs:,} pairs of a Python kernel and the {languages} code that NVIDIA Warp {warp} generates for it{directions}, made by
warpsmith, generator version {generator}, seed {seed}. Licence: Apache-2.0.

```python
import datasets
pairs = datasets.load_dataset("json", data_files="pairs-*.jsonl", split="train")
```

| category | pairs |
|---|---:|
{rows}

The fields of a line are explained in warpsmith's `notes/schema.md`. `manifest.json` holds the arguments, the versions, the
preambles that all generated files open with, and the SHA-256 of each shard. The same bytes come from:

```
warpsmith-synthesize {command}
```
"""


def card(manifest: dict[str, Any]) -> str:
    """Return the card of a dataset."""
    arguments, versions = manifest["arguments"], manifest["versions"]
    languages = {"cpu": "C++", "cuda": "CUDA", "both": "C++ and CUDA"}[arguments["device"]]
    options = [
        f"--count {arguments['count']} --seed {arguments['seed']} --device {arguments['device']}",
        "--backward" if arguments["backward"] else "",
        "--codegen-only" if arguments["codegen_only"] else "",
        f"--profile {arguments['profile']}" if arguments["profile"] != "default" else "",
        f"--complexity {arguments['complexity']}" if arguments["complexity"] != "medium" else "",
        f"--categories {','.join(arguments['categories'])} --shard-size {arguments['shard_size']} --output DIR",
    ]
    return _CARD.format(
        size=_size(manifest["pairs"]),
        pairs=manifest["pairs"],
        languages=languages,
        warp=versions["warp"],
        directions=", forward and adjoint" if arguments["backward"] else "",
        generator=versions["generator"],
        seed=arguments["seed"],
        rows="\n".join(f"| {name} | {count:,} |" for name, count in manifest["categories"].items()),
        command=" ".join(option for option in options if option),
    )


def _size(pairs: int) -> str:
    """The hub's size category."""
    limits = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
    return next((name for limit, name in limits if pairs < limit), "1M<n<10M")
