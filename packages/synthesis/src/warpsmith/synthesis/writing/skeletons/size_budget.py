"""Brief kernels: an idiom with little besides, as many real kernels are.

Of two skeletons that one category draws one may become ten times as much text as the other, and no category knows. So a brief
kernel is drawn until it fits into `ROOM`. It takes the grammar's steps if these fit into `FILLED`, and else, mostly, one of
them, which tells it from the others of its idiom: what is short, and what is `LONG` all the same, always has one.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from warpsmith.synthesis.language.nodes import Kernel, Steps
from warpsmith.synthesis.language.text_size import count_skeleton_operations
from warpsmith.synthesis.language.types import FLOAT
from warpsmith.synthesis.language.walk import statements
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder

ROOM, FILLED, LONG = 19, 25, 40
"""Operations: about 8, 9 and 13 KB of CUDA text, forward and backward."""

STEPPED = 0.3
"""How often a kernel that is neither takes a step for which there is no room."""

DRAFTS = (1, *(9,) * 9)
"""How many skeletons are drawn at most. If none fits, the first is taken that is hardly longer than the shortest, and one
kernel in ten is whatever comes first, so that idioms that are long by themselves are not left to the long kernels alone."""

SLACK = 4
"""Operations."""

_STEP = 4

Draft = tuple[KernelBuilder, Kernel]


def draw_brief(draw: Callable[[], Draft], rng: RandomStream) -> tuple[Draft, int]:
    """Draw a skeleton that fits; return it, and whether it takes its steps. One without steps of the grammar stays as it is."""
    drafts: list[tuple[int, Draft]] = []
    most = rng.choice(DRAFTS)
    while len(drafts) < most and (not drafts or drafts[-1][0] > ROOM):
        draft = draw()
        if not _steps(draft[1]):
            return draft, 1
        drafts.append((count_skeleton_operations(draft[1]), draft))
    shortest = min(size for size, _ in drafts)
    size, (sketch, skeleton) = next(item for item in drafts if item[0] <= shortest + SLACK)
    if size <= FILLED - _STEP * _steps(skeleton):
        return (sketch, skeleton), 1
    return (sketch, _with_one_step(skeleton)), int(rng.chance(STEPPED if ROOM < size <= LONG else 1.0))


def _steps(skeleton: Kernel) -> int:
    return sum(item.count for item in statements(skeleton.body) if isinstance(item, Steps))


def _with_one_step(skeleton: Kernel) -> Kernel:
    """``skeleton`` less all of its steps but the first."""
    first = next((place for place, item in enumerate(skeleton.body) if isinstance(item, Steps)), -1)
    kept = (item for place, item in enumerate(skeleton.body) if place == first or not isinstance(item, Steps))
    return replace(skeleton, body=tuple(_short(item) if isinstance(item, Steps) else item for item in kept))


def _short(steps: Steps) -> Steps:
    return replace(steps, count=1, types=(FLOAT,) if FLOAT in steps.types else steps.types)
