"""Enumerations and types with functions inside."""

import enum

import warp as wp

TINY = 0.5


class Kind(enum.IntEnum):
    NONE = 0
    SOME = 3

    @staticmethod
    @wp.func
    def next_of(kind: int) -> int:
        return kind + 1

    @property
    def label(self):
        return describe(self)


def describe(kind):
    return kind.name


class Limits(wp.types.vector(length=4, dtype=wp.float32)):
    """A vector with names for its components."""

    @wp.func
    def low(limits: wp.types.vector(length=4, dtype=wp.float32)):  # noqa: N805 - not a method
        return limits[0]


class Settings:
    RADIUS = 0.25

    def __init__(self, count):
        self.count = count

    def total(self):
        return self.count + 1


@wp.func
def scaled(x: float):
    return x * TINY + 1.0


@wp.struct
class State:
    kind: int
    low: wp.vec3
