"""Brief kernels: a template with few other statements, like many real kernels.

Two skeletons of one category may differ in length by a factor of ten. Therefore skeletons of a brief kernel are drawn until one
fits into `FIT_LIMIT`. The kernel keeps all steps of the grammar if they fit into `STEPS_LIMIT`. Otherwise it mostly keeps one
step, which distinguishes it from other kernels of the same template: kernels within `FIT_LIMIT` and kernels beyond `LONG_LIMIT`
always do.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from warpsmith.synthesis.language.nodes import Kernel, Steps, TemplateStatement
from warpsmith.synthesis.language.text_size import count_operations
from warpsmith.synthesis.language.types import FLOAT
from warpsmith.synthesis.language.walk import statements
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder

FIT_LIMIT, STEPS_LIMIT, LONG_LIMIT = 19, 25, 40
"""Operations: about 8, 9 and 13 KB of CUDA text, forward and backward."""

STEP_CHANCE = 0.3
"""The probability that a kernel between `FIT_LIMIT` and `LONG_LIMIT` keeps one step."""

CANDIDATE_COUNTS = (1, *(9,) * 9)
"""The maximum number of skeletons, drawn for each kernel. If none fits, the first one that is at most `TOLERANCE` longer than
the shortest is kept. One kernel in ten keeps its first skeleton, so that long templates occur in brief kernels, too.
"""

TOLERANCE = 4
"""Operations by which a kept skeleton may exceed the shortest one."""

STEP_OPERATIONS = 4

Candidate = tuple[KernelBuilder, Kernel]


def draw_brief(draw: Callable[[], Candidate], rng: RandomStream) -> tuple[Candidate, int]:
    """Draw a skeleton that fits; return it, and 1 if it keeps its steps, else 0. A skeleton without steps is kept unchanged."""
    candidates: list[tuple[int, Candidate]] = []
    limit = rng.choice(CANDIDATE_COUNTS)
    while len(candidates) < limit and (not candidates or candidates[-1][0] > FIT_LIMIT):
        candidate = draw()
        if not _count_steps(candidate[1]):
            return candidate, 1
        candidates.append((_count_operations(candidate[1]), candidate))
    shortest = min(size for size, _ in candidates)
    size, (builder, skeleton) = next(item for item in candidates if item[0] <= shortest + TOLERANCE)
    if size <= STEPS_LIMIT - STEP_OPERATIONS * _count_steps(skeleton):
        return (builder, skeleton), 1
    return (builder, _keep_one_step(skeleton)), int(rng.chance(STEP_CHANCE if FIT_LIMIT < size <= LONG_LIMIT else 1.0))


def _count_operations(skeleton: Kernel) -> int:
    """Count the operations of a skeleton, without steps of the grammar and without functions of Warp's library."""
    body = [item for item in statements(skeleton.body) if not isinstance(item, Steps)]
    texts = [*skeleton.preface, *(item.text for item in body if isinstance(item, TemplateStatement))]
    return sum(map(count_operations, texts)) + len(skeleton.params) + 3 * len(body)


def _count_steps(skeleton: Kernel) -> int:
    return sum(item.count for item in statements(skeleton.body) if isinstance(item, Steps))


def _keep_one_step(skeleton: Kernel) -> Kernel:
    """Remove all steps of a skeleton but the first."""
    first = next((position for position, item in enumerate(skeleton.body) if isinstance(item, Steps)), -1)
    kept = (item for position, item in enumerate(skeleton.body) if position == first or not isinstance(item, Steps))
    return replace(skeleton, body=tuple(_shorten(item) if isinstance(item, Steps) else item for item in kept))


def _shorten(steps: Steps) -> Steps:
    return replace(steps, count=1, types=(FLOAT,) if FLOAT in steps.types else steps.types)
