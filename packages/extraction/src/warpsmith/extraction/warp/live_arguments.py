"""Live arguments of a launch: the types that a kernel declares, and the memory of arrays."""

from __future__ import annotations

import ctypes
import gc
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import warp as wp

from warpsmith.core.records.text_format import SCALAR_SUFFIXES
from warpsmith.extraction.warp.private import warp_context, warp_types
from warpsmith.extraction.warp.type_properties import Struct, array_class, composite_type

_TEMPLATES = {"vec_t": "vec{0}", "mat_t": "mat{0}{1}", "quat_t": "quat", "transform_t": "transform"}
_TEXTURES = {wp.Texture1D: 1, wp.Texture2D: 2, wp.Texture3D: 3}
_OBJECTS = (wp.Mesh, wp.Bvh, wp.HashGrid, wp.Volume)


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a kernel declares for an argument, or a struct for a member.

    Attributes:
        name: its name.
        kind: ``"value"``, ``"array"``, ``"indexed_array"``, ``"struct"``, ``"texture"``, or Warp's name of an array class that
            records do not have.
        dtype: Warp's canonical name of the type or of an array's elements, or the name of a struct.
        dimensions: the dimensions of an array or a texture.
        element: Warp's type of the value, or of the elements of an array.
        members: the members of a struct, or of the elements of an array of structs.
    """

    name: str
    kind: str
    dtype: str
    dimensions: int
    element: Any
    members: tuple[Parameter, ...] = ()


def parameters_of(kernel: Any) -> tuple[Parameter, ...]:
    """Return the parameters of a kernel that is not generic."""
    return tuple(_parameter(argument.label, argument.type) for argument in kernel.adj.args)


def _parameter(name: str, annotation: Any) -> Parameter:
    kind = {"array": "array", "indexedarray": "indexed_array", None: "value"}.get(array_class(annotation), "")
    element = annotation.dtype if kind != "value" else annotation
    dimensions = annotation.ndim if kind != "value" else 0
    if annotation in _TEXTURES:
        kind, dimensions = "texture", _TEXTURES[annotation]
    if isinstance(element, Struct):
        members = tuple(_parameter(label, variable.type) for label, variable in element.vars.items())
        return Parameter(name, "struct" if kind == "value" else kind, element.cls.__name__, dimensions, element, members)
    return Parameter(name, kind or str(array_class(annotation)), _type_name(element), dimensions, element)


def _type_name(element: Any) -> str:
    """Return Warp's canonical name of a type, such as ``vec3f``."""
    composite = composite_type(element) if isinstance(element, type) else None
    if composite is None:
        return {float: "float32", int: "int32"}.get(element) or str(getattr(element, "__name__", element))
    suffix = SCALAR_SUFFIXES.get(composite.scalar.__name__, "?")
    return _TEMPLATES.get(str(composite.template), "?").format(*composite.shape) + suffix


def overload_for(kernel: Any, arguments: list[Any]) -> Any:
    """Return the kernel that Warp launches for these arguments: for a generic kernel its overload.

    The overload is created if there is none yet, as ``wp.launch`` does next.
    """
    if not kernel.is_generic:
        return kernel
    add = getattr(kernel, "_add_normalized_overload", kernel.add_overload)  # the former from 1.19
    return add(kernel.infer_argument_types(arguments))


def launch_shape(bounds: Any) -> tuple[int, ...]:
    """Return the dimensions of the C structure of a recorded launch."""
    shape = tuple(int(length) for length in bounds.shape)
    extra = int(bounds.size) // max(math.prod(shape), 1)
    return (*shape, extra) if extra > 1 else shape


def captured_graph(device: Any) -> Any:
    """Return the graph that launches on a device are recorded into, or None if they run."""
    runtime = warp_context.runtime
    if runtime is None or not (runtime.captures or getattr(runtime, "_apic_graph", None)):
        return None
    found = runtime.get_device(device)
    graph = getattr(runtime, "_apic_graph", None)
    if graph is not None and graph.device == found:
        return graph
    return next((graph for graph in runtime.captures.values() if graph.device == found), None) if found.is_cuda else None


