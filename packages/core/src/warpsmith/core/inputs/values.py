"""The values of a launch's arguments as NumPy arrays; they depend on the pair's ``launch`` and id only.

Structs are flattened here: values, roles and gradients belong to leaves.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.contents import decoded
from warpsmith.core.inputs.elements import SHAPES, element
from warpsmith.core.inputs.launch_objects import ingredients, is_object, is_stored, problems
from warpsmith.core.records.launch import Argument, Domain, Launch

Values = npt.NDArray[Any]

MAX_NUMBERS = 1 << 24
"""The largest total of numbers in the arguments of a launch; larger launches are rejected."""

_LARGEST = np.iinfo(np.int64).max


def leaves(launch: Launch) -> tuple[Argument, ...]:
    """Return the arguments of a launch with structs flattened, in order and without objects.

    A member of the struct ``body`` is named ``body.mass``. Each member of an array of structs is an array: the shape of a leaf
    is the concatenated shape of all arrays around it, from the outside in. An indexed array has the shape of the underlying
    array, which is twice as long in each dimension as the selection. Arrays for which the caller passes None are no leaves,
    and structs without members have none.
    """
    if all(argument.kind in ("value", "array") and not argument.fields for argument in launch.args):
        return launch.args
    return tuple(leaf for argument in launch.args for leaf in _flattened(argument, "", ()) if not is_object(leaf))


def objects(launch: Launch) -> tuple[Argument, ...]:
    """Return the objects among the arguments of a launch and the members of structs, with the names of leaves."""
    if all(argument.kind in ("value", "array") and not argument.fields for argument in launch.args):
        return ()
    return tuple(leaf for argument in launch.args for leaf in _flattened(argument, "", ()) if is_object(leaf))


def _flattened(argument: Argument, prefix: str, outer: tuple[int, ...]) -> Iterator[Argument]:
    name, shape = prefix + argument.name, (*outer, *argument.shape)
    if argument.kind == "null_array":
        return
    if is_object(argument) or argument.kind == "indexed_array":
        if outer or argument.fields:
            raise WarpsmithError(f"{name!r}, of kind {argument.kind}, that holds structs or is in an array of structs")
        double = 2 if argument.kind == "indexed_array" else 1
        yield replace(argument, name=name, shape=tuple(double * length for length in shape))
        return
    for member in argument.fields:
        yield from _flattened(member, f"{name}.", shape)
    if not argument.fields and argument.kind != "struct":
        yield replace(argument, name=name, shape=shape, kind="array" if shape else argument.kind)


def make_inputs(launch: Launch, identity: str) -> dict[str, Values]:
    """Return the values of all leaves by name, including the arrays that objects are built from.

    The shape of an array is the argument's shape followed by the element's. Values depend on the pair's id and the argument's
    name only, not on other arguments. The indices of an indexed array ``x`` are named ``x[0]``, ``x[1]``, ….

    Raises:
        WarpsmithError: if a type has no values, an object cannot be built, stored values do not fit, or there are more than
            `MAX_NUMBERS` numbers.
    """
    arrays, stored = _checked(launch)
    values = {leaf.name: stored[leaf.name] if leaf.name in stored else _values(leaf, identity) for leaf in arrays}
    for leaf in arrays:
        if leaf.kind == "indexed_array":
            indices = {name: _indices(length, f"{identity}/{name}") for name, length in index_names(leaf).items()}
            if is_stored(leaf):
                values[leaf.name] = _scattered(leaf, values[leaf.name], indices)
            values |= indices
    return values


def make_inputs_series(launch: Launch, identity: str, count: int) -> list[dict[str, Values]]:
    """Return several different values of all leaves, each as `make_inputs` returns them; stored values do not vary.

    Raises:
        WarpsmithError: see `make_inputs`.
    """
    arrays, stored = _checked(launch)
    if any(leaf.kind == "indexed_array" for leaf in arrays):
        return [make_inputs(launch, f"{identity}/{number}") for number in range(count)]
    series: list[dict[str, Values]] = [{} for _ in range(count)]
    for leaf in arrays:
        known = stored[leaf.name] if leaf.name in stored else _filled(leaf)
        if known is not None:
            several = [known.copy() for _ in series]
        else:
            random = generator(f"{identity}/{leaf.name}")
            several = [_drawn(leaf, random) for _ in series]
        for values, content in zip(series, several, strict=True):
            values[leaf.name] = content
    return series


def check_values(launch: Launch) -> None:
    """Check the stored values of a launch, and what objects are built from.

    Raises:
        WarpsmithError: see `make_inputs`.
    """
    _checked(launch)


def _checked(launch: Launch) -> tuple[tuple[Argument, ...], dict[str, Values]]:
    """Return the leaves of a launch with the arrays that objects are built from, and the stored values."""
    arrays, built = leaves(launch), objects(launch)
    for problem in problems(built, {leaf.name: leaf for leaf in arrays}, launch.stored):
        raise WarpsmithError(problem)
    arrays += tuple(array for argument in built for array in ingredients(argument, launch.stored))
    if (count := sum(_count(leaf) for leaf in arrays)) > MAX_NUMBERS:
        raise WarpsmithError(f"arguments of {count} numbers, more than {MAX_NUMBERS}")
    return arrays, decoded(arrays, built, launch.stored)


def index_names(leaf: Argument) -> dict[str, int]:
    """Return the names of an indexed array's index arrays, each with the length of the indexed dimension."""
    return {f"{leaf.name}[{dimension}]": length for dimension, length in enumerate(leaf.shape)}


