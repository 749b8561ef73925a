"""Twenty kernels drawn at random of all categories, printed to `notes/gallery.md`: what the generator writes, to be read.

`python tests/golden/gallery.py` writes the file anew, which belongs in the same change as a new generator version or a new
category; with `--check` it says if that was forgotten.
"""

from __future__ import annotations

import sys
from pathlib import Path

from warpsmith.synthesis.writing.categories import all_categories, core_categories
from warpsmith.synthesis.writing.draw import Draw
from warpsmith.synthesis.writing.generate import generate

GALLERY = Path(__file__).parents[2] / "notes" / "gallery.md"
SEED = 2000
COUNT = 20
OPENING = f"""# Gallery

{COUNT} kernels, drawn at random of all categories and of the first 10,000 of each: not chosen, not touched. Each is a whole
file that runs alone; the sentence above it is the record's `description`.
"""


def gallery() -> str:
    """Return the page."""
    d = Draw(f"gallery/{SEED}")
    parts = [OPENING]
    core = core_categories()
    for _ in range(COUNT):
        category, index = d.choice(all_categories()), d.below(10_000)
        if category in core:
            sample = generate(SEED, index * len(core) + core.index(category))
        else:
            sample = generate(SEED, index, category=category.name)
        parts.append(f"\n## {sample.category}: `{sample.id}`\n\n{sample.description}\n\n```python\n{sample.source}```\n")
    return "".join(parts)


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit("notes/gallery.md is old: run python tests/golden/gallery.py" if GALLERY.read_text() != gallery() else 0)
    GALLERY.write_text(gallery())
