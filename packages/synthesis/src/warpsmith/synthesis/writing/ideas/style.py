"""The look of a kernel: how many comments it keeps, and where its blank lines are."""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.policy import BLANK_CHANCE, BLANK_PLACES, COMMENT_SHARES


def style_lines(lines: Sequence[str], rng: RandomStream) -> list[str]:
    """Keep all, some or no comments, and all or no blank lines; add blank lines at the places of one style."""
    share = rng.choice(COMMENT_SHARES)
    blanks, places = rng.chance(BLANK_CHANCE), rng.choice(BLANK_PLACES)
    kept: list[str] = []
    for line in lines:
        text = line.lstrip()
        if text.startswith("#"):
            if not rng.chance(share):
                continue
        elif not text:
            if blanks and kept and kept[-1].strip() and not kept[-1].rstrip().endswith(":"):
                kept.append("")
            continue
        elif text.startswith(("elif ", "else:")) and kept and not kept[-1]:
            kept.pop()
        if kept and _has_place(line, kept[-1], places):
            kept.append("")
        kept.append(line)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def _has_place(line: str, before: str, places: str) -> bool:
    """Return whether a blank line is put between two lines."""
    if not before or before.endswith(":") or before.lstrip().startswith("#") or line.lstrip().startswith(("elif ", "else:")):
        return False
    if line.lstrip().startswith("#"):
        return "comments" in places
    depth, depth_before = (len(text) - len(text.lstrip()) for text in (line, before))
    if depth:
        return False
    return "blocks" in places and (depth_before > 0 or line.startswith(("for ", "while ", "if ")))
