"""The vocabulary: names of the fields in which Warp kernels are written, with types and bounds of the values.

A theme contains arrays, parameters and results with their names, types and bounds, so that all names of a kernel belong to one
subject. Each module of this folder contains the themes of one field.
"""

from __future__ import annotations

from warpsmith.synthesis.writing.catalogue.vocabulary import data, graphics, physics
from warpsmith.synthesis.writing.catalogue.vocabulary.words import Theme

THEMES: tuple[Theme, ...] = tuple(
    value for module in (physics, graphics, data) for value in vars(module).values() if isinstance(value, Theme)
)
"""All themes, in the order of their definition."""
