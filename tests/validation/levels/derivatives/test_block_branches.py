"""Tiles in branches that only some threads of a block take."""

from __future__ import annotations

import pytest

from warpsmith.validation.levels.derivatives.block_branches import tiles_in_thread_branches

KERNEL = """import warp as wp


@wp.kernel
def total(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i, lane = wp.tid()
    first = lane == 0
    t = wp.tile_sum(wp.tile(x[lane]))
    value = wp.tile_extract(t, 0)
    {statement}
"""


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("if lane == 0: wp.atomic_add(out, i, wp.tile_extract(t, 0))", True),
        ("if first: wp.tile_atomic_add(out, t, offset=i)", True),
        ("if x[lane] > 0.0:\n        if n > 0: t = wp.tile_sum(t)", True),
        ("if n > 0: pass\n    elif lane > 0: t = wp.tile_sum(t)", True),
        ("while lane < n: t = wp.tile_sum(t)", True),
        ("if n > 0: wp.tile_store(out, t, offset=i)", False),
        ("if i == 0: wp.tile_store(out, t, offset=i)", False),
        ("if lane == 0: wp.atomic_add(out, i, value)", False),
        ("if value > 0.0: wp.tile_store(out, t, offset=i)", False),
    ],
)
def test_branches_of_single_threads_are_found(statement: str, found: bool) -> None:
    assert tiles_in_thread_branches(KERNEL.format(statement=statement)) is found


def test_a_kernel_of_one_dimension_has_no_place_in_a_block() -> None:
    source = "@wp.kernel\ndef f(x: wp.array(dtype=float)):\n    i = wp.tid()\n    if i > 0: t = wp.tile_zeros(shape=4)\n"
    assert not tiles_in_thread_branches(source)
    assert not tiles_in_thread_branches("def (")
