"""The look of a kernel: how many comments and blank lines it keeps."""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.policy import BLANK_CHANCE, COMMENT_SHARES


def style_lines(lines: Sequence[str], rng: RandomStream) -> list[str]:
    """Keep all, some or no comments, and all or no blank lines."""
    share = rng.choice(COMMENT_SHARES)
    blanks = rng.chance(BLANK_CHANCE)
    kept: list[str] = []
    for line in lines:
        if line.lstrip().startswith("#"):
            if rng.chance(share):
                kept.append(line)
        elif line.strip():
            if line.lstrip().startswith(("elif ", "else:")) and kept and not kept[-1]:
                kept.pop()
            kept.append(line)
        elif blanks and kept and kept[-1].strip() and not kept[-1].rstrip().endswith(":"):
            kept.append("")
    while kept and not kept[-1].strip():
        kept.pop()
    return kept
