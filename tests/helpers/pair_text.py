"""The whole file of a pair's code, Warp's preamble and the parts of the record, and the places where two texts differ."""

from __future__ import annotations

import difflib
import itertools

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
    for _ in range(2):  # equal lines at the end, then at the start: the matcher is slow on long texts
        equal = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(reversed(old), reversed(new))))
        old, new = old[: len(old) - equal][::-1], new[: len(new) - equal][::-1]
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return sum(tag != "equal" for tag, *_ in matcher.get_opcodes())
