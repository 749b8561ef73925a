"""The key of a program: everything that decides its bytes, apart from the Warp version."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from warpsmith.synthesis.kernel_key import IN_WORK

STATED_PROGRAM_VERSION = "1.dev"
"""The version of the generator of programs, which counts apart from that of kernels, see `kernel_key.STATED_VERSION`."""


def _program_version() -> str:
    """Return a released version unchanged, and one in work with a digest of the sources, see `kernel_key.identified`."""
    if not STATED_PROGRAM_VERSION.endswith(IN_WORK):
        return STATED_PROGRAM_VERSION
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*")):
        if path.suffix in {".py", ".programs"}:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return f"{STATED_PROGRAM_VERSION}{digest.hexdigest()[:8]}"


PROGRAM_VERSION = _program_version()
"""The version in the ids of programs."""


@dataclass(frozen=True, slots=True)
class ProgramKey:
    """What identifies a program: the seed of a dataset and its index in it."""

    seed: int
    index: int

    @property
    def id(self) -> str:
        """The id, such as ``"program-1-2000-17"``."""
        return f"program-{PROGRAM_VERSION}-{self.seed}-{self.index}"

    @property
    def stream(self) -> str:
        """The name of the random stream, see `kernel_key.KernelKey.stream`."""
        return f"program-{STATED_PROGRAM_VERSION}-{self.seed}-{self.index}"
