"""The arguments of a launch as Warp's own objects on a device, and the values of their leaves.

This is a second implementation of a launch: `warpsmith.validation.running` lays out memory itself, here Warp does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import warp as wp

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.launch_objects import is_object
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.extraction.warp.objects import parameter_types, struct_members
from warpsmith.extraction.warp.type_properties import Struct
from warpsmith.validation.running.warp_objects import build


class DeviceArguments:
    """The arguments of one launch.

    Attributes:
        inputs: the values to pass to ``wp.launch``.
    """

    def __init__(self, launch: Launch, kernel: Any, values: Mapping[str, Values], device: str) -> None:
        """Make the arguments of ``kernel`` from the ``values`` of their leaves."""
        self._values, self._device = values, device
        self._storage: dict[str, _Storage] = {}
        self._objects: list[Any] = []  # alive as long as the launch
        self._types = parameter_types(kernel)
        self.inputs = [
            self._build(argument, argument.name, warp_type)
            for argument, warp_type in zip(launch.args, self._types, strict=True)
        ]

    def content(self, name: str) -> Values:
        """Return a copy of the array of a leaf."""
        return self._read(name, lambda array: array)

    def gradient(self, name: str) -> Values:
        """Return a copy of the gradient of a leaf."""
        return self._read(name, lambda array: array.grad)

    def _read(self, name: str, select: Callable[[Any], Any]) -> Values:
        storage = self._storage[name]
        leaves = [_member(select(array).numpy(), storage.path) for array in storage.arrays]
        return leaves[0].copy() if storage.outer is None else np.stack(leaves).reshape(*storage.outer, *leaves[0].shape)

    def seed(self, gradients: Mapping[str, Values]) -> None:
        """Set the gradients of leaves."""
        for name, values in gradients.items():
            storage, outer = self._storage[name], self._storage[name].outer
            leaves = [values] if outer is None else values.reshape(len(storage.arrays), *values.shape[len(outer) :])
            for array, leaf in zip(storage.arrays, leaves, strict=True):
                structs = array.grad.numpy().copy()  # Warp copies structs with all members only
                _member(structs, storage.path)[...] = leaf
                array.grad.assign(wp.array(structs, dtype=array.dtype, device=self._device))

    def adjoints(self) -> list[Any]:
        """Return the adjoints to pass to ``wp.launch``, as ``wp.Tape`` does."""
        return [_adjoint(value, warp_type) for value, warp_type in zip(self.inputs, self._types, strict=True)]

    def _build(self, argument: Argument, name: str, warp_type: Any) -> Any:
        if argument.kind == "null_array":
            return None
        if argument.kind == "array":
            return self._array(argument, name, warp_type)
        if argument.kind == "indexed_array":
            return self._indexed_array(argument, name, warp_type)
        if argument.kind == "struct":
            return self._struct(argument, name, warp_type)
        if is_object(argument):
            built = build(replace(argument, name=name), self._values, self._device)
            self._objects.append(built)
            return built if argument.kind == "texture" else built.id
        return _plain(warp_type, self._values[name])

    def _struct(self, argument: Argument, name: str, warp_type: Any) -> Any:
        struct, types = warp_type(), struct_members(warp_type)
        for member in argument.fields:
            setattr(struct, member.name, self._build(member, f"{name}.{member.name}", types[member.name]))
        return struct

    def _array(self, argument: Argument, name: str, warp_type: Any) -> Any:
        if argument.fields:
            return self._array_of_structs(argument, name, warp_type)
        array = self._array_of_numbers(self._values[name], warp_type)
        self._storage[name] = _Storage([array])
        return array

    def _indexed_array(self, argument: Argument, name: str, warp_type: Any) -> Any:
        base: Any = wp.array(self._values[name], dtype=warp_type.dtype, device=self._device)
        indices = [self._values[f"{name}[{dimension}]"] for dimension in range(len(argument.shape))]
        self._storage[name] = _Storage([base])
        return wp.indexedarray(base, [wp.array(index, dtype=wp.int32, device=self._device) for index in indices])

    def _array_of_numbers(self, values: Values, warp_type: Any) -> Any:
        return wp.array(values, dtype=warp_type.dtype, device=self._device, requires_grad=values.dtype.kind == "f")

    def _array_of_structs(self, argument: Argument, name: str, warp_type: Any) -> Any:
        content, paths = np.zeros(argument.shape, warp_type.dtype.numpy_dtype()), {}
        for path, member, member_type in _members(argument, warp_type.dtype, ()):
            leaf, target = ".".join((name, *path)), _member(content, path)
            if member.kind == "array":
                arrays = [self._array_of_numbers(self._values[leaf][index], member_type) for index in np.ndindex(target.shape)]
                for index, array in zip(np.ndindex(target.shape), arrays, strict=True):
                    target[index] = array.__ctype__().numpy_value()
                self._storage[leaf] = _Storage(arrays, outer=target.shape)
            else:
                target[...] = self._values[leaf]
                paths[leaf] = path
        structs: Any = wp.array(content, dtype=warp_type.dtype, device=self._device, requires_grad=True)
        self._storage |= {leaf: _Storage([structs], path) for leaf, path in paths.items()}
        return structs


@dataclass(frozen=True, slots=True)
class _Storage:
    """The arrays that hold a leaf.

    Attributes:
        arrays: one array, or one array for each struct of an array of structs.
        path: the member below each element, if the array holds structs.
        outer: the shape of the array of structs, if each of its structs has an array.
    """

    arrays: list[Any]
    path: tuple[str, ...] = ()
    outer: tuple[int, ...] | None = None


def _members(argument: Argument, struct: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Argument, Any]]:
    """Yield the path, the argument and the Warp type of each leaf below an array of structs."""
    types = struct_members(struct)
    for member in argument.fields:
        if member.kind == "null_array":
            continue  # the structs are zero: a descriptor without an address
        member_type, member_path = types[member.name], (*path, member.name)
        if member.kind == "struct":
            yield from _members(member, member_type, member_path)
        elif member.fields:
            raise WarpsmithError(f"{argument.name}.{member.name}: arrays of structs within arrays of structs")
        else:
            yield member_path, member, member_type


def _plain(warp_type: Any, values: Values) -> Any:
    return warp_type(*np.ravel(values)) if values.ndim else warp_type(values.item())


def _member(structs: Values, path: tuple[str, ...]) -> Values:
    for name in path:
        structs = structs[name]
    return structs


def _adjoint(value: Any, warp_type: Any) -> Any:
    if isinstance(value, wp.array):
        return value.grad
    if not isinstance(warp_type, Struct):
        return None
    struct = warp_type()
    for name, member_type in struct_members(warp_type).items():
        if (adjoint := _adjoint(getattr(value, name), member_type)) is not None:
            setattr(struct, name, adjoint)
    return struct
