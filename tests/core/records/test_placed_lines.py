"""Lines are where their places say, and reading continues at each place."""

from __future__ import annotations

import codecs
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpsmith.core.records import jsonl
from warpsmith.core.records.jsonl import placed_lines, raw_lines

LINES = st.lists(
    st.sampled_from([b"{}", b"", b"  ", b'{"id": "a"}', b"\r", codecs.BOM_UTF8, codecs.BOM_UTF8 + b"{}"]), max_size=8
)


@given(lines=LINES, mark=st.sampled_from([b"", codecs.BOM_UTF8]), end=st.sampled_from([b"", b"\n"]))
def test_lines_are_at_their_places(lines: list[bytes], mark: bytes, end: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lines.jsonl"
        path.write_bytes(content := mark + b"\n".join(lines) + end)
        found = list(placed_lines(path))
        assert [(place.number, raw) for place, raw in found] == list(raw_lines(path))
        for number, (place, raw) in enumerate(found):
            assert raw is not None
            assert content[place.offset :].startswith(raw)
            assert list(placed_lines(path, start=place)) == found[number:]


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "MAX_LINE_BYTES", 8)
    monkeypatch.setattr(jsonl, "_BLOCK_BYTES", 4)
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b"{}\n" + b"x" * 21 + b"\n[]\n")
    assert list(placed_lines(path)) == [((1, 0), b"{}\n"), ((2, 3), None), ((3, 25), b"[]\n")]
