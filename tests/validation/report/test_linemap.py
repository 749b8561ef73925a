"""A line of Python maps to the generated lines that come from it, and to no others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from report_datasets import lines_of
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.report.code import highlight_generated, highlight_python, shortened, statement_starts
from warpsmith.validation.report.linemap import python_lines

TEXTS = ("cpp_forward", "cpp_backward", "cuda_ir_forward", "cuda_ir_backward")

SOURCE = """\
from typing import Any
import warp as wp


@wp.func
def folded(x: Any, low: Any):
    return wp.max(x, low)


@wp.func
def halved(x: float):
    y = wp.sqrt(x)
    return 0.5 * y


@wp.kernel
def walk(
    values: wp.array(dtype=float),
    rounds: int,
    out: wp.array(dtype=float),
):
    i = wp.tid()
    total = float(0.0)
    for k in range(rounds):
        total += wp.sin(values[i]) * float(k)
    if total > 1.0:
        total = wp.exp(
            values[i],
        )
    else:
        total = halved(total)
    out[i] = folded(total, 0.25)
"""


def mapped(text: str, source: str) -> list[tuple[int, str]]:
    lines = text.split("\n")
    heads = [0, *statement_starts(source)]
    return [(heads[line], text.strip()) for line, text in zip(python_lines(lines, source.split("\n")), lines, strict=True)]


@pytest.fixture(scope="module")
def walk(pair_line: Callable[..., Line]) -> dict[str, list[tuple[int, str]]]:
    pair = pair_line(SOURCE, None).pair
    return {name: mapped(getattr(pair, name), SOURCE) for name in TEXTS}


@pytest.mark.parametrize("name", TEXTS)
def test_generated_calls_map_to_their_line(walk: dict[str, list[tuple[int, str]]], name: str) -> None:
    """Each of these calls occurs in one line of the Python, with a known number."""
    once = {"max": 7, "sqrt": 12, "sin": 25, "exp": 27, "halved_0": 31, "folded_0": 32}
    found = {
        call: {line for line, text in walk[name] if re.search(rf"(=|\badj_| )(wp::)?(adj_)?{call}\(.*;$", text)}
        for call in once
    }
    definitions = {"halved_0", "folded_0"}
    assert {call: lines - {0} for call, lines in found.items()} == {call: {line} for call, line in once.items()}
    assert all(0 not in lines for call, lines in found.items() if call not in definitions)


@pytest.mark.parametrize("name", ["cpp_backward", "cuda_ir_backward"])
def test_the_head_and_the_end_of_a_loop_map_to_its_line(walk: dict[str, list[tuple[int, str]]], name: str) -> None:
    heads = [
        line
        for line, text in walk[name]
        if re.search(r"iter_(cmp|next|reverse)|= wp::range|^goto start|^(start|end)_for", text)
    ]
    assert len(heads) > 5
    assert set(heads) == {24}
    branches = [line for line, text in walk[name] if re.match(r"if \(!?var_\d+\) \{", text)]
    assert branches == [26] * 4


@pytest.mark.parametrize("name", TEXTS)
def test_text_outside_statements_maps_to_no_line(walk: dict[str, list[tuple[int, str]]], name: str) -> None:
    for line, text in walk[name]:
        if re.match(
            r"(#|struct |template|extern|static|return;|continue;|//---|// (forward|reverse|primal|dual|kernel))", text
        ):
            assert line == 0, text
        if re.match(r"(wp::float32|const wp::float32|wp::int32) (var|adj)_\d+( = .*)?;", text):
            assert line == 0, text


def test_an_adjoint_call_maps_to_the_line_of_its_forward_call(root: Path) -> None:
    """In the samples, a builtin that one line calls, and its adjoint, are called by lines that map to this line's statement."""
    seen: Counter[str] = Counter()
    for record in lines_of(root / "data" / "samples"):
        python = record["python_source"].split("\n")
        heads = statement_starts(record["python_source"])
        where = {
            name: [heads[n] for n, text in enumerate(python) if f"wp.{name}(" in text]
            for name in ("sin", "exp", "sqrt", "tanh", "clamp", "dot")
        }
        for text in TEXTS:
            for line, code in mapped(record[text], record["python_source"]):
                for name, lines in where.items():
                    for prefix in ("", "adj_"):
                        if len(lines) == 1 and f"wp::{prefix}{name}(" in code and not code.startswith("//"):
                            assert line == lines[0], (record["id"], text, code)
                            seen[prefix] += 1
    assert min(seen[""], seen["adj_"]) > 30


