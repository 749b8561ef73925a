"""Kernels in the style of real projects, with launches as programs make them, and their right verdicts.

All kernels are written for these tests. `incorrect` contains kernels whose gradient Warp computes incorrectly; the modules of
`WITH_FIGURES` contain such kernels beside twins whose gradient is correct, most of them with formulas for exact derivatives.
"""

from __future__ import annotations

from real_patterns import bodies, general, incorrect, kinematics, learning, magnitudes, media, particles, solvers
from real_patterns.incorrect import ENDLESS
from real_patterns.pattern import Pattern

__all__ = ["CORRECT", "ENDLESS", "INCORRECT", "MODULES", "WITH_FIGURES", "Pattern"]

MODULES = {
    module.__name__.rpartition(".")[2]: module.PATTERNS
    for module in (particles, solvers, bodies, general, incorrect, learning, kinematics, media, magnitudes)
}
"""The patterns by module."""

CORRECT = particles.PATTERNS | solvers.PATTERNS | bodies.PATTERNS | general.PATTERNS
INCORRECT = incorrect.PATTERNS
WITH_FIGURES = learning.PATTERNS | magnitudes.PATTERNS | kinematics.PATTERNS | media.PATTERNS
"""The patterns whose derivatives a test compares with exact ones."""
