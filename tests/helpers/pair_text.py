"""The whole file of a pair's code, Warp's preamble and the parts of the record, and the places where two texts differ."""

from __future__ import annotations

import bisect
import difflib

from warpsmith.core.records.ir import Code
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.codegen.split import join
from warpsmith.extraction.warp.codegen import preamble


def whole_text(pair: Pair, target: str) -> str:
    """Return the text of the file for ``target``."""
    forward, backward = pair.code(target)
    assert forward is not None
    body = join(Code(pair.metadata.kernel_name, forward, backward), target)
    return preamble(target, body, {"block_dim": 256, **pair.metadata.module_options}) + body


def edited_places(before: str, after: str) -> int:
    """Return in how many places the lines of two texts differ; lines next to each other are one place."""
    old, new = before.split("\n"), after.split("\n")
    for _ in range(2):  # equal lines at the start, then at the end: the matcher is slow on long texts
        equal = _equal_lines(old, new)
        old, new = old[equal:][::-1], new[equal:][::-1]
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return sum(tag != "equal" for tag, *_ in matcher.get_opcodes())


def _equal_lines(old: list[str], new: list[str]) -> int:
    """Return how many lines are equal at the start of both; the comparison of lists is faster than a loop over lines."""
    return bisect.bisect_left(range(1, min(len(old), len(new)) + 1), True, key=lambda count: old[:count] != new[:count])
