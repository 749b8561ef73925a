"""Random numbers: the generator PCG on integers, and the distributions that Warp derives from it.

Every row returns its value and the next state, which the call stores in the variable of the state.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from warpsmith.validation.oracle.builtins.named_parameters import Named
from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Array
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.value_types import Value, describe

_MASK = 0xFFFFFFFF
_FLOAT = np.float32
_TAU = np.float32(2.0) * np.float32(math.pi)
_LEAST = np.float32(5.96e-8)
"""The number that `normal` adds to a uniform number, so that its logarithm is finite."""


def next_state(state: int) -> int:
    """Return the state after ``state``, which is also the random number (PCG-RXS-M-XS of 32 bits)."""
    mixed = (state * 747796405 + 2891336453) & _MASK
    word = (((mixed >> ((mixed >> 28) + 4)) ^ mixed) * 277803737) & _MASK
    return (word >> 22) ^ word


def initial(seed: int, offset: int | None = None) -> int:
    """Return the state for a seed, and for a number within its sequence."""
    return next_state(seed & _MASK if offset is None else (seed + next_state(offset & _MASK)) & _MASK)


class Stream:
    """A sequence of random numbers; ``state`` is the last one."""

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state

    def bits(self) -> int:
        """Return an integer below 2 ** 32."""
        self.state = next_state(self.state)
        return self.state

    def uniform(self, low: Any = None, high: Any = None) -> Any:
        """Return a number from [0, 1), or from [``low``, ``high``)."""
        number = _FLOAT((self.bits() >> 8) / 16777216.0)
        return number if low is None else (high - low) * number + low

    def normal(self) -> Any:
        """Return a number of the normal distribution (Box and Muller)."""
        radius = np.sqrt(_FLOAT(-2.0) * CHOICES.of_library(_FLOAT(math.log(self.uniform() + _LEAST))))
        return radius * CHOICES.of_library(_FLOAT(math.cos(_TAU * self.uniform())))

    def angle(self) -> tuple[Any, Any]:
        """Return the cosine and the sine of a random angle."""
        angle = float(self.uniform(_FLOAT(0), _TAU))
        return CHOICES.of_library(_FLOAT(math.cos(angle))), CHOICES.of_library(_FLOAT(math.sin(angle)))


# ----------------------------------------------------------------------------------------------------------------- shapes


def _vector(*components: Any) -> Value:
    return np.array(components, _FLOAT)


def _triangle(stream: Stream) -> Value:
    root = np.sqrt(stream.uniform())
    return _vector(_FLOAT(1) - root, stream.uniform() * root)


def _disk(stream: Stream) -> Value:
    radius = np.sqrt(stream.uniform())
    return radius * _vector(*stream.angle())


def _direction(stream: Stream, height: float) -> Value:
    """Return a point of the unit sphere; ``height`` is the extent along z below the pole."""
    polar = math.acos(_FLOAT(1) - _FLOAT(height) * stream.uniform())
    x, y = stream.angle()
    sine = _FLOAT(math.sin(_FLOAT(polar)))
    return _vector(x * sine, y * sine, _FLOAT(math.cos(_FLOAT(polar))))


def _within(stream: Stream, height: float) -> Value:
    direction = _direction(stream, height)
    return _FLOAT(math.pow(stream.uniform(), 1.0 / 3.0)) * direction


def centered(stream: Stream, count: int) -> Value:
    """Return a point of the unit cube of ``count`` dimensions around the origin."""
    return _vector(*[stream.uniform() - _FLOAT(0.5) for _ in range(count)])


# ---------------------------------------------------------------------------------------------------------------- Poisson


def _poisson(stream: Stream, rate: Any) -> Value:
    if not rate >= 0:
        raise Undefined(f"a Poisson distribution of rate {rate}")
    if rate >= 10:
        raise Unsupported("a Poisson distribution of a rate from 10 on")
    count, product, limit = 0, _FLOAT(1), _FLOAT(math.exp(-rate))
    while rate > 0:
        product = product * stream.uniform()
        if not product > limit:
            break
        count += 1
    return np.uint32(count)


# ------------------------------------------------------------------------------------------------------------------- rows


def lower_bound(array: Value, *rest: Value) -> Value:
    """Return the first place in a sorted part of an array whose element is not less than a value, or the last place."""
    kinds = [np.int32] * (len(rest) - 1) + [getattr(array, "element", None) and array.element.scalar]
    if not isinstance(array, Array) or len(array.shape) != 1 or list(map(type, rest)) != kinds or len(rest) not in (1, 3):
        raise Unsupported(f"lower_bound of {describe(array)} with {len(rest)} more")
    low, high = (int(rest[0]), int(rest[1]) - 1) if len(rest) == 3 else (0, array.shape[0] - 1)
    while low < high:
        middle = low + (high - low) // 2
        low, high = (middle + 1, high) if array.get((np.int32(middle),)) < rest[-1] else (low, middle)
    return np.int32(low)


def _rand_init(seed: Value, offset: Value = None) -> Value:
    if type(seed) is not np.int32 or (offset is not None and type(offset) is not np.int32):
        raise Unsupported(f"rand_init of {describe(seed)} and {describe(offset)}")
    return np.uint32(initial(int(seed), None if offset is None else int(offset)))


def _integer(kind: Any) -> Callable[..., Value]:
    def draw(stream: Stream, low: Value = None, high: Value = None) -> Value:
        number = stream.bits()
        if low is None:
            return np.uint32(number).astype(kind)
        width = (int(high) - int(low)) & _MASK
        if width == 0:
            raise Undefined("a random integer from an empty range")
        return np.uint32((number % width + int(low)) & _MASK).astype(kind)

    return draw


def _cdf(stream: Stream, table: Value) -> Value:
    return lower_bound(table, stream.uniform())


_DRAWS: dict[str, tuple[Callable[..., Value], dict[int, Any]]] = {
    "randf": (Stream.uniform, {0: None, 2: _FLOAT}),
    "randi": (_integer(np.int32), {0: None, 2: np.int32}),
    "randu": (_integer(np.uint32), {0: None, 2: np.uint32}),
    "randn": (Stream.normal, {0: None}),
    "sample_cdf": (_cdf, {1: Array}),
    "sample_triangle": (_triangle, {0: None}),
    "sample_unit_ring": (lambda stream: _vector(*stream.angle()), {0: None}),
    "sample_unit_disk": (_disk, {0: None}),
    "sample_unit_sphere_surface": (lambda stream: _direction(stream, 2.0), {0: None}),
    "sample_unit_sphere": (lambda stream: _within(stream, 2.0), {0: None}),
    "sample_unit_hemisphere_surface": (lambda stream: _direction(stream, 1.0), {0: None}),
    "sample_unit_hemisphere": (lambda stream: _within(stream, 1.0), {0: None}),
    "sample_unit_square": (lambda stream: centered(stream, 2), {0: None}),
    "sample_unit_cube": (lambda stream: centered(stream, 3), {0: None}),
    "poisson": (_poisson, {1: _FLOAT}),
}
"""The distributions, and the types of their arguments besides the state, by the number of these arguments."""


def _row(name: str, draw: Callable[..., Value], kinds: dict[int, Any]) -> Row:
    def apply(state: Value, *rest: Value) -> tuple[Value, Value]:
        fits = len(rest) in kinds and all(type(argument) is kinds[len(rest)] for argument in rest)
        if not fits or type(state) is not np.uint32:
            raise Unsupported(f"{name} of {', '.join(map(describe, (state, *rest)))}")
        stream = Stream(int(state))
        return draw(stream, *rest), np.uint32(stream.state)

    return apply


ROWS: dict[str, Row] = {"rand_init": _rand_init, "lower_bound": lower_bound}
NAMED: dict[str, Named] = {name: Named("state *rest", _row(name, *entry), ("state",)) for name, entry in _DRAWS.items()}
