"""Kernels in the style of real projects, with launches as programs make them, and their right verdicts.

All kernels are written for these tests. `incorrect` contains those whose gradient Warp computes incorrectly.
"""

from __future__ import annotations

from real_patterns import bodies, general, incorrect, particles, solvers
from real_patterns.incorrect import ENDLESS
from real_patterns.pattern import Pattern

__all__ = ["CORRECT", "ENDLESS", "INCORRECT", "Pattern"]

CORRECT = particles.PATTERNS | solvers.PATTERNS | bodies.PATTERNS | general.PATTERNS
INCORRECT = incorrect.PATTERNS
