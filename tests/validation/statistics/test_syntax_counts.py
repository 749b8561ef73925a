"""Nodes, nesting and tokens are counted in any Python, hostile Python included."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from typing import Any

import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.jsonl import Line
from warpsmith.core.similarity.tokens import MAX_CHARACTERS
from warpsmith.validation.statistics.parsed_pair import ParsedPair
from warpsmith.validation.statistics.sections import Measurement, measure_lines, merge, summarize
from warpsmith.validation.statistics.statistics_workers import LINES, measure_batch
from warpsmith.validation.statistics.syntax_counts import depth, node_types

FUNCTION = """
@wp.kernel(enable_backward=False)
def compute(x: wp.array(dtype=float), n: int):
    i = wp.tid()
    if i >= n:  # a comment
        return
    x[i] = -x[i] + 1.0
"""


def function(source: str) -> ast.FunctionDef:
    (node,) = ast.parse(source).body
    assert isinstance(node, ast.FunctionDef)
    return node


def test_node_types_of_a_function() -> None:
    assert node_types(function(FUNCTION)) == {
        "FunctionDef": 1, "arguments": 1, "arg": 2, "Call": 2, "keyword": 1, "Attribute": 2,
        "Name": 3 + 2 + 2 + 4, "Assign": 2, "If": 1, "Compare": 1, "GtE": 1, "Return": 1, "Subscript": 2,
        "BinOp": 1, "Add": 1, "UnaryOp": 1, "USub": 1, "Constant": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = 1", 0),
        ("if a: x = 1", 1),
        ("for i in range(3): x = 1", 1),
        ("while a:\n  if b:\n    for i in c: x = 1", 3),
        ("if a: x = 1\nelif b: x = 2\nelif c: x = 3\nelse: x = 4", 1),
        ("if a: x = 1\nelse:\n  if b: x = 2\n  y = 3", 2),
        ("if a: x = 1\nelif b:\n  for i in c: x = 2", 2),
        ("if a: x = 1\nif b: x = 2", 1),
        ("x = 1 if a else 2", 0),
    ],
)
def test_nesting(body: str, expected: int) -> None:
    indented = "\n".join(f"    {line}" for line in body.splitlines())
    assert depth(function(f"def f():\n{indented}\n")) == expected


def test_shares_of_pairs_and_of_nodes(lines: list[Line]) -> None:
    syntax = summarize(merge([measure_lines(lines[:20]), measure_lines(lines[20:50])]))["syntax"]
    trees = [ast.parse(line.pair.python_source) for line in lines[:50] if line.pair]
    loops = [sum(isinstance(node, ast.For) for node in ast.walk(tree)) for tree in trees]
    assert syntax["kinds"]["For"]["nodes"] == sum(loops)
    assert syntax["kinds"]["For"]["pairs"] == sum(map(bool, loops))
    assert syntax["kinds"]["For"]["share_of_pairs"] == pytest.approx(sum(map(bool, loops)) / 50)
    assert sum(kind["share"] for kind in syntax["kinds"].values()) == pytest.approx(1.0, abs=1e-4)
    assert sum(syntax["nesting"].values()) == 50


# -------------------------------------------------------------------------------------------------------------- tokens


def with_texts(change_line: Any, line: Line, **texts: str) -> Line:
    changed: Line = change_line(line, lambda record: record.update(texts))
    assert changed.pair is not None
    return changed


def test_python_tokens_of_a_kernel(lines: list[Line], change_line: Any) -> None:
    name = lines[0].pair.metadata.kernel_name if lines[0].pair else ""
    line = with_texts(change_line, lines[0], python_source=f"# comment\nif {name}:\n\n    x = 'a b'  # c\n")
    assert ParsedPair(line.pair).python_tokens == [  # type: ignore[arg-type]
        *("if", "_kernel_", ":", "<newline>", "<indent>", "x", "=", "'a b'", "<newline>", "<dedent>"),
    ]


def test_cuda_tokens_of_a_text(lines: list[Line], change_line: Any) -> None:
    name = lines[0].pair.metadata.kernel_name if lines[0].pair else ""
    text = f'void {name}_cuda_kernel_forward(wp::f x) // c\n{{ /* "d" */ p->y = -1.5e-3f + 2; print("a \\" // b"); }}'
    line = with_texts(change_line, lines[0], cuda_ir_forward=text, cuda_ir_backward="")
    assert ParsedPair(line.pair).cuda_tokens == [  # type: ignore[arg-type]
        *("void", "_kernel_forward", "(", "wp", "::", "f", "x", ")", "{", "p", "->", "y", "=", "-", "1.5e-3"),
        *("f", "+", "2", ";", "print", "(", '"a \\" // b"', ")", ";", "}"),
    ]


# ------------------------------------------------------------------------------------------------------------- hostile


@pytest.mark.parametrize(
    "source",
    [
        "(" * 100_000, "-" * 50_000 + "1", "1" + "+1" * 20_000, "x" * (MAX_CHARACTERS + 1), "'''" + "a\n" * 100_000, "\0",
        "def f(", "# coding: utf-7\n+AAA-",
        "@d\ndef f():\n" + "".join(" " * level + "if a:\n" for level in range(1, 90)) + " " * 95 + "b",
    ],
)  # fmt: skip
def test_hostile_python_is_measured(lines: list[Line], change_line: Any, source: str) -> None:
    summary = summarize(merge([measure_lines([with_texts(change_line, lines[0], python_source=source), lines[1]])]))
    assert summary["pairs"] == 2
    json.dumps(summary)


@pytest.mark.parametrize(
    "text", ['"' * 300_001, '"\\' * 200_000, "/*" * 300_000, "(" * 900_000, "\u00b2" * 1000, "0" * 900_000 + "e"]
)
def test_hostile_cuda_is_measured(lines: list[Line], change_line: Any, text: str) -> None:
    summary = summarize(merge([measure_lines([with_texts(change_line, lines[0], cuda_ir_forward=text), lines[1]])]))
    assert summary["sizes"]["cuda bytes"]["max"] >= len(text)


def test_nothing_of_a_pair_is_executed(lines: list[Line], change_line: Any, tmp_path: Any) -> None:
    source = f"import pathlib\npathlib.Path({str(tmp_path / 'ran')!r}).touch()\n"
    measure_lines([with_texts(change_line, lines[0], python_source=source)])
    assert not (tmp_path / "ran").exists()


def test_a_line_that_ends_the_worker_is_counted_as_unread(lines: list[Line]) -> None:
    class Client:
        def run_task(self, _task: str, batch: list[Line], _seconds: float) -> Measurement:
            if lines[5] in batch:
                raise WarpsmithError("the worker died")
            return measure_lines(batch)

    measure: Callable[..., Measurement] = measure_batch
    summary = summarize(merge([measure(LINES, Client(), lines[:12])]))
    assert (summary["pairs"], summary["unread_lines"], summary["counts"]["lines"]) == (11, 1, 12)
    assert summary["builtins"] == summarize(merge([measure_lines([*lines[:5], *lines[6:12]])]))["builtins"]
