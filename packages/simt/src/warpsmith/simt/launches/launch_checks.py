"""The checks of a launch."""

from __future__ import annotations

import enum


class Check(enum.Flag):
    """What a launch is checked for. Accesses outside the arrays, misalignment, traps and divisions by zero are always found.

    Attributes:
        MEMORY: nothing besides that.
        SHARED_RACES: accesses to one place of shared memory, one of which writes, that no barrier orders.
        GLOBAL_RACES: the same in arrays; fences with atomic operations or volatile stores order accesses, too.
        UNWRITTEN: reads of shared or local memory that nothing has written.
        BARRIERS: barriers that some threads do not reach, or that threads reach at different places.
        TRAFFIC: count sectors of global memory and passes over the banks of shared memory.
    """

    MEMORY = 0
    SHARED_RACES = 1
    GLOBAL_RACES = 2
    UNWRITTEN = 4
    BARRIERS = 8
    TRAFFIC = 16
    ALL = 31
