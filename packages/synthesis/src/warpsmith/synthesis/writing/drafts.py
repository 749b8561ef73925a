"""Brief kernels: an idiom with little besides, as many real kernels are.

Of two skeletons that one category draws one may become ten times as much text as the other, and no category knows. So a brief
kernel is drawn until it fits into `ROOM`. It takes the grammar's steps if these fit into `FILLED`, and else, mostly, one of
them, which tells it from the others of its idiom: what is short, and what is `LONG` all the same, always has one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from warpsmith.synthesis.language.nodes import Kernel, Phrase, Steps
from warpsmith.synthesis.language.types import FLOAT
from warpsmith.synthesis.language.walk import statements
from warpsmith.synthesis.writing.draw import Draw
from warpsmith.synthesis.writing.sketch import Sketch

ROOM, FILLED, LONG = 19, 25, 40
"""Operations: about 8, 9 and 13 KB of CUDA text, forward and backward."""

STEPPED = 0.8
"""How often a kernel that is neither takes a step for which there is no room."""

DRAFTS = (1, 7, 7, 7, 7, 7)
"""How many skeletons are drawn at most. If none fits, the shortest is taken; one kernel in six is whatever comes first, so
that idioms that are long by themselves are not left to the long kernels alone."""

_STEP = 4
_OPERATION = re.compile(
    r"\w[(\[]|[-+*/%&|^<>=]+|wp\.(?:quat|transform|spatial|mat|tile)|_(?:euler|rpy|decompose|compose|matrix)\b"
)
_UNROLLED = re.compile(r" *for [\w$]+ in range\((?:(-?\d+), )?(\d+)\):")

Draft = tuple[Sketch, Kernel]


def brief(draw: Callable[[], Draft], d: Draw) -> tuple[Draft, int]:
    """Draw a skeleton that fits; return it, and whether it takes its steps."""
    drafts: list[tuple[int, Draft]] = []
    most = d.choice(DRAFTS)
    while len(drafts) < most and (not drafts or drafts[-1][0] > ROOM):
        draft = draw()
        drafts.append((operations(draft[1]), draft))
    size, (sketch, skeleton) = min(drafts, key=lambda item: item[0])
    steps = sum(item.count for item in statements(skeleton.body) if isinstance(item, Steps))
    if size <= FILLED - _STEP * steps:
        return (sketch, skeleton), 1
    return (sketch, _with_one_step(skeleton)), int(d.chance(STEPPED if ROOM < size <= LONG else 1.0))


def _with_one_step(skeleton: Kernel) -> Kernel:
    """``skeleton`` less all of its steps but the first."""
    first = next((place for place, item in enumerate(skeleton.body) if isinstance(item, Steps)), -1)
    kept = (item for place, item in enumerate(skeleton.body) if place == first or not isinstance(item, Steps))
    return replace(skeleton, body=tuple(_short(item) if isinstance(item, Steps) else item for item in kept))


def _short(steps: Steps) -> Steps:
    return replace(steps, count=1, types=(FLOAT,) if FLOAT in steps.types else steps.types)


def operations(skeleton: Kernel) -> int:
    """About how many operations Warp writes for a skeleton without its steps: loops of known length as often as they run."""
    body = [item for item in statements(skeleton.body) if not isinstance(item, Steps)]
    texts = [*skeleton.preface, *(item.text for item in body if isinstance(item, Phrase))]
    return sum(map(_of_text, texts)) + len(skeleton.params) + 3 * len(body)


def _of_text(text: str) -> int:
    total, loops = 0, [(-1, 1)]
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        while len(loops) > 1 and loops[-1][0] >= indent:
            loops.pop()
        total += loops[-1][1] * (1 + len(_OPERATION.findall(line)))
        if found := _UNROLLED.match(line):
            loops.append((indent, loops[-1][1] * max(int(found[2]) - int(found[1] or 0), 1)))
    return total
