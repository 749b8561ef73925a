"""The accesses of threads that run together to the arrays of a launch, and whether running them in order leaves the same.

Threads that run together read what was there before any of them, so that no thread may read what another one writes. Atomic
operations are collected and applied at the end, thread by thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from warpsmith.validation.oracle.values.interpretation_errors import Apart
from warpsmith.validation.oracle.values.value_types import Components, Type, Value

Operation: TypeAlias = Callable[[Value, Value], Value]
"""The new value of an element, from its old value and an operand."""

Position: TypeAlias = tuple[Any, ...]
"""The indices of an element: integers, or arrays of one integer for each thread."""


class _Unread:
    """The old value of an element of which threads run together have no value."""


UNREAD = _Unread()


def differs(position: Position) -> bool:
    """Return whether threads have elements of their own."""
    return any(isinstance(index, np.ndarray) for index in position)


@dataclass(frozen=True, slots=True)
class Access:
    """A read, a store, or an atomic operation with its operands, of some threads at one moment."""

    data: Components
    position: Position | None
    threads: Components
    element: Any
    operation: Operation | None = None
    operands: Components | None = None

    def elements(self) -> tuple[Components, Components]:
        """Return the numbers of the elements within their memory, and the threads."""
        size, start = _size(self), _address(self.data) - _address(_memory(self.data))
        dimensions = self.data.ndim - (len(self.element.shape) if isinstance(self.element, Type) else 0)
        lengths, steps = self.data.shape[:dimensions], self.data.strides[:dimensions]
        if self.position is None:
            every = start + sum(np.ix_(*[np.arange(length) * step for length, step in zip(lengths, steps, strict=True)]))
            numbers = np.asarray(every).ravel() // size
            return np.tile(numbers, len(self.threads)), np.repeat(self.threads, len(numbers))
        offset: Any = start
        for index, length, step in zip(self.position, lengths, steps, strict=True):
            offset = offset + np.where(np.asarray(index) < 0, index + length, index).astype(np.int64) * step
        return np.broadcast_to(offset // size, self.threads.shape), self.threads


def _memory(data: Components) -> Components:
    base = data.base
    return data if base is None else base


def _address(data: Components) -> int:
    return int(data.__array_interface__["data"][0])


def _size(access: Access) -> int:
    inner = access.element.shape if isinstance(access.element, Type) else ()
    return int(access.data.itemsize * np.prod(inner, dtype=np.int64))


@dataclass(slots=True)
class Accesses:
    """All accesses of a launch; ``threads`` are the numbers of the threads that run now."""

    threads: Components
    reads: dict[int, list[Access]] = field(default_factory=dict)
    stores: dict[int, list[Access]] = field(default_factory=dict)
    updates: dict[int, list[Access]] = field(default_factory=dict)

    def read(self, data: Components, position: Position | None, element: Any) -> None:
        """Note that the threads read an element each, or a whole array."""
        access = Access(data, position, self.threads, element)
        self.reads.setdefault(id(_memory(data)), []).append(access)

    def read_all(self, array: Value) -> None:
        """Note that all threads may read any element of an array."""
        self.read(array.data, None, array.element)

    def reads_of(self, data: Components) -> tuple[Components, Components] | None:
        """Return the numbers of the elements of an array that threads read, and the threads; None if no thread reads any."""
        reads = self.reads.get(id(_memory(data)))
        return _joined(reads)[:2] if reads else None

    def load(self, data: Components, position: Position, element: Any) -> Value:
        """Return an element for each thread."""
        self.read(data, position, element)
        if len(position) == 1 and isinstance(position[0], np.ndarray):
            return element.load_all(data.take(position[0], axis=0))
        raw = data[position]
        return element.load_all(raw) if differs(position) else element.load(raw)

    def store(self, data: Components, position: Position, element: Any, value: Value) -> None:
        """Store an element of each thread; the last thread that stores an element leaves its value."""
        self.stores.setdefault(id(_memory(data)), []).append(Access(data, position, self.threads, element))
        raw = element.dump_all(value, len(self.threads))
        data[position] = raw if differs(position) else raw[-1]

    def update(self, data: Components, position: Position, element: Any, operation: Operation, value: Value) -> Value:
        """Let each thread apply an operation to an element at the end; the result cannot be used."""
        if not data.flags.writeable:
            raise Apart("an array that threads which run together can only read")
        operands = element.dump_all(value, len(self.threads))
        access = Access(data, position, self.threads, element, operation, operands)
        self.updates.setdefault(id(_memory(data)), []).append(access)
        return UNREAD

    def shared(self, position: Position) -> bool:
        """Return whether two threads have the same element."""
        if not differs(position):
            return len(self.threads) > 1
        if any(isinstance(index, np.ndarray) and np.all(index[1:] > index[:-1]) for index in position):
            return False
        rows = np.stack(np.broadcast_arrays(*position))
        return len(np.unique(rows, axis=1).T) < len(self.threads)

    def finish(self, ufuncs: Mapping[Operation, np.ufunc]) -> None:
        """Apply the atomic operations; ``ufuncs`` contains those that work on each component of an element.

        Raises:
            Apart: if the threads would leave something else one after another.
        """
        for memory in self.stores.keys() | self.updates.keys():
            self._check(self.reads.get(memory, []), self.stores.get(memory, []), self.updates.get(memory, []))
        for accesses in self.updates.values():
            _apply(accesses, ufuncs)

    def _check(self, reads: list[Access], stores: list[Access], updates: list[Access]) -> None:
        if len(stores) == 1 and not reads and not updates:
            return
        first = (stores or updates)[0]
        memory = _memory(first.data)
        count = memory.nbytes // _size(first)
        owner, mixed = np.full(count, -1), np.zeros(count, np.bool_)
        if stores:
            numbers, threads, events = _joined(stores)
            owner[numbers] = threads
            mixed[numbers[owner[numbers] != threads]] = True
            shared = mixed[numbers]
            last = np.full(count, -1)
            last[numbers] = events
            if np.any(last[numbers[shared]] != events[shared]):
                raise Apart("elements that several threads store at several places")
        if updates:
            numbers, _, _ = _joined(updates)
            if np.any(owner[numbers] >= 0):
                raise Apart("elements that threads store and change by atomic operations")
            owner[numbers], mixed[numbers] = 0, True
        if reads:
            numbers, threads, _ = _joined(reads)
            if np.any(mixed[numbers]) or np.any((owner[numbers] >= 0) & (owner[numbers] != threads)):
                raise Apart("elements that one thread reads and another one changes")


def _joined(accesses: list[Access]) -> tuple[Components, Components, Components]:
    """Return the elements, threads and events of accesses."""
    parts = [access.elements() for access in accesses]
    numbers = np.concatenate([part for part, _ in parts])
    events = np.repeat(np.arange(len(parts)), [len(part) for part, _ in parts])
    return numbers, np.concatenate([threads for _, threads in parts]), events


def _apply(updates: list[Access], ufuncs: Mapping[Operation, np.ufunc]) -> None:
    """Apply atomic operations thread by thread, those of a thread in their order."""
    numbers, threads, _ = _joined(updates)
    order = np.argsort(threads, kind="stable")
    element, memory = updates[0].element, _memory(updates[0].data)
    flat = memory.reshape(-1, *element.shape)
    operands = np.concatenate([update.operands for update in updates if update.operands is not None])
    operations = {update.operation or _kept for update in updates}
    if len(operations) == 1 and (ufunc := ufuncs.get(next(iter(operations)))) is not None:
        ufunc.at(flat, numbers[order], operands[order])
        return
    each = [update.operation or _kept for update in updates for _ in update.threads]
    for place in order:
        number, new = numbers[place], element.load(operands[place])
        flat[number] = element.dump(each[place](element.load(flat[number]), new))


def _kept(old: Value, _: Value) -> Value:
    return old
