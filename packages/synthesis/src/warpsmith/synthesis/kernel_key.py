"""The key of a kernel: everything that decides its bytes, apart from the Warp version."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Literal

GENERATOR_VERSION = "3"
"""The version in every id; it is raised whenever the kernel of any key changes."""

Profile = Literal["default", "stress"]
Complexity = Literal["small", "medium", "large"]


@dataclass(frozen=True, slots=True)
class KernelKey:
    """The arguments that identify one generated kernel.

    Attributes:
        seed: the seed of the dataset.
        index: the number of the kernel. Core categories share one numbering; every other category has a separate one.
        category: the name of a category outside the core; empty for a core kernel, whose category follows from ``index``.
        profile: ``"stress"`` adds constructs that Warp's compiler handles incorrectly, see `ideas.stress`.
        complexity: how long kernels get, see `writing.policy.LENGTHS`.
    """

    seed: int
    index: int
    _: KW_ONLY
    category: str = ""
    profile: Profile = "default"
    complexity: Complexity = "medium"

    @property
    def id(self) -> str:
        """The pair's id, such as ``"3-2000-17"``, ``"3.tile-2000-17"``, ``"3.stress-2000-17"`` or ``"3.large-2000-17"``."""
        variants = (self.category, self.profile.removeprefix("default"), self.complexity.removeprefix("medium"))
        version = ".".join((GENERATOR_VERSION, *filter(None, variants)))
        return f"{version}-{self.seed}-{self.index}"
