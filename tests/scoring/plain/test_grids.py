"""Grids and memory of plain launches."""

from __future__ import annotations

import math
import os
import signal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpsmith.scoring.judging.plain.guarded_memory import GuardedMemory
from warpsmith.scoring.judging.secret_launches import ANY_ORDER
from warpsmith.scoring.plain.grids import ISOLATED, REVERSED, grid

DIMS = st.lists(st.integers(1, 400), min_size=1, max_size=3).map(tuple)


@given(dim=DIMS, number=st.sampled_from(ANY_ORDER))
def test_a_grid_covers_the_launch_with_the_blocks_that_prompts_promise(dim: tuple[int, ...], number: int) -> None:
    shape = grid(dim, number)
    assert math.prod(shape.threads) <= 256
    for length, blocks, threads in zip((*dim[::-1], 1, 1), shape.blocks, shape.threads, strict=False):
        assert threads & (threads - 1) == 0
        assert blocks * threads >= length
    assert shape.threads[len(dim) :] == shape.blocks[len(dim) :] == (1,) * (3 - len(dim))
    assert (shape.isolated, shape.is_reversed) == (number == ISOLATED, number == REVERSED)


@given(dim=DIMS.filter(lambda dim: min(dim) >= 3))
def test_the_grids_of_a_launch_have_several_blocks_and_threads_beyond_it(dim: tuple[int, ...]) -> None:
    grids = [grid(dim, number) for number in ANY_ORDER]
    assert max(shape.blocks[0] for shape in grids) >= 3
    assert any(
        blocks * threads > length
        for shape in grids
        for length, blocks, threads in zip(dim[::-1], shape.blocks, shape.threads, strict=False)
    )


@given(dim=DIMS, number=st.sampled_from((0, 1, 2)))
def test_threads_run_in_the_order_of_elements(dim: tuple[int, ...], number: int) -> None:
    assert grid(dim, number).threads[1:] == (1, 1)


def signal_of(at_end: bool, offset: int, read_only: bool = False, writes: bool = False) -> int:
    """Return the signal of which a fork dies that accesses an array of 100 numbers at an offset of its first byte."""
    array = GuardedMemory(at_end).copy(np.arange(100, dtype=np.float32), read_only)
    assert array.tolist() == list(range(100))
    pointer = array.ctypes.data + offset
    process = os.fork()
    if process == 0:
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        import ctypes  # noqa: PLC0415 - in the fork only

        byte = ctypes.c_ubyte.from_address(pointer)
        if writes:
            byte.value = 1
        else:
            _ = byte.value
        os._exit(0)
    _, status = os.waitpid(process, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


@pytest.mark.parametrize(
    ("at_end", "offset", "stops"),
    [(True, 399, False), (True, 400, True), (False, 0, False), (False, -1, True), (True, 0, False), (False, 399, False)],
)
def test_an_access_beside_an_array_stops(at_end: bool, offset: int, stops: bool) -> None:
    assert signal_of(at_end, offset) == (signal.SIGSEGV if stops else 0)


def test_a_write_into_an_input_stops() -> None:
    assert signal_of(True, 0, read_only=True) == 0
    assert signal_of(True, 0, read_only=True, writes=True) == signal.SIGSEGV
    assert signal_of(True, 0, writes=True) == 0
