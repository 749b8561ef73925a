"""Values of leaves that a record contains itself, as text."""

from __future__ import annotations

import base64
import binascii
import math
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from warpsmith.core.errors import WarpsmithError

MAX_STORED_BYTES = 1 << 20
"""The most bytes of one leaf, uncompressed."""


def encode_values(values: npt.NDArray[Any]) -> str:
    """Return the numbers of an array as text.

    Examples:
        >>> import numpy as np
        >>> encode_values(np.arange(3, dtype=np.int32))
        'eNpjYGBgYARiJiAGAAAcAAQ='
    """
    content = np.ascontiguousarray(values, values.dtype.newbyteorder("<")).tobytes()
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")


def decode_values(text: str, scalar: type[np.generic], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Return the numbers of a text as an array; no more than the expected bytes are decompressed.

    Args:
        text: a result of `encode_values`.
        scalar: the type of the numbers.
        shape: the shape of the array.

    Raises:
        WarpsmithError: if the text is damaged, has more or fewer numbers, or contains a bool that is neither 0 nor 1.
    """
    dtype = np.dtype(scalar)
    expected = dtype.itemsize * math.prod(shape)
    if expected > MAX_STORED_BYTES:
        raise WarpsmithError(f"stored values of {expected} bytes, more than {MAX_STORED_BYTES}")
    content = _decompressed(text, expected)
    if len(content) != expected:
        raise WarpsmithError(f"stored values that are not {expected} bytes")
    if dtype.kind == "b" and max(content, default=0) > 1:
        raise WarpsmithError("stored values of bool that are neither 0 nor 1")
    return np.frombuffer(content, dtype.newbyteorder("<")).astype(dtype).reshape(shape)


def stored_rows(text: str, row_bytes: int) -> int:
    """Return how many rows of ``row_bytes`` bytes a text contains.

    Raises:
        WarpsmithError: if the text is damaged, longer than `MAX_STORED_BYTES`, or has no whole rows.
    """
    rows, rest = divmod(len(_decompressed(text, MAX_STORED_BYTES)), row_bytes)
    if rest:
        raise WarpsmithError(f"stored values that are no rows of {row_bytes} bytes")
    return rows


def _decompressed(text: str, max_bytes: int) -> bytes:
    """Return the bytes of a text, which are not more than ``max_bytes``."""
    decompressor = zlib.decompressobj()
    try:
        content = decompressor.decompress(base64.b64decode(text, validate=True), max_bytes + 1)
    except (zlib.error, binascii.Error, ValueError) as error:
        raise WarpsmithError(f"stored values that cannot be read: {error}") from None
    if len(content) > max_bytes or not decompressor.eof:
        raise WarpsmithError(f"stored values that are not {max_bytes} bytes")
    return content
