"""Prompts: the whole texts for one sample, and what they show and hide for all samples."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.kept import kept
from warpsmith.core import Pair
from warpsmith.scoring.tasks.completions import MARKS, answer
from warpsmith.scoring.tasks.prompts import fenced, without_comments
from warpsmith.scoring.tasks.task import make_task
from warpsmith.scoring.tasks.task_kinds import KINDS

GOLDEN = Path(__file__).parent / "prompts"
QUOTED = 3
"""The kept pair that the golden prompts quote."""


def prompt(kind: str, pair: Pair) -> str:
    task = make_task(kind, pair)
    assert task is not None
    return task.prompt


@pytest.mark.parametrize("kind", KINDS)
def test_the_prompts_of_one_sample(kind: str) -> None:
    assert prompt(kind, kept(QUOTED)) == (GOLDEN / f"{kind}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("kind", "shown", "prefix"),
    [("python_to_cuda", "python_source", "var"), ("forward_to_adjoint", "cuda_ir_forward", "adj")],
)
def test_prompts_show_the_parameters_and_hide_the_body(samples: list[Pair], kind: str, shown: str, prefix: str) -> None:
    for pair in samples:
        text = prompt(kind, pair)
        assert getattr(pair, shown).strip() in text
        for argument in pair.metadata.launch.args if pair.metadata.launch else ():
            assert re.search(rf" {prefix}_{argument.name}\b", text)
        assert not re.search(rf"\b{prefix}_\d", text)


def test_prompts_for_python_quote_no_python(samples: list[Pair]) -> None:
    for pair in samples:
        text = prompt("cuda_to_python", pair)
        assert "//" not in text
        assert "<L " not in text
        [kernel] = [
            node
            for node in ast.parse(pair.python_source).body
            if isinstance(node, ast.FunctionDef) and node.name == pair.metadata.kernel_name
        ]
        assert all(f"    {ast.unparse(parameter)},\n" in text for parameter in kernel.args.args)
        quoted = [ast.unparse(node) for node in kernel.body if not isinstance(node, ast.Expr | ast.Return)]
        assert not [statement for statement in quoted if statement in text]


def test_without_comments_keeps_every_statement(samples: list[Pair]) -> None:
    for pair in samples:
        original = str(pair.cuda_ir_forward).splitlines()
        kept = [line for line in without_comments(str(pair.cuda_ir_forward)).splitlines() if line.strip()]
        assert kept == [line for line in original if line.strip() and not line.strip().startswith("//")]


@pytest.mark.parametrize("kind", KINDS)
def test_prompts_name_the_marks_that_count(samples: list[Pair], kind: str) -> None:
    task = make_task(kind, samples[0])
    assert task is not None
    last = task.prompt.rstrip().splitlines()[-1]
    assert re.findall("`([^`]+)`", last) == list(MARKS[task.language])


def test_the_block_size_is_the_one_of_the_module(samples: list[Pair]) -> None:
    pair = samples[0]
    assert " blocks of 256 threads" in prompt("python_to_cuda", pair)
    other = replace(pair, metadata=replace(pair.metadata, module_options={"block_dim": 64}))
    assert " blocks of 64 threads" in prompt("python_to_cuda", other)


@pytest.mark.parametrize("text", ["x = 1\n", 'x = """\n```python\n```\n"""\n', "`````\n"])
def test_a_fence_does_not_end_in_the_text(text: str) -> None:
    assert answer(f"Look:\n{fenced('python', text)}\nDone", "python") == text