def test_comments_map_to_the_line_that_they_repeat(root: Path) -> None:
    for record in lines_of(root / "data" / "samples"):
        python = record["python_source"].split("\n")
        lines = {line.strip() for line in python}
        heads = statement_starts(record["python_source"])
        for name in TEXTS:
            comments = [(line, text) for line, text in mapped(record[name], record["python_source"]) if "<L " in text]
            assert len(comments) > 3
            for line, text in comments:
                statement = [python[n].strip() for n, head in enumerate(heads) if head == line]
                repeated = text[3:].removeprefix("adj: ").rpartition("<L ")[0].strip()
                if "// warp/" in record[name] and repeated not in lines:  # of a function of Warp
                    continue
                assert repeated in statement


def test_a_comment_with_a_wrong_line_is_ignored() -> None:
    text = ["{", "// forward", "// x = 1   <L 2>", "a;", "// x = 2  <L 1>", "b;", "// x = 1  <L 99>", "c;"]
    assert python_lines(text, ["x = 0", "x = 1"]) == [0, 0, 2, 2, 0, 0, 0, 0]


PIECES = """{|if (x) {|// forward|// reverse|start_for_0:;|goto start_for_0;|end_for_0:;|}|//---
// a = 1  <L 1>|// adj: a = 1  <L 1>|// def f():  <L 7>|adj_1 = 2;|x;|"""


@given(st.lists(st.sampled_from(PIECES.replace("\n", "|").split("|"))))
def test_arbitrary_text_is_accepted(lines: list[str]) -> None:
    found = python_lines(lines, ["a = 1", "def f():"])
    assert len(found) == len(lines)
    assert set(found) <= {0, 1, 2}


def test_a_statement_continues_while_a_bracket_or_string_is_open() -> None:
    source = 'x = f(\n    1,\n)\ny = "a(b"\n"""first\nsecond"""\nz = [1,  # (\n2]\nw = 1'
    assert statement_starts(source) == [1, 1, 1, 4, 5, 5, 7, 7, 9]


@given(st.text(alphabet=st.sampled_from("ab_1.\"'#/*\\<>()\n\t\r é{}")))
def test_highlighting_preserves_the_text(text: str) -> None:
    for lines in (highlight_python(text), highlight_generated(text)):
        assert "\n".join("".join(line[1::2]) for line in lines) == text
    assert len(statement_starts(text)) == text.count("\n") + 1


def test_tokens_have_the_classes_of_their_type() -> None:
    (line,) = highlight_generated('    if (a) b = "s" + 2;  // said')
    assert {("k", "if"), ("s", '"s"'), ("m", "2"), ("c", "// said")} <= set(zip(line[::2], line[1::2], strict=True))
    (comment,) = highlight_generated("        // falloff = wp.pow(x, 1.5)    <L 11>")
    assert comment == ["", " " * 8, "c", "// falloff = wp.pow(x, 1.5)    <L 11>"]
    (line,) = highlight_python("def f(): return 2  # said")
    assert {("k", "def"), ("f", "f"), ("k", "return"), ("m", "2"), ("c", "# said")} <= set(
        zip(line[::2], line[1::2], strict=True)
    )


def test_only_the_beginning_of_a_long_text_is_shown() -> None:
    assert shortened("a\nb\n") == ("a\nb", 0)
    kept, cut = shortened("0123456\n" * 100_000)
    assert len(kept) <= 300_000
    assert kept.count("\n") + 1 + cut == 100_000
    assert set(kept.split("\n")) == {"0123456"}
