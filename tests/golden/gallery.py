"""Forty kernels of random categories for `notes/reference/gallery.md`, as examples of generated kernels.

`python tests/golden/gallery.py` regenerates the kernels of the page, as `make release-catalogue` does. `--check` reports an
outdated page; a generator in work outdates none. `--draw` selects forty new kernels of all categories. A new category changes
no kernel, and therefore no page.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from warpsmith.synthesis.kernel_key import IN_WORK, STATED_VERSION, KernelKey
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.categories import all_categories, core_categories
from warpsmith.synthesis.writing.generate import write_kernel

GALLERY = Path(__file__).parents[2] / "notes" / "reference" / "gallery.md"
SEED = 2000
COUNT = 40
OPENING = f"""# Gallery

{COUNT} kernels, drawn at random from all categories and from the first 10,000 indices of each category, without selection or
editing. Each kernel is a whole file that runs alone. The text above it is the record's `description`.
"""
_HEADING = re.compile(rf"^## (\w+): `\S+-{SEED}-(\d+)`$", re.MULTILINE)


def drawn() -> list[tuple[str, int]]:
    """Return the category and the index in the id of random kernels."""
    rng = RandomStream(f"gallery/{SEED}")
    core = core_categories()
    chosen = []
    for _ in range(COUNT):
        category, index = rng.choice(all_categories()), rng.below(10_000)
        if category in core:
            index = index * len(core) + core.index(category)
        chosen.append((category.name, index))
    return chosen


def shown() -> list[tuple[str, int]]:
    """Return the category and the index of the kernels on the page."""
    return [(category, int(index)) for category, index in _HEADING.findall(GALLERY.read_text())]


def gallery(chosen: list[tuple[str, int]]) -> str:
    """Return the page with these kernels."""
    core = {category.name for category in core_categories()}
    parts = [OPENING]
    for category, index in chosen:
        sample = write_kernel(KernelKey(SEED, index, category="" if category in core else category))
        parts.append(f"\n## {sample.category}: `{sample.id}`\n\n{sample.description}\n\n```python\n{sample.source}```\n")
    return "".join(parts)


if __name__ == "__main__":
    if "--check" in sys.argv and STATED_VERSION.endswith(IN_WORK):
        sys.exit(0)
    page = gallery(drawn() if "--draw" in sys.argv else shown())
    if "--check" in sys.argv:
        same = len(shown()) == COUNT and GALLERY.read_text() == page
        sys.exit(0 if same else "notes/reference/gallery.md is outdated: state a version in work in synthesis/kernel_key.py")
    GALLERY.write_text(page)
