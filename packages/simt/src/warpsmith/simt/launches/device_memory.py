"""Memory of a launch: arrays at the addresses that a kernel uses, aligned as ``cudaMalloc`` aligns them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt.lowering.instruction_encoding import ADDRESS_MODES, TEXELS, WINDOWS

ALIGNMENT = 256
"""Bytes; see the CUDA programming guide, "Device Memory Accesses"."""

FIRST_ADDRESS = 0x7F00_0000_0000
"""Where arrays start. Addresses are the same in every launch, so that results do not depend on where the process has memory."""

MODULE_ADDRESS = 0x7E00_0000_0000
"""Where the variables of a module start."""

HEAP_ADDRESS = 0x7FF0_0000_0000
"""Where the memory of ``malloc`` starts; behind everything else."""

VARIABLE_GAP = 64
"""Bytes between two variables of a module, none of which may be accessed."""

GAP = 4096
"""Bytes between two arrays, none of which may be accessed."""


TEXTURE_MAGIC = 0x54584554
"""The first word of a texture."""

SIZE_LIMIT, LEVEL_LIMIT, CHANNEL_LIMIT = 1 << 16, 16, 4
"""Texels of each dimension, mip levels, and channels of a texel."""


class TextureError(WarpsmithError):
    """Texels or modes that are no texture."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of memory.

    Attributes:
        address: where a kernel finds it.
        memory: the bytes.
        argument: the index of the argument that it is the array of, or -1.
        writable: whether a kernel may store there.
    """

    address: int
    memory: npt.NDArray[np.uint8]
    argument: int = -1
    writable: bool = True


class DeviceMemory:
    """The arrays of a launch.

    Attributes:
        regions: in the order of their addresses.
    """

    def __init__(self) -> None:
        self.regions: list[Region] = []
        self._next = FIRST_ADDRESS

    def add(self, array: npt.NDArray[Any], argument: int = -1) -> Region:
        """Copy an array to a new address."""
        content = np.frombuffer(np.ascontiguousarray(array).tobytes(), np.uint8).copy()
        region = Region(self._next, content, argument)
        self._next += -(-(content.size + GAP) // ALIGNMENT) * ALIGNMENT
        self.regions.append(region)
        return region

    def add_texture(
        self,
        texels: npt.NDArray[Any] | Sequence[npt.NDArray[Any]],
        channels: int = 1,
        filter_mode: str = "linear",
        address_mode: str | Sequence[str] = "clamp",
        normalized: bool = True,
        mip_filter_mode: str = "closest",
        weight_bits: int = 8,
    ) -> int:
        """Copy a texture and return its handle, which kernels receive as a number of 64 bits.

        Args:
            texels: an array of one to three dimensions, of which the last is the width, and a further one for more than one
                channel; for a texture with mip levels, an array for each.
            channels: numbers of a texel.
            filter_mode: ``closest`` or ``linear``.
            address_mode: ``wrap``, ``clamp``, ``mirror`` or ``border``, for all dimensions or for u, v and w.
            normalized: whether coordinates are fractions of the size.
            mip_filter_mode: ``closest`` or ``linear``.
            weight_bits: bits of the fraction of a filter's weights: 8 in CUDA; 0 does not round them.

        Raises:
            TextureError: if sizes, types or modes are not those of a texture.
        """
        levels = [texels] if isinstance(texels, np.ndarray) else list(texels)
        sizes = [_texture_size(level, channels) for level in levels]
        base = sizes[0]
        halved = [tuple(max(size >> number, 1) for size in base) for number in range(len(levels))]
        if sizes != halved or len({level.dtype for level in levels}) != 1 or len(levels) > LEVEL_LIMIT:
            raise TextureError(f"mip levels of {sizes} texels, each of which has half the size of the one before")
        modes = [address_mode] * 3 if isinstance(address_mode, str) else [*address_mode, "clamp", "clamp"][:3]
        filters = [filter_mode.lower(), mip_filter_mode.lower()]
        type_name = levels[0].dtype.name
        if type_name not in TEXELS or not {mode.lower() for mode in modes} <= set(ADDRESS_MODES):
            raise TextureError(f"a texture of {type_name} with the address modes {', '.join(modes)}")
        if not set(filters) <= {"closest", "linear"}:
            raise TextureError(f"a texture with the filters {', '.join(filters)}")
        dimensions = levels[0].ndim - (channels > 1)
        header = [TEXTURE_MAGIC, dimensions, channels, TEXELS.index(type_name), *(int(name == "linear") for name in filters)]
        header += [int(normalized), *(ADDRESS_MODES.index(mode.lower()) for mode in modes), len(levels), *base, weight_bits, 0]
        content = b"".join(
            [np.array(header, np.uint32).tobytes(), *(np.ascontiguousarray(level).tobytes() for level in levels)]
        )
        region = Region(self._next, np.frombuffer(content, np.uint8).copy(), writable=False)
        self._next += -(-(region.memory.size + GAP) // ALIGNMENT) * ALIGNMENT
        self.regions.append(region)
        return WINDOWS["texture"] | region.address


def _texture_size(texels: npt.NDArray[Any], channels: int) -> tuple[int, ...]:
    """Return width, height and depth.

    Raises:
        TextureError: if the array is not one of texels.
    """
    shape = texels.shape[:-1] if channels > 1 else texels.shape
    valid = 1 <= len(shape) <= 3 and all(1 <= size <= SIZE_LIMIT for size in shape)
    if not valid or not 1 <= channels <= CHANNEL_LIMIT or (channels > 1 and texels.shape[-1] != channels):
        raise TextureError(f"an array of the shape {texels.shape} is no texture with {channels} channels")
    return (*shape[::-1], 1, 1)[:3]
