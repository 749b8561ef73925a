"""The key of a kernel: everything that decides its bytes, apart from the Warp version."""

from __future__ import annotations

import hashlib
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Literal

STATED_VERSION = "7"
"""The version of the generator. A released version, such as ``"5"``, stands for the same kernels for ever. The first change of
any kernel after a release makes it ``"6.dev"``, further ones leave it, and ``make release-catalogue`` makes it ``"6"``."""

IN_WORK = ".dev"
"""The end of a version that is not released."""


def identified(version: str) -> str:
    """Return a released version unchanged, and one in work with a digest of the sources of the generator.

    Two commits may write different kernels under one version in work: with the digest no dataset mixes them.
    """
    if not version.endswith(IN_WORK):
        return version
    digest = hashlib.sha256()
    for folder in ("language", "writing"):
        for path in sorted(Path(__file__).with_name(folder).rglob("*")):
            if path.suffix in {".py", ".ideas"} or path.name == "order":
                digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return f"{version}{digest.hexdigest()[:8]}"


GENERATOR_VERSION = identified(STATED_VERSION)
"""The version in every id and manifest."""


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
        """The pair's id, such as ``"5-2000-17"``, ``"5.tile-2000-17"``, ``"5.stress-2000-17"`` or ``"5.large-2000-17"``."""
        return self._named(GENERATOR_VERSION)

    @property
    def stream(self) -> str:
        """The name of the kernel's random streams: the id without a digest, so that a change to an idea draws no other anew."""
        return self._named(STATED_VERSION)

    def _named(self, version: str) -> str:
        variants = (self.category, self.profile.removeprefix("default"), self.complexity.removeprefix("medium"))
        return f"{'.'.join((version, *filter(None, variants)))}-{self.seed}-{self.index}"
