"""Arrays of an arena are aligned and do not overlap."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from warpsmith.validation.running.memory import CHUNK, Arena

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
