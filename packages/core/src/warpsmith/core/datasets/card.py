"""What the cards of datasets have in common: the front matter that the Hugging Face hub reads, and a table of types."""

from __future__ import annotations

from collections.abc import Mapping

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


def front_matter(lines: int, files: str | Mapping[str, str]) -> str:
    """Return the front matter of a dataset of so many lines.

    Args:
        lines: how many rows a reader finds.
        files: a pattern of all files, or one for each split.
    """
    if isinstance(files, str):
        listed = f" {files}"
    else:
        listed = "".join(f"\n  - split: {split}\n    path: {pattern}" for split, pattern in files.items())
    size = next((name for limit, name in _SIZES if lines < limit), "10M<n<100M")
    return _FRONT.format(size=size, files=listed)


def category_table(categories: Mapping[str, int]) -> str:
    """Return a table of pairs by category."""
    rows = (f"| {name} | {count:,} |\n" for name, count in categories.items())
    return f"| category | pairs |\n|---|---:|\n{''.join(rows)}"
