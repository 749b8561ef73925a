"""Fine-tuning of TRL on an export: rows have their whole length, and the loss is on the answers only.

The tokens of the example's tokenizer are bytes, so that lengths and the places of answers are known without a tokenizer.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core import Pair

pytestmark = [pytest.mark.training, pytest.mark.filterwarnings("ignore")]

IGNORED = -100
"""The label of tokens without a loss."""

FRAMES = {"system": len("system: \n"), "user": len("user: \n"), "assistant": len("assistant: \n") + 1}
"""The tokens that the template puts around a message; the answer has a token for its end."""


@pytest.fixture
def example(library: Callable[[str], Any], root: Path) -> Any:
    """Return the example as a module."""
    for name in ("trl", "datasets"):
        library(name)
    spec = importlib.util.spec_from_file_location("trl_sft", root / "examples" / "trl_sft.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def short(samples: list[Pair]) -> list[Pair]:
    """Return the pairs with the shortest rows, and one that is too long for the example."""
    ordered = sorted(samples, key=lambda pair: len(pair.python_source) + len(pair.cuda_ir_forward or ""))
    return [*ordered[:3], ordered[-1]]


def test_lengths_and_masks(example: Any, short: list[Pair], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = [len(pair.python_source) + len(pair.cuda_ir_forward or "") for pair in short]
    monkeypatch.setattr(example, "MAX_TOKENS", sizes[2] + 1000)
    assert sizes[3] > sizes[2] + 1000
    tokenizer = example.byte_tokenizer()
    rows = example.load(example.make_export(short, tmp_path), tokenizer)
    assert {row["id"] for row in rows} == {pair.id for pair in short[:3]}
    trainer = example.make_trainer(rows, tokenizer, tmp_path / "model")
    batch = next(iter(trainer.get_train_dataloader()))
    for ids, labels in zip(batch["input_ids"].tolist(), batch["labels"].tolist(), strict=True):
        text = tokenizer.decode(ids)
        (row,) = (row for row in rows if row["messages"][-2]["content"] in text)
        length = sum(FRAMES[message["role"]] + len(message["content"].encode()) for message in row["messages"])
        answer = row["messages"][-1]["content"]
        learned = [place for place, label in enumerate(labels) if label != IGNORED]
        assert learned == list(range(length - 2 - len(answer.encode()), length - 1))
        assert tokenizer.decode([labels[place] for place in learned]) == f"{answer}{example.END}"
        assert [ids[place] for place in learned] == [labels[place] for place in learned]
        assert set(ids[length:]) <= {tokenizer.pad_token_id}


def test_two_steps_change_the_model(example: Any, short: list[Pair], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(example, "MAX_TOKENS", 12_000)
    tokenizer = example.byte_tokenizer()
    rows = example.load(example.make_export(short[:2], tmp_path), tokenizer)
    trainer = example.make_trainer(rows, tokenizer, tmp_path / "model")
    before = {name: value.clone() for name, value in trainer.model.state_dict().items()}
    trainer.train()
    losses = [step["loss"] for step in trainer.state.log_history if "loss" in step]
    assert len(losses) == 2
    assert all(float(loss) > 0.0 for loss in losses)
    assert any(not before[name].equal(value) for name, value in trainer.model.state_dict().items())
