"""The index of a dataset: line numbers, and ids that occur more than once; ids are read as a full decoding reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpsmith.core.datasets import line_index
from warpsmith.core.datasets.line_index import index_dataset
from warpsmith.core.records.jsonl import decode, read_id, read_lines


@pytest.fixture(scope="module")
def record(small: Path) -> dict[str, Any]:
    first = (small / "pairs-00000.jsonl").read_text().split("\n")[0]
    return dict(json.loads(first))


def line(record: dict[str, Any], identity: str) -> bytes:
    return json.dumps(record | {"id": identity}).encode() + b"\n"


def test_positions_are_named(record: dict[str, Any], tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    one.write_bytes(b"\n" + line(record, "a") + line(record, "b") + line(record, "a"))
    other.write_bytes(line(record, "c") + b"{broken}\n" + line(record, "a"))
    first, second = index_dataset([one, other])
    assert (list(first.numbers), list(second.numbers)) == ([2, 3, 4], [1, 2, 3])
    assert first.repeated == {
        2: "the id occurs more than once: also in one.jsonl:4",
        4: "the id occurs more than once: also in one.jsonl:2",
    }
    assert second.repeated == {3: "the id occurs more than once: also in one.jsonl:2"}


def test_a_line_that_is_no_record_makes_no_record_fail(record: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    without = {key: value for key, value in record.items() if key != "metadata"}
    path.write_bytes(line(record, "a") + b'{"id": "a"}\n' + line(without, "a") + line(record | {"more": 1}, "a"))
    (index,) = index_dataset([path])
    assert index.repeated == {}


def test_ids_with_the_same_digest_are_not_repeated(
    record: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "some.jsonl"
    path.write_bytes(b"".join(line(record, name) for name in "abcb"))
    monkeypatch.setattr(line_index, "_digest", lambda _: 7)
    (index,) = index_dataset([path])
    assert sorted(index.repeated) == [2, 4]


NESTED = b"[" * 900 + b"]" * 900


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw.replace(b'"id"', b'"\\u0069d"', 1),
        lambda raw: raw.replace(b"{", b'{"id": "first", ', 1),
        lambda raw: raw.rstrip()[:-1] + b', "id": "last"}\n',
        lambda raw: raw.rstrip()[:-1] + b', "\\u0069d": "last"}\n',
        lambda raw: raw.rstrip() + b"\r\n",
        lambda raw: b" \t" + raw,
        lambda raw: b"\xef\xbb\xbf" + raw,
        lambda raw: raw.replace(b'"module_options": {', b'"module_options": {"x": ' + NESTED + b", ", 1),
    ],
    ids=["escaped key", "two ids", "last id", "escaped last id", "CRLF", "indented", "byte order mark", "nested"],
)
def test_an_odd_line_has_the_id_of_its_record(record: dict[str, Any], change: Any) -> None:
    raw = change(line(record, "the \U0001f600 id"))
    pair = decode(raw, Path("x"), 1).pair
    if pair is not None:
        assert read_id(raw, Path("x"), 1) == pair.id


@given(st.text(), st.booleans())
def test_any_id_is_read_as_it_is_decoded(record: dict[str, Any], identity: str, ascii_only: bool) -> None:
    raw = json.dumps(record | {"id": identity}, ensure_ascii=ascii_only).encode()
    assert read_id(raw, Path("x"), 1) == decode(raw, Path("x"), 1).checked().id == identity


def test_lines_are_read_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpsmith.core.records.jsonl.MAX_LINE_BYTES", 1000)
    path = tmp_path / "some.jsonl"
    path.write_bytes(b"x" * 999 + b"\n" + b"y" * 1000 + b"\n" + b"z" * 5_000_000 + b"\n" + b"last")
    lines = list(read_lines(path))
    assert [(one.number, len(one.raw)) for one in lines] == [(1, 1000), (2, 0), (3, 0), (4, 4)]
    assert [one.error for one in lines[1:3]] == ["longer than 64 MiB"] * 2
    (index,) = index_dataset([path])
    assert list(index.numbers) == [1, 2, 3, 4]
