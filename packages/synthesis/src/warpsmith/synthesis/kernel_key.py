"""What a kernel is named by: everything that decides its bytes, apart from Warp's version."""

from __future__ import annotations

from typing import Literal

GENERATOR_VERSION = "2"
"""Goes up whenever the kernel of any seed and index changes."""

Profile = Literal["default", "stress"]
Complexity = Literal["small", "medium", "large"]


def identity_of(
    seed: int, index: int, profile: Profile = "default", category: str = "", complexity: Complexity = "medium"
) -> str:
    """The id of a kernel: ``"2-2000-17"``, ``"2.stress-2000-17"``, ``"2.tile-2000-17"``, ``"2.large-2000-17"``."""
    parts = (GENERATOR_VERSION, category, profile.removeprefix("default"), complexity.removeprefix("medium"))
    version = ".".join(part for part in parts if part)
    return f"{version}-{seed}-{index}"