def struct_members(value: Any, parameter: Parameter) -> Iterator[tuple[Parameter, Any]]:
    """Yield the members of a live struct with their values."""
    for member in parameter.members:
        yield member, getattr(value, member.name)


def value_of(value: Any, element: Any) -> npt.NDArray[Any]:
    """Return a plain argument, such as a float, a vector or a tuple, as NumPy numbers of the declared type.

    Raises:
        ValueError: if the type has no counterpart in NumPy.
    """
    composite, scalar = composite_type(element) if isinstance(element, type) else None, element
    if composite is not None:
        scalar = composite.scalar
    dtype = _scalar_dtype(scalar)
    plain = getattr(value, "value", value) if not isinstance(value, ctypes.Array) else value
    if composite is None:
        return np.asarray(plain).astype(dtype).reshape(())
    if np.ndim(plain) == 0:  # one number for all components
        return np.full(composite.shape, plain, dtype)
    return np.asarray([list(row) if np.ndim(row) else row for row in plain], dtype).reshape(composite.shape)


def _scalar_dtype(scalar: Any) -> np.dtype[Any]:
    try:
        dtype: np.dtype[Any] = np.dtype(wp.dtype_to_numpy(scalar))
    except (TypeError, KeyError, AttributeError, ValueError):
        raise ValueError(f"numbers of type {_type_name(scalar)}") from None
    return dtype


def element_dtype(element: Any) -> np.dtype[Any]:
    """Return NumPy's type of one element of an array.

    Raises:
        ValueError: if there is none.
    """
    dtype: np.dtype[Any]
    if isinstance(element, Struct):
        dtype = np.dtype(element.numpy_dtype())
        return dtype
    composite = composite_type(element)
    if composite is None:
        return _scalar_dtype(element)
    dtype = np.dtype((_scalar_dtype(composite.scalar), composite.shape))
    return dtype


@dataclass(frozen=True, slots=True)
class ArrayMemory:
    """An array argument: where its elements are, whatever object the program passed.

    Attributes:
        shape: the shape, without the shape of elements.
        nbytes: the bytes of its elements.
        address: where they are; 0 if that is not known.
        source: the object that was passed.
    """

    shape: tuple[int, ...]
    nbytes: int
    address: int
    source: Any


def array_memory(value: Any, element: Any) -> ArrayMemory:
    """Return where the elements of an array argument are.

    Raises:
        ValueError: if it is neither an array nor the C structure of one.
    """
    if isinstance(value, warp_types.array_t):
        shape = tuple(value.shape[: value.ndim])
    elif hasattr(value, "shape"):
        shape = tuple(int(length) for length in value.shape)
    else:
        raise ValueError(f"an array given as {type(value).__name__}")
    address = getattr(value, "ptr", None) or getattr(value, "data", None)
    nbytes = math.prod(shape) * element_dtype(element).itemsize
    return ArrayMemory(shape, nbytes, address if isinstance(address, int) else 0, value)


def array_problem(value: Any, parameter: Parameter) -> str:
    """Return why an array does not fit a parameter that is an array; empty if it does."""
    dtype, dimensions = getattr(value, "dtype", None), getattr(value, "ndim", None)
    if dtype is None or dimensions is None:
        return f"an array given as {type(value).__name__}"
    if dimensions != parameter.dimensions:
        return f"an array of {dimensions} dimensions for one of {parameter.dimensions}"
    if not warp_types.types_equal(dtype, parameter.element):
        return f"an array of {_type_name(dtype)} for one of {parameter.dtype}"
    return ""


