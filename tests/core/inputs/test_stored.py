"""Stored values: text and back, and texts that are damaged."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.stored import MAX_STORED_BYTES, decode_values, encode_values

TYPES = st.sampled_from([np.float32, np.float64, np.int8, np.int32, np.uint64, np.bool_])


@given(values=TYPES.flatmap(lambda scalar: arrays.arrays(scalar, arrays.array_shapes(min_dims=0, min_side=0, max_side=5))))
def test_values_survive(values: np.ndarray) -> None:
    read = decode_values(encode_values(values), values.dtype.type, values.shape)
    assert (read.dtype, read.shape, read.tobytes()) == (values.dtype, values.shape, values.tobytes())


def packed(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content)).decode()


@pytest.mark.parametrize(
    "text",
    ["?", "AAAA", packed(b"\0" * 7), packed(b"\0" * 9), packed(b"\0" * 8)[:-8], packed(b"\0" * (1 << 26))],
    ids=["no base64", "no zlib", "too short", "too long", "cut", "bomb"],
)
def test_damaged_texts_are_errors(text: str) -> None:
    with pytest.raises(WarpsmithError, match="stored values"):
        decode_values(text, np.float32, (2,))


def test_large_shapes_are_refused_first() -> None:
    with pytest.raises(WarpsmithError, match="more than"):
        decode_values("", np.int8, (MAX_STORED_BYTES + 1,))
