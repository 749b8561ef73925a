"""Motifs: small formulas of real code, with usual names for the result."""

from __future__ import annotations

from warpsmith.synthesis.writing.catalogue.motifs import curves, geometry, matrices, mixing, physics

MOTIFS = (*curves.MOTIFS, *mixing.MOTIFS, *geometry.MOTIFS, *matrices.MOTIFS, *physics.MOTIFS)
