"""Stand-alone CUDA in records: the keys are absent where it was not requested, and exports ask for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from warpsmith.core import read_pairs
from warpsmith.core.export.training_tasks import TASKS, exchanges
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.pair import Pair, from_dict, to_dict
from warpsmith.core.records.plain_outcome import PlainOutcome


@pytest.fixture
def pair(root: Path) -> Pair:
    return next(iter(read_pairs(root / "data" / "samples" / "pairs-00000.jsonl")))


def with_text(pair: Pair, text: str | None, outcome: PlainOutcome) -> Pair:
    return replace(pair, cuda_plain=text, metadata=replace(pair.metadata, plain=outcome))


def test_keys_are_absent_where_they_are_empty(pair: Pair) -> None:
    plain = orjson.loads(encode(pair))
    assert "cuda_plain" not in plain
    assert "plain" not in plain["metadata"]


def test_records_with_a_text_are_read_again(pair: Pair) -> None:
    for made in (
        with_text(pair, "__global__ void k() { }", PlainOutcome(launches=9)),
        with_text(pair, None, PlainOutcome(problem="unsupported", reason="a mesh")),
    ):
        raw = orjson.loads(encode(made))
        assert ("cuda_plain" in raw) == (made.cuda_plain is not None)
        assert "ptx_forward" not in raw
        assert from_dict(raw) == made
        assert from_dict(to_dict(made)) == made


def test_the_text_is_the_answer_of_a_task(pair: Pair) -> None:
    assert not list(exchanges(pair, ["python_to_plain_cuda"]))
    made = with_text(pair, "__global__ void k() { }", PlainOutcome(launches=9))
    (exchange,) = exchanges(made, ["python_to_plain_cuda"])
    assert (exchange.language, exchange.text) == ("cuda", made.cuda_plain)
    assert pair.python_source.strip() in exchange.question
    assert "python_to_plain_cuda" in TASKS
