"""The words of the fields that people write Warp kernels in, and the values that belong to them.

A theme gives arrays, parameters and results with their names, types and the bounds of their values, so that a kernel speaks of
one thing throughout. Each module of this folder holds the themes of one field.
"""

from __future__ import annotations

from warpsmith.synthesis.writing.catalogue.vocabulary import data, graphics, physics
from warpsmith.synthesis.writing.catalogue.vocabulary.words import Theme

THEMES: tuple[Theme, ...] = tuple(
    value for module in (physics, graphics, data) for value in vars(module).values() if isinstance(value, Theme)
)
"""All themes, in the order in which they are written down."""
