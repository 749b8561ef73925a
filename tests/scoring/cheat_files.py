"""The corpus of cheats: each file contains a wrong answer and its honest twin, as a difference of two texts.

A file begins with the description, the last stage that the cheat passes, and a part of the reason. Lines of the answer follow:
those that begin with ``-`` belong to the cheat only, those that begin with ``+`` to the honest twin only, others to both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "cheats"


@dataclass(frozen=True, slots=True)
class CheatFile:
    """One file of the corpus.

    Attributes:
        kind: the kind of task that the cheat answers.
        name: the name of the file.
        description: the first line.
        level: the last stage that the cheat passes; empty if it passes none.
        reason: what the reason of its score contains.
        cheat: the wrong answer.
        twin: the honest answer.
    """

    kind: str
    name: str
    description: str
    level: str
    reason: str
    cheat: str
    twin: str

    @property
    def status(self) -> str:
        """The status of the cheat's score: what the SIMT machine lacks is no mistake."""
        return "unsupported" if re.search("does not support this|is not supported", self.reason) else "fail"

    @property
    def is_slow(self) -> bool:
        """Whether the cheat runs until its time limit."""
        return re.search(r"more than \d+ s|it ran for|step_limit", self.reason) is not None


def read_cheats() -> list[CheatFile]:
    """Return all files of the corpus."""
    return [_read(path) for path in sorted(FOLDER.glob("*/*.diff"))]


def _read(path: Path) -> CheatFile:
    description, passes, reason, _, *lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    level = passes.removeprefix("passes: ").replace("nothing", "")
    texts = ("".join(f"{line[1:]}\n" for line in lines if line[:1] in (" ", "", sign)) for sign in "-+")
    return CheatFile(path.parent.name, path.stem, description, level, reason.removeprefix("reason: "), *texts)