def read_array(memory: ArrayMemory, element: Any) -> npt.NDArray[Any]:
    """Return a copy of an array's elements, contiguous, with the shape of an element last; records stay NumPy structures.

    Arrays on a CPU are copied without a call of Warp. Arrays on a CUDA device are copied by Warp, which waits for the device.

    Raises:
        ValueError: if the memory cannot be read.
    """
    dtype = element_dtype(element)
    value: Any = memory.source
    full_shape = (*memory.shape, *dtype.shape)
    if math.prod(memory.shape) == 0:
        return np.empty(full_shape, dtype.base)
    if isinstance(value, warp_types.array_t):
        return _from_memory(value.data, memory.shape, tuple(value.strides[: value.ndim]), dtype)
    if isinstance(value, wp.array):
        if value.device is not None and value.device.is_cuda:
            return np.array(value.numpy()).reshape(full_shape)
        return _from_memory(value.ptr, memory.shape, tuple(value.strides), dtype)
    if hasattr(value, "numpy") and hasattr(value, "indices"):  # an indexed array
        return np.array(value.numpy()).reshape(full_shape)
    return np.ascontiguousarray(value).astype(dtype.base, copy=True).reshape(full_shape)


def _from_memory(address: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    if any(stride < 0 for stride in strides):
        raise ValueError("an array with a negative stride")
    extent = sum((length - 1) * stride for length, stride in zip(shape, strides, strict=True)) + dtype.itemsize
    buffer: Any = (ctypes.c_char * extent).from_address(address)
    return np.array(np.ndarray(shape, dtype, buffer, strides=strides), copy=True)


def grid_cells(grid: Any) -> tuple[int, ...]:
    """Return the cells of a hash grid in each dimension.

    Raises:
        ValueError: if this release of Warp does not keep them in Python.
    """
    cells = tuple(int(getattr(grid, f"_dim_{axis}", 0)) for axis in "xyz")
    if 0 in cells:
        raise ValueError("a hash grid of unknown size")
    return cells


def member_names(value: Any) -> tuple[str, ...] | None:
    """Return the names of the members of a live struct, or None for any other value."""
    struct = getattr(value, "_cls", None)
    return tuple(struct.vars) if isinstance(struct, Struct) else None


def live_objects() -> dict[int, Any]:
    """Return Warp's meshes, BVHs, hash grids and volumes of this process by the handle that kernels receive."""
    # The type is compared, because ``isinstance`` runs code of proxies, of which a program may have any.
    found = [item for item in gc.get_objects() if issubclass(type(item), _OBJECTS)]
    return {int(item.id): item for item in found if item.id}


@dataclass(frozen=True, slots=True)
class TextureMemory:
    """The texels of a texture on a CPU.

    Attributes:
        shape: texels in each dimension, in the order of the array that it is built from.
        channels: numbers of a texel.
        filter_mode: Warp's name of the filter.
        address_mode: Warp's name of the address mode of all dimensions.
        normalized: whether coordinates are normalized.
        address: where the texels are.
    """

    shape: tuple[int, ...]
    channels: int
    filter_mode: str
    address_mode: str
    normalized: bool
    address: int

    @property
    def nbytes(self) -> int:
        """The bytes of all texels."""
        return 4 * self.channels * math.prod(self.shape)

    def read(self) -> npt.NDArray[Any]:
        """Return a copy of the texels."""
        shape = (*self.shape, self.channels) if self.channels > 1 else self.shape
        buffer: Any = (ctypes.c_char * self.nbytes).from_address(self.address)
        return np.array(np.ndarray(shape, np.float32, buffer), copy=True)


def texture_memory(texture: Any) -> TextureMemory:
    """Return the texels of a texture of float32 on a CPU.

    Raises:
        ValueError: if it has mip levels or different address modes.
    """
    if getattr(texture, "_is_mipmapped", False):
        raise ValueError("a texture with mip levels")
    lengths = (texture._depth, texture._height, texture._width)[3 - texture._ndim :]
    modes = {getattr(texture, f"_address_mode_{axis}").name for axis in "uvw"[: texture._ndim]}
    if len(modes) != 1:
        raise ValueError("a texture with different address modes")
    normalized = bool(texture._normalized_coords)
    return TextureMemory(lengths, texture._num_channels, texture._filter_mode.name, modes.pop(), normalized, texture._host_ptr)
