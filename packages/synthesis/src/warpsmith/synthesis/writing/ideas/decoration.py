"""The decorator of a kernel and the options of its module."""

from __future__ import annotations

import re
from collections.abc import Sequence

from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.parts import Idea
from warpsmith.synthesis.writing.policy import (
    DECORATORS,
    FLOAT_FORWARD_ONLY_CHANCE,
    FORWARD_DECORATORS,
    INTEGER_FORWARD_ONLY_CHANCE,
    LAUNCH_DECORATORS,
)

_MATHDX = (
    ("enable_mathdx_gemm", re.compile(r"tile_matmul|tile_cholesky|_solve")),
    ("enable_mathdx_fft", re.compile(r"tile_i?fft")),
    ("enable_mathdx_solver", re.compile(r"tile_cholesky|_solve")),
)


def choose_decorator(idea: Idea, adjoint: bool, rng: RandomStream) -> str:
    """Choose the decorator of a kernel; ``adjoint`` means that it must have an adjoint."""
    chance = INTEGER_FORWARD_ONLY_CHANCE if idea.integer else FLOAT_FORWARD_ONLY_CHANCE
    if not adjoint and (idea.forward_only or rng.chance(chance)):
        return rng.choice(FORWARD_DECORATORS)
    return rng.choice(DECORATORS if adjoint else (*DECORATORS, *LAUNCH_DECORATORS))


def module_options(lines: Sequence[str], block: int) -> tuple[tuple[str, int], ...]:
    """Return the module options of kernels of tiles with ``block`` threads; functions of MathDx exist on GPUs only."""
    if not block:
        return ()
    text = "\n".join(lines)
    return (("block_dim", block), *((option, False) for option, calls in _MATHDX if calls.search(text)))
