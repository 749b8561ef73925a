"""Wordings of questions: enough of them, chosen by id and task, and questions contain all facts that answers need."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from warpsmith.core.export.training_tasks import TASKS, chat, completion, exchanges, prompt
from warpsmith.core.export.wordings import SYSTEM_MESSAGES, WORDINGS, choose_system_message, choose_wording
from warpsmith.core.records.jsonl import read_lines
from warpsmith.core.records.pair import Pair

IDS = [f"4-2000-{number}" for number in range(4000)]


@pytest.fixture(scope="module")
def pairs(small: Path) -> list[Pair]:
    return [line.checked() for path in sorted(small.glob("pairs-*.jsonl")) for line in read_lines(path)]


def test_every_task_has_at_least_twenty_wordings() -> None:
    assert WORDINGS.keys() == TASKS.keys()
    for task, wordings in WORDINGS.items():
        assert len(set(wordings)) == len(wordings) >= 20, task
        keys = {key for wording in wordings for key in re.findall(r"\{(\w+)\}", wording)}
        assert keys <= ({"name", "text"} if task.startswith(("intent", "spec", "desc")) else {"code", "language"})
        assert all("{text}" in wording for wording in wordings if task.startswith(("intent", "spec", "desc")))
    everything = [wording for wordings in WORDINGS.values() for wording in wordings]
    assert len(set(everything)) == len(everything)


@pytest.mark.parametrize("task", TASKS)
def test_each_wording_is_used_about_as_often_as_any_other(task: str) -> None:
    counts = Counter(choose_wording(task, identity) for identity in IDS)
    assert counts.keys() == set(WORDINGS[task])
    assert max(counts.values()) < 1.6 * len(IDS) / len(counts)
    system = Counter(choose_system_message(task, identity) for identity in IDS)
    assert system.keys() == {"", *SYSTEM_MESSAGES}
    assert 0.2 < system[""] / len(IDS) < 0.3


def test_the_choice_depends_on_id_and_task_alone() -> None:
    assert choose_wording("python_to_cuda", "3-2000-17") == (
        "Lower this NVIDIA Warp kernel to CUDA C++, in the form that Warp's generator uses. The forward pass is enough."
    )
    assert len({choose_wording("python_to_cuda", identity) for identity in IDS[:40]}) > 10


def test_formats_have_the_same_question(pairs: list[Pair]) -> None:
    for pair in pairs:
        for exchange in exchanges(pair, list(TASKS)):
            messages = chat(pair, exchange)["messages"]
            assert prompt(pair, exchange)["prompt"] == messages[:-1]
            assert completion(pair, exchange)["prompt"].startswith(messages[-2]["content"] + "\n\n```")
            assert not re.search(r"\{(?:code|language|name|text)\}", messages[-2]["content"])


def test_neither_side_has_the_place_of_the_python(pairs: list[Pair]) -> None:
    places = 0
    for pair in pairs:
        places += "// kernel.py:" in (pair.cuda_ir_forward or "")
        for exchange in exchanges(pair, list(TASKS)):
            assert "// kernel.py:" not in exchange.question
            assert "// kernel.py:" not in exchange.text
    assert places


def test_a_question_contains_the_hashed_names_of_its_answer(pairs: list[Pair]) -> None:
    hashed = 0
    for pair in pairs:
        code = pair.cuda_ir_forward or ""
        source = pair.python_source
        if not re.search(r"_[0-9a-f]{8}\b", code):
            source += "\n\n@wp.struct\nclass ShapeModel:\n    length: float\n"
            code = f"struct ShapeModel_4629b0bd\n{{\n    wp::float32 length;\n}};\n{code}"
        changed = replace(pair, python_source=source, cuda_ir_forward=code)
        for exchange in exchanges(changed, list(TASKS)):
            for name in set(re.findall(r"\b(?!adj_)\w+_[0-9a-f]{8}\b", exchange.text)):
                assert name in exchange.question, exchange.task
                hashed += 1
    assert hashed > 2 * len(pairs)


def test_questions_mention_decorator_and_options(pairs: list[Pair]) -> None:
    pair = pairs[0]
    source = re.sub(r"@wp\.kernel.*", '@wp.kernel(module="unique", enable_backward=False)', pair.python_source)
    options = replace(pair.metadata, module_options={"block_dim": 64}, description="Do it. Rule: x.")
    changed = replace(pair, python_source=source, metadata=options)
    for exchange in exchanges(changed, list(TASKS)):
        assert "block_dim = 64" in exchange.question, exchange.task
        if exchange.language == "python" and not exchange.task.startswith("cuda"):
            assert '@wp.kernel(module="unique", enable_backward=False)' in exchange.question, exchange.task
    assert (
        "decorator"
        not in next(
            exchanges(replace(pair, python_source=re.sub(r"(@wp\.kernel).*", r"\1", source)), ["intent_to_python"])
        ).question
    )
