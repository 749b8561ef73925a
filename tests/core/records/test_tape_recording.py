"""Recordings of tapes as lines of JSON: what is written is read, and a damaged line is named by file and line."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from warpsmith.core.errors import RecordError, WarpsmithError
from warpsmith.core.records import tape_recording
from warpsmith.core.records.tape_lines import decode_program, decode_recording, encode_program, encode_recording, read_programs
from warpsmith.core.records.tape_recording import (
    Access,
    Adjoint,
    Content,
    Event,
    GradientState,
    Memory,
    RecordedProgram,
    Recording,
    decode_content,
    encode_content,
)

MEMORY = Memory(1 << 47, (2, 3), (12, 4), "float32")

RECORDING = Recording(
    id="program-file.py:7",
    place="file.py:7",
    kernels=(),
    modules=("module",),
    launches=(),
    events=(
        Event(
            place="file.py:3",
            name="wp.copy",
            pair=-1,
            launch=-1,
            on_tape=True,
            accesses=(Access(leaf="dest", memory=MEMORY, gradient=None, before=0, after=1, fresh=True),),
            values={"mesh.points": 1},
            reason="a reason",
        ),
    ),
    adjoints=(Adjoint(event=0, contents=(1,), before=(-1,), after=(-1,)),),
    gradients=(GradientState(memory=MEMORY, name="x", start=0, seed=-1, end=1, earlier=True),),
    contents=(encode_content(np.arange(6, dtype=np.float32)), encode_content(np.ones(6, np.float32))),
    functions=(0, 1),
    reason="incomplete",
)


def test_a_recording_is_read_as_it_was_written(tmp_path: Path) -> None:
    program = RecordedProgram(RECORDING, ())
    line = encode_program(program)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert decode_program(line, Path("tapes.jsonl"), 1) == program
    assert decode_recording(encode_recording(RECORDING)) == RECORDING
    (tmp_path / "tapes.jsonl").write_bytes(line * 3)
    assert list(read_programs(tmp_path / "tapes.jsonl")) == [program] * 3


@given(hnp.arrays(st.sampled_from(["f4", "f8", "f2", "i4", "u8", "bool", "i1"]), hnp.array_shapes(min_dims=0, min_side=0)))
def test_contents_are_read_as_they_were_written(values: np.ndarray) -> None:  # type: ignore[type-arg]
    content = encode_content(values)
    found = decode_content(content)
    assert (found.dtype, found.shape) == (values.dtype, values.shape)
    assert found.tobytes() == values.tobytes()
    assert not found.flags.writeable


def test_an_array_with_strides_is_written_in_order() -> None:
    values = np.arange(12.0).reshape(3, 4)[::-1, ::2]
    np.testing.assert_array_equal(decode_content(encode_content(values)), values)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (Content("float32", (2,), "not base 64"), "damaged contents"),
        (Content("float32", (2,), "AAAAAAAA"), "damaged contents"),
        (Content("no type", (2,), ""), "damaged contents"),
        (Content("float32", (3,), encode_content(np.ones(2, np.float32)).data), "contents that are not 12 bytes"),
        (Content("float32", (1,), encode_content(np.ones(2, np.float32)).data), "contents that are not 4 bytes"),
        (Content("float32", (-1,), encode_content(np.ones(2, np.float32)).data), "contents of -4 bytes"),
        (Content("float32", (1 << 40,), ""), "contents of 4398046511104 bytes"),
    ],
)
def test_damaged_contents_are_an_error(content: Content, message: str) -> None:
    with pytest.raises(WarpsmithError, match=message):
        decode_content(content)


def test_contents_are_not_decompressed_beyond_their_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of a few kilobytes must not fill the memory."""
    bomb = encode_content(np.zeros(1 << 22, np.uint8))
    asked = []
    real = tape_recording.zlib.decompressobj

    class Decompressor:
        def decompress(self, data: bytes, size: int) -> bytes:
            asked.append(size)
            return real().decompress(data, size)

    monkeypatch.setattr(tape_recording.zlib, "decompressobj", Decompressor)
    with pytest.raises(WarpsmithError, match="contents that are not 16 bytes"):
        decode_content(Content("float32", (4,), bomb.data))
    assert asked == [17]


LINE = encode_program(RecordedProgram(RECORDING, ()))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{}\n", "missing required field `recording`"),
        (b"[1, 2]\n", "Expected `object`, got `array`"),
        (b"no JSON\n", "malformed"),
        (LINE[:-10], "truncated"),
        (LINE.replace(b'"on_tape":true', b'"on_tape":1'), "Expected `bool`, got `int`"),
        (LINE.replace(b'"shape":[2,3]', b'"shape":[2.5,3]'), r"Expected `int`, got `float`"),
        (LINE.replace(b'"kernels":[]', b'"kernels":["a"]'), "the pairs are not those of the recording's kernels"),
        (LINE.replace(b'"pairs":[]', b'"pairs":[{}]'), "missing required field `id`"),
        (b"\xff\xfe\n", "malformed"),
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, line: bytes, message: str) -> None:
    path = tmp_path / "tapes.jsonl"
    path.write_bytes(LINE + line)
    with pytest.raises(RecordError, match=message) as caught:
        list(read_programs(path))
    assert f"{path}:2" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("shape", [(), (0,), (2, 3)])
def test_the_bytes_of_memory(shape: tuple[int, ...]) -> None:
    assert Memory(0, shape, (8,) * len(shape), "float64").nbytes == 8 * math.prod(shape)
