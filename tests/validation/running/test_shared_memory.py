"""Arrays of an arena are aligned and do not overlap, and a cleared arena keeps little memory."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpsmith.validation.running.shared_memory import CHUNK, KEPT, Arena

DTYPES = ("bool", "int8", "float16", "float32", "float64", "uint64")


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.sampled_from(DTYPES), st.lists(st.integers(0, 60), max_size=3).map(tuple)), max_size=40))
def test_arrays_do_not_overlap(shapes: list[tuple[str, tuple[int, ...]]]) -> None:
    arena = Arena()
    for turn in range(2):
        arrays = [arena.empty(shape, dtype) for dtype, shape in shapes]
        for number, array in enumerate(arrays):
            array[...] = (number + turn) % 2 if array.dtype == bool else (number + turn) % 100
        for number, (array, (dtype, shape)) in enumerate(zip(arrays, shapes, strict=True)):
            assert (array.dtype, array.shape) == (np.dtype(dtype), shape)
            assert array.flags.c_contiguous
            assert not array.size or array.ctypes.data % 64 == 0
            assert np.all(array == ((number + turn) % 2 if dtype == "bool" else (number + turn) % 100))
        arena.clear()


def test_an_array_larger_than_a_chunk(arena: Arena) -> None:
    small, large, other = arena.zeros(np.zeros(3)), arena.empty((CHUNK,), np.float32), arena.zeros(np.zeros(3))
    large[...] = 7.0
    assert not small.any()
    assert not other.any()
    assert np.all(arena.copy(large) == 7.0)


def shared_memory() -> int:
    """Return the bytes of shared memory that this process has mapped, as Linux counts them."""
    sizes = [line.split() for line in Path("/proc/self/smaps").read_text(encoding="utf-8").split("\n") if line]
    mapped, total = False, 0
    for fields in sizes:
        if "-" in fields[0] and not fields[0].endswith(":"):
            mapped = fields[-1] == "/dev/zero" or fields[-2:] == ["/dev/zero", "(deleted)"]
        elif mapped and fields[0] == "Size:":
            total += int(fields[1]) << 10
    return total


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_cleared_arena_returns_memory() -> None:
    gc.collect()  # memory that earlier tests have left would be returned in between
    before = shared_memory()
    arena = Arena()
    for _ in range(3):
        arrays = [arena.empty((size,), np.int8) for size in (CHUNK, 3 * KEPT, CHUNK, KEPT)]
        assert shared_memory() - before >= 4 * KEPT
        del arrays
        arena.clear()
        assert shared_memory() - before <= KEPT
    assert arena.zeros(np.ones(5)).sum() == 0


def test_an_array_outlives_the_arena_that_was_cleared() -> None:
    arena = Arena()
    large = arena.empty((2 * KEPT,), np.int8)
    large[-1] = 7
    arena.clear()
    assert large[-1] == 7


@pytest.mark.skipif(sys.platform != "linux", reason="forks without a part of the memory")
def test_an_image_has_the_contents_and_putting_it_back_clears_the_rest() -> None:
    arena = Arena()
    arrays = [arena.zeros(np.zeros(size)) for size in (5, CHUNK // 4, 3)]
    arrays[0][...], arrays[1][-1] = 1.0, 2.0
    image = arena.image()
    for array in arrays:
        array[...] = 7.0
    beyond = np.frombuffer(arena._chunks[-1], np.uint8)
    beyond[-1] = 7
    arena.put_back(image)
    assert (arrays[0].sum(), arrays[1].sum(), arrays[1][-1], arrays[2].sum(), beyond[-1]) == (5.0, 2.0, 2.0, 0.0, 0)
