"""Groups of rows in Parquet files have a limit in bytes, so that viewers can read each of them."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from warpsmith.core.export import writers
from warpsmith.core.export.formats import FORMATS
from warpsmith.core.export.writers import Parquet
from warpsmith.core.records.jsonl import MAX_LINE_BYTES

parquet = pytest.importorskip("pyarrow.parquet", reason="these tests need pyarrow")

VIEWER = 286 << 20
"""The most bytes of a group that the viewer of the Hugging Face hub reads."""


def groups(path: Path) -> list[tuple[int, int]]:
    """Return the rows and the bytes of each group, uncompressed."""
    metadata = parquet.ParquetFile(path).metadata
    found = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    return [(group.num_rows, group.total_byte_size) for group in found]


def row(number: int, size: int) -> bytes:
    """Return a row with distinct text, which no dictionary shortens."""
    text = "".join(f"{number}/{position}\n" for position in range(size // 8))[:size]
    counts = {"prompt_tokens": number, "answer_tokens": size}
    return (
        orjson.dumps({"prompt": text, "completion": text[::-1], "id": str(number), "task": "t", "category": "c", **counts})
        + b"\n"
    )


@pytest.mark.parametrize("sizes", [[3000] * 60, [10, 90_000, 10, 10, 200_000, 10], [100] * 50], ids=["equal", "mixed", "small"])
def test_groups_have_a_limit_in_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sizes: list[int]) -> None:
    limit = 100_000
    monkeypatch.setattr(writers, "ROW_GROUP_BYTES", limit)
    writer = Parquet(tmp_path / "rows.parquet", writers.COMPLETION)
    lines = [row(number, size) for number, size in enumerate(sizes)]
    for line in lines:
        writer.add(line)
    writer.close()
    assert parquet.read_table(tmp_path / "rows.parquet").to_pylist() == [orjson.loads(line) for line in lines]
    found = groups(tmp_path / "rows.parquet")
    assert all(size <= 1.1 * limit or rows == 1 for rows, size in found), found
    assert len(found) <= 1 + 2 * sum(map(len, lines)) / limit


def test_the_limit_is_far_below_that_of_the_viewer() -> None:
    assert max(writers.ROW_GROUP_BYTES, MAX_LINE_BYTES) <= VIEWER / 2


COLUMNS = {
    "parquet": writers.RECORD,
    "chat": writers.CHAT,
    "completion": writers.COMPLETION,
    "prompt": writers.PROMPT,
}


def test_all_tables_are_tested() -> None:
    assert {name for name, form in FORMATS.items() if form.extension == "parquet"} == COLUMNS.keys()


@pytest.mark.exhaustive
@pytest.mark.parametrize("form", list(COLUMNS))
def test_large_rows_are_in_small_groups(tmp_path: Path, form: str) -> None:
    """Columns of 450 rows of 1 MB, as many as two viewers' groups."""
    text = "".join(f"    // {number:x}\n" for number in range(80_000))
    columns = COLUMNS[form]
    writer = FORMATS[form].writer(tmp_path / "rows.parquet", ())
    for number in range(450):
        body = f"{number}\n{text}"
        values = {"messages": [{"role": "user", "content": body}], "prompt": body, "completion": body, "id": str(number)}
        if form == "prompt":
            values |= {"prompt": [{"role": "user", "content": body}], "pair": body}
        values |= {"python_source": body, "cuda_ir_forward": body}
        row = {name: values.get(name) for name in columns}
        writer.add(orjson.dumps(row | ({"metadata": dict.fromkeys(columns["metadata"])} if "metadata" in columns else {})))
    writer.close()
    assert max(size for _, size in groups(tmp_path / "rows.parquet")) < VIEWER / 2
