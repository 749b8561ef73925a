"""The card of an export: the fields and the first row of its format, its origin, and the sections of the hub's template."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from core.export.exports import records_of
from warpsmith.core.export.formats import FORMATS

SECTIONS = ("Fields", "Example", "Splits", "Verdicts", "Uses", "Limits", "Creation", "Citation", "Reproduction")


@pytest.mark.parametrize("form", ["chat", "completion", "prompt", "parquet"])
def test_the_card_has_the_columns_and_the_first_row(
    small: Path, tmp_path: Path, summary: Callable[..., Any], form: str
) -> None:
    summary(small, "--format", form, "--split", "1", "-o", tmp_path / "out")
    card = (tmp_path / "out" / "README.md").read_text()
    assert [title for title in SECTIONS if card.count(f"\n## {title}\n\n") != 1] == []
    first = pq.ParquetFile(tmp_path / "out" / "train-00000.parquet").read_row_group(0).to_pylist()[0]
    shown = json.loads(card.partition("```json\n")[2].partition("\n```\n")[0])
    assert shown["id"] == first["id"]
    fields = re.findall(r"`([\w.]+)`(?= ·| \|)", card.partition("## Fields")[2].partition("## Example")[0])
    if FORMATS[form].row is None:
        assert shown.keys() <= {name.partition(".")[0] for name in fields}
    else:
        assert list(shown) == list(first) == fields
        assert shown["prompt_tokens"] == first["prompt_tokens"]
    assert len(card) < 16_000


def test_the_licence_of_extracted_kernels_is_that_of_their_files(
    small: Path, tmp_path: Path, summary: Callable[..., Any]
) -> None:
    lines = tmp_path / "extracted.jsonl"
    lines.write_text("".join(json.dumps(record) + "\n" for record in records_of(small)[:5]))
    for source, licence in ((small, "apache-2.0"), (lines, "other")):
        output = tmp_path / licence
        summary(source, "--split", "1", "-o", output)
        assert f"\nlicense: {licence}\n" in (output / "README.md").read_text()
