"""Numbers of tokens: the estimate, tokenizers, quantiles, and rows that are left out."""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.export.exports import Here, all_rows, contents
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.export import first_pass
from warpsmith.core.export.export_request import Request, read_fractions, read_tasks
from warpsmith.core.export.export_run import export
from warpsmith.core.export.formats import FORMATS
from warpsmith.core.export.token_counts import ESTIMATE, Quantiles, count_tokens, tokenizer_digest

Summary = Callable[..., dict[str, Any]]
SPLIT = ("--split", "0.5,0.25,0.25")


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=60))
def test_quantiles(numbers: list[int]) -> None:
    found = Quantiles.of(numbers)
    assert (found.rows, found.largest) == (len(numbers), max(numbers))
    assert found.median == statistics.median_low(numbers)
    for share, value in ((0.9, found.p90), (0.99, found.p99)):
        assert sum(number <= value for number in numbers) >= share * len(numbers) - 1e-9
        assert sum(number < value for number in numbers) < share * len(numbers) + 1e-9
    assert found.long == pytest.approx(sum(number > 4096 for number in numbers) / len(numbers), abs=1e-6)


def test_the_estimate_counts_bytes() -> None:
    assert count_tokens(ESTIMATE, ["", "abc", "abcdefg", "\u00e4\u00e4\u00e4\u00e4"]) == [0, 1, 2, 3]
    assert tokenizer_digest(ESTIMATE) == ""


@pytest.fixture
def words(tmp_path: Path) -> Path:
    """A tokenizer whose tokens are words and single other characters."""
    tokenizers = pytest.importorskip("tokenizers", reason="counts of a tokenizer need the library tokenizers")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel({"[UNK]": 0}, "[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    return tmp_path / "tokenizer.json"


def test_a_tokenizer_counts_its_tokens(words: Path) -> None:
    assert count_tokens(str(words), ["x = y + 1", "", "one two"]) == [5, 0, 2]
    assert len(tokenizer_digest(str(words))) == 64


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(WarpsmithError, match=r"--tokenizer needs the extra warpsmith-core\[tokens\]: .*install .*tokenizers"):
        count_tokens("some.json", ["x"])


def test_a_file_that_is_no_tokenizer(tmp_path: Path) -> None:
    pytest.importorskip("tokenizers", reason="the error is that of the library tokenizers")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(WarpsmithError, match="cannot load the tokenizer"):
        tokenizer_digest(str(tmp_path / "tokenizer.json"))


def test_rows_over_the_limit_are_left_out(here: Here, summary: Summary, small: Path, tmp_path: Path) -> None:
    whole, short = tmp_path / "whole", tmp_path / "short"
    summary(small, "--format", "completion", *SPLIT, "-o", whole)
    printed = summary(small, "--format", "completion", *SPLIT, "--max-tokens", 900, "-o", short)
    rows = {(row["id"], row["task"]): row for row in all_rows(whole)}
    kept = {key for key, row in rows.items() if row["prompt_tokens"] + row["answer_tokens"] <= 900}
    assert 0 < len(kept) < len(rows)
    assert {(row["id"], row["task"]): row for row in all_rows(short)} == {key: rows[key] for key in kept}
    pairs = {identity for identity, _ in rows}
    assert printed["left_out"]["long_rows"] == len(rows) - len(kept)
    assert printed["left_out"]["too_long"] == len(pairs) - len({identity for identity, _ in kept})
    for task, found in printed["tokens"].items():
        totals = [rows[key]["prompt_tokens"] + rows[key]["answer_tokens"] for key in kept if key[1] == task]
        assert (found["rows"], found["largest"]) == (len(totals), max(totals))
    card = (short / "README.md").read_text()
    assert f"{printed['left_out']['long_rows']:,} rows" in card
    assert "--max-tokens 900" in card
    code, _, refused = here(small, "--format", "completion", *SPLIT, "-o", short)
    assert code == 2
    assert "max_tokens differ" in refused


def test_whole_records_have_no_rows_to_leave_out(here: Here, small: Path, tmp_path: Path) -> None:
    code, _, error = here(small, "--max-tokens", 900, "-o", tmp_path / "parquet")
    assert code == 2
    assert "--max-tokens goes with --format chat" in error


@pytest.mark.sampled(1)
@pytest.mark.parametrize("forms", [("chat", "jsonl"), ("chat", "prompt", "jsonl")])
def test_several_formats_have_the_bytes_of_several_commands(
    here: Here, small: Path, tmp_path: Path, forms: tuple[str, ...]
) -> None:
    several = [word for form in forms for word in ("--format", form)]
    assert here(small, *several, *SPLIT, "--workers", 2, "-o", tmp_path / "several")[0] == 0
    for form in forms:
        assert here(small, "--format", form, *SPLIT, "--workers", 1, "-o", tmp_path / form)[0] == 0
        assert contents(tmp_path / "several" / form) == contents(tmp_path / form)
    _, again, _ = here(small, *several, *SPLIT, "--json", "-o", tmp_path / "several")
    assert [(one["made"], Path(one["output"]).name) for one in json.loads(again)] == [(False, form) for form in forms]


def test_workers_read_parts_of_shards(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers read 40 pairs in parts of three lines."""
    form = FORMATS["chat"]
    request = Request(
        form=form,
        tasks=read_tasks(None, form),
        fractions=read_fractions("0.5,0.25,0.25"),
        required=(),
        only=(),
        exclude=(),
        shard_size=10_000,
    )
    export(Dataset.open(small), request, tmp_path / "one")
    monkeypatch.setattr(first_pass, "LINES_PER_PART", 3)
    export(Dataset.open(small), request, tmp_path / "two", workers=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
