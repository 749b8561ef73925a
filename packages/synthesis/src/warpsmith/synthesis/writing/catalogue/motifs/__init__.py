"""Idioms of real code: small formulas that people write whole, with the names that they give the result."""

from __future__ import annotations

from warpsmith.synthesis.writing.catalogue.motifs import curves, geometry, matrices, mixing, physics

MOTIFS = (*curves.MOTIFS, *mixing.MOTIFS, *geometry.MOTIFS, *matrices.MOTIFS, *physics.MOTIFS)
