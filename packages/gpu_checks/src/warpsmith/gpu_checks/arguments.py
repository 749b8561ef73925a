"""The arguments of a launch as Warp's own objects on a device, and what is in them by leaf.

This is the other way to the same launch: `warpsmith.validation.running` lays out memory itself, here Warp does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import warp as wp

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.objects import is_object
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.extraction.warp.registry import Struct
from warpsmith.validation.running.objects import build


class Given:
    """The arguments of one launch.

    Attributes:
        inputs: what ``wp.launch`` is given.
    """

    def __init__(self, how: Launch, kernel: Any, values: Mapping[str, Values], device: str) -> None:
        """Make the arguments of ``kernel`` from the ``values`` of their leaves."""
        self._values, self._device = values, device
        self._places: dict[str, _Place] = {}
        self._objects: list[Any] = []  # alive as long as the launch
        self._types = [argument.type for argument in kernel.adj.args]
        self.inputs = [self._made(one, one.name, kind) for one, kind in zip(how.args, self._types, strict=True)]

    def content(self, name: str) -> Values:
        """A copy of what the array of a leaf holds."""
        return self._read(name, lambda array: array)

    def gradient(self, name: str) -> Values:
        """A copy of the gradient of a leaf."""
        return self._read(name, lambda array: array.grad)

    def _read(self, name: str, of: Callable[[Any], Any]) -> Values:
        place = self._places[name]
        parts = [_member(of(array).numpy(), place.path) for array in place.arrays]
        return parts[0].copy() if place.outer is None else np.stack(parts).reshape(*place.outer, *parts[0].shape)

    def seed(self, gradients: Mapping[str, Values]) -> None:
        """Set the gradients of leaves."""
        for name, values in gradients.items():
            place = self._places[name]
            parts = [values] if place.outer is None else values.reshape(len(place.arrays), *values.shape[len(place.outer) :])
            for array, part in zip(place.arrays, parts, strict=True):
                whole = array.grad.numpy().copy()  # structs go out and back as wholes
                _member(whole, place.path)[...] = part
                array.grad.assign(wp.array(whole, dtype=array.dtype, device=self._device))

    def adjoints(self) -> list[Any]:
        """What ``wp.launch`` is given as adjoints, as ``wp.Tape`` does."""
        return [_adjoint(value, kind) for value, kind in zip(self.inputs, self._types, strict=True)]

    def _made(self, argument: Argument, name: str, kind: Any) -> Any:
        if argument.kind == "array":
            return self._array(argument, name, kind)
        if argument.kind == "indexed_array":
            return self._indexed(argument, name, kind)
        if argument.kind == "struct":
            return self._struct(argument, name, kind)
        if is_object(argument):
            made = build(replace(argument, name=name), self._values, self._device)
            self._objects.append(made)
            return made if argument.kind == "texture" else made.id
        return _plain(kind, self._values[name])

    def _struct(self, argument: Argument, name: str, kind: Any) -> Any:
        made = kind()
        for member in argument.fields:
            setattr(made, member.name, self._made(member, f"{name}.{member.name}", kind.vars[member.name].type))
        return made

    def _array(self, argument: Argument, name: str, kind: Any) -> Any:
        array = self._structs(argument, name, kind) if argument.fields else self._numbers(self._values[name], kind)
        if not argument.fields:
            self._places[name] = _Place([array])
        return array

    def _indexed(self, argument: Argument, name: str, kind: Any) -> Any:
        base: Any = wp.array(self._values[name], dtype=kind.dtype, device=self._device)
        indices = [self._values[f"{name}[{dimension}]"] for dimension in range(len(argument.shape))]
        self._places[name] = _Place([base])
        return wp.indexedarray(base, [wp.array(index, dtype=wp.int32, device=self._device) for index in indices])

    def _numbers(self, values: Values, kind: Any) -> Any:
        return wp.array(values, dtype=kind.dtype, device=self._device, requires_grad=values.dtype.kind == "f")

    def _structs(self, argument: Argument, name: str, kind: Any) -> Any:
        whole, found = np.zeros(argument.shape, kind.dtype.numpy_dtype()), []
        for path, member, inner in _members(argument, kind.dtype, ()):
            leaf, place = ".".join((name, *path)), _member(whole, path)
            if member.kind == "array":
                arrays = [self._numbers(self._values[leaf][index], inner) for index in np.ndindex(place.shape)]
                for index, array in zip(np.ndindex(place.shape), arrays, strict=True):
                    place[index] = array.__ctype__().numpy_value()
                self._places[leaf] = _Place(arrays, outer=place.shape)
            else:
                place[...] = self._values[leaf]
                found.append((leaf, path))
        made: Any = wp.array(whole, dtype=kind.dtype, device=self._device, requires_grad=True)
        self._places |= {leaf: _Place([made], path) for leaf, path in found}
        return made


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a leaf is: in one array, below ``path`` if that holds structs, or in one for each of the structs of ``outer``."""

    arrays: list[Any]
    path: tuple[str, ...] = ()
    outer: tuple[int, ...] | None = None


def _members(argument: Argument, kind: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Argument, Any]]:
    """The leaves below an array of structs: where, which and of what type."""
    for member in argument.fields:
        inner, place = kind.vars[member.name].type, (*path, member.name)
        if member.kind == "struct":
            yield from _members(member, inner, place)
        elif member.fields:
            raise WarpsmithError(f"{argument.name}.{member.name}: arrays of structs within arrays of structs")
        else:
            yield place, member, inner


def _plain(kind: Any, values: Values) -> Any:
    return kind(*np.ravel(values)) if values.ndim else kind(values.item())


def _member(whole: Values, path: tuple[str, ...]) -> Values:
    for name in path:
        whole = whole[name]
    return whole


def _adjoint(value: Any, kind: Any) -> Any:
    if isinstance(value, wp.array):
        return value.grad
    if not isinstance(kind, Struct):
        return None
    made = kind()
    for name, member in kind.vars.items():
        if (inner := _adjoint(getattr(value, name), member.type)) is not None:
            setattr(made, name, inner)
    return made
