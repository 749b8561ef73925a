"""Grids of plain launches."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from warpsmith.scoring.judging.secret_launches import ANY_ORDER
from warpsmith.scoring.plain.grids import REVERSED, grid

DIMS = st.lists(st.integers(1, 400), min_size=1, max_size=3).map(tuple)


@given(dim=DIMS, number=st.sampled_from(ANY_ORDER))
def test_a_grid_covers_the_launch_with_the_blocks_that_prompts_promise(dim: tuple[int, ...], number: int) -> None:
    shape = grid(dim, number)
    assert math.prod(shape.threads) in (32, 64, 128, 256)
    for length, blocks, threads in zip((*dim[::-1], 1, 1), shape.blocks, shape.threads, strict=False):
        assert threads & (threads - 1) == 0
        assert blocks * threads >= length
    assert shape.threads[len(dim) :] == shape.blocks[len(dim) :] == (1,) * (3 - len(dim))
    assert shape.is_reversed == (number == REVERSED)


@given(dim=DIMS)
def test_the_grids_of_a_launch_differ(dim: tuple[int, ...]) -> None:
    grids = [grid(dim, number) for number in ANY_ORDER]
    assert {math.prod(shape.threads) for shape in grids} >= {32, 256}
    surplus = [
        shape for shape in grids if all(b * t - n >= t for n, b, t in zip(dim[::-1], shape.blocks, shape.threads, strict=False))
    ]
    assert surplus, "no grid has whole blocks beyond the launch"
    if dim[-1] > 64:
        assert max(shape.blocks[0] for shape in grids) >= 3
    if len(dim) > 1:
        assert any(shape.threads[1] not in (1, shape.threads[0]) for shape in grids)


@given(dim=DIMS, number=st.sampled_from((0, 1, 2)))
def test_threads_run_in_the_order_of_elements(dim: tuple[int, ...], number: int) -> None:
    assert grid(dim, number).threads[1:] == (1, 1)