def _indices(length: int, key: str) -> Values:
    """Return half of the positions below ``length``, each once, in random order."""
    return generator(key).permutation(length)[: length // 2].astype(np.int32)


def _scattered(leaf: Argument, selected: Values, indices: Mapping[str, Values]) -> Values:
    """Return the whole array of an indexed array whose selected elements are known; the other ones are zero."""
    array = np.zeros((*leaf.shape, *element(leaf.dtype)[1]), selected.dtype)
    array[np.ix_(*indices.values())] = selected
    return array


def reachable(leaf: Argument, values: Mapping[str, Values], content: Values) -> Values:
    """Return the elements of ``content`` that a kernel can access: all, or for an indexed array the selected ones."""
    if leaf.kind != "indexed_array":
        return content
    return content[np.ix_(*(values[name] for name in index_names(leaf)))]


def _count(leaf: Argument) -> int:
    return math.prod((*leaf.shape, *element(leaf.dtype)[1]))


def _values(argument: Argument, identity: str) -> Values:
    filled = _filled(argument)
    return _drawn(argument, generator(f"{identity}/{argument.name}")) if filled is None else filled


def _filled(argument: Argument) -> Values | None:
    """Return the values of a leaf whose domain allows one value only, otherwise None."""
    if argument.domain is None:
        raise WarpsmithError(f"no values can be made for {argument.name!r}, which has no domain")
    if argument.domain.kind != "fill":
        return None
    scalar, shape = element(argument.dtype)
    return np.full((*argument.shape, *shape), argument.domain.low, dtype=scalar)


def _drawn(argument: Argument, random: np.random.Generator) -> Values:
    """Return random values of a leaf with a domain."""
    if argument.domain is None:
        raise AssertionError("a leaf without a domain")
    return _sample(argument.domain, *element(argument.dtype), argument.shape, random)


def generator(key: str) -> np.random.Generator:
    """Return a random generator whose numbers depend on ``key`` only."""
    digest = hashlib.blake2b(key.encode(), digest_size=8).digest()
    return np.random.Generator(np.random.Philox(int.from_bytes(digest, "little")))


def _sample(domain: Domain, scalar: Any, shape: tuple[int, ...], outer: tuple[int, ...], random: np.random.Generator) -> Values:
    full_shape = (*outer, *shape)
    if not issubclass(scalar, np.floating):
        return _integers(domain, full_shape, random).astype(scalar)
    values = domain.low + (domain.high - domain.low) * random.random(full_shape)
    if domain.kind == "unit":
        unit = values[..., 3:] if shape == SHAPES["transform"] else values
        directions = random.standard_normal(unit.shape)
        unit[...] = directions / np.linalg.norm(directions, axis=-1, keepdims=True)
    elif domain.kind == "near_identity":
        values = values + np.eye(shape[0])
    elif domain.kind == "sorted":
        values.sort(axis=-1)
    return np.asarray(values.astype(scalar))


def _integers(domain: Domain, shape: tuple[int, ...], random: np.random.Generator) -> Values:
    low, high = int(domain.low), int(domain.high)
    integer: Any = np.uint64 if high > _LARGEST else np.int64
    if domain.kind == "permutation":
        return _different(low, high, math.prod(shape), integer, random).reshape(shape)
    values = random.integers(low, high, shape, integer, endpoint=True)
    if domain.kind in ("sorted", "offsets"):
        values.sort(axis=-1)
    if domain.kind == "offsets" and values.size:
        values[..., -1] = high
        values[..., 0] = low
    return values


def _different(low: int, high: int, count: int, integer: Any, random: np.random.Generator) -> Values:
    """Return different integers: one from each of ``count`` parts of [low, high] of the same length, in random order."""
    length = max((high - low + 1) // max(count, 1), 1)
    places = random.permutation(count).astype(integer) * integer(length)
    return np.asarray(places + random.integers(0, length, count, integer) + integer(low))
