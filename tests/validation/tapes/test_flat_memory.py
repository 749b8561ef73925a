"""The slots of memory against NumPy's views of one buffer: two numbers have one slot if they are at one address."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpsmith.core.records.tape_recording import Memory
from warpsmith.validation.tapes.flat_memory import FlatMemory

BUFFER = np.zeros(96, np.float32)
STRUCTS = np.zeros(12, [("position", np.float32, (3,)), ("mass", np.float32)])


def memory_of(view: np.ndarray[Any, Any]) -> Memory:
    return Memory(view.__array_interface__["data"][0], view.shape, view.strides, view.dtype.name)


@st.composite
def views(draw: st.DrawFn) -> np.ndarray[Any, Any]:
    """Draw a view of one of the buffers: a part, with steps, reversed, transposed, or a member of its structs."""
    structs = draw(st.booleans())
    source: Any = STRUCTS if structs else BUFFER
    if structs:
        source = source[draw(st.sampled_from(["position", "mass"]))]
    else:
        source = source.reshape(draw(st.sampled_from([(96,), (8, 12), (4, 6, 4), (1, 96)])))
    ends = [st.none() | st.integers(0, length) for length in source.shape]
    index = tuple(slice(draw(end), draw(end), draw(st.sampled_from([1, 2, 3, -1]))) for end in ends)
    view = source[index]
    return view.transpose() if draw(st.booleans()) else view


def addresses(view: np.ndarray[Any, Any]) -> list[int]:
    start = view.__array_interface__["data"][0]
    return [start + int(np.dot(index, view.strides)) for index in np.ndindex(view.shape)]


@given(st.lists(views(), min_size=1, max_size=6))
def test_numbers_share_a_slot_if_they_share_an_address(found: list[np.ndarray[Any, Any]]) -> None:
    memory = FlatMemory([memory_of(view) for view in found])
    slot_at: dict[int, int] = {}
    for view in found:
        slots = memory.slots(memory_of(view))
        assert slots.shape == view.shape
        for address, slot in zip(addresses(view), slots.ravel().tolist(), strict=True):
            assert 0 <= slot < memory.size
            assert slot_at.setdefault(address, slot) == slot
    assert len(set(slot_at.values())) == len(slot_at)


@given(st.lists(views(), min_size=1, max_size=6))
def test_the_order_of_arrays_does_not_matter(found: list[np.ndarray[Any, Any]]) -> None:
    memories = [memory_of(view) for view in found]
    forward, backward = FlatMemory(memories), FlatMemory(reversed(memories))
    for memory in memories:
        np.testing.assert_array_equal(forward.slots(memory), backward.slots(memory))


def test_memory_far_apart_takes_no_slots_in_between() -> None:
    near, far = Memory(64, (2,), (4,), "float32"), Memory(1 << 46, (3,), (8,), "float64")
    memory = FlatMemory([far, near])
    assert memory.size == 2 + 6
    assert memory.slots(near).tolist() == [0, 1]
    assert memory.slots(far).tolist() == [2, 4, 6]


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 2)])
def test_an_empty_array_has_no_slots(shape: tuple[int, ...]) -> None:
    empty = Memory(0, shape, (4,) * len(shape), "float32")
    memory = FlatMemory([empty])
    assert memory.size == 0
    assert memory.slots(empty).shape == shape
