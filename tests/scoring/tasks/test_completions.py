"""The answer in a completion, compared with the blocks that a Markdown parser finds; rows of completions files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from warpsmith.core.errors import RecordError, TargetError
from warpsmith.scoring.tasks.completions import MARKS, answer, read_completions
from warpsmith.scoring.tasks.json_rows import encode_any_text, loads_any_text

PARSER = MarkdownIt("zero").enable("fence")
"""A parser of CommonMark of which only fences are enabled: lists and quotes have no meaning in completions."""

LINES = st.sampled_from(
    [
        *("```", "````", "~~~", "~~~~", "```python", "```cuda", "``` c++ ", "```py x", "~~~ python", "```{.python}", "```js"),
        *("``", "   ```", "  ```python", "```` ", "```a`b", "~~~`", "", " ", "x = 1", "  y = 2", "int a;", "text", "``` ```"),
    ]
)


def expected(completion: str, language: str) -> str:
    blocks = [token for token in PARSER.parse(completion) if token.type == "fence"]
    if not blocks:
        return completion
    marks = [(token.info.replace("{.", " ").replace("}", " ").split() or [""])[0].lower() for token in blocks]
    fitting = [token.content for token, mark in zip(blocks, marks, strict=True) if not mark or mark in MARKS[language]]
    return fitting[-1] if fitting else ""


@given(lines=st.lists(LINES, max_size=12), language=st.sampled_from(sorted(MARKS)), end=st.sampled_from(["", "\n"]))
@example(lines=["```python", "x = 1"], language="python", end="")
@example(lines=["````", "```", "````"], language="cuda", end="\n")
@example(lines=["  ```", "    a", " b", "```"], language="cuda", end="\n")
def test_the_answer_is_the_block_of_a_markdown_parser(lines: list[str], language: str, end: str) -> None:
    completion = "\n".join(lines) + end
    found = answer(completion, language)
    wanted = expected(completion, language)
    assert found.rstrip() == wanted.rstrip(), "a parser of Markdown changes the end of a block that is not closed"


@given(
    code=st.text(st.characters(exclude_characters="`~\r", codec="utf-8"), min_size=1),
    before=st.text(st.characters(exclude_characters="`~", codec="utf-8")),
    mark=st.sampled_from([*MARKS["cuda"], "CUDA", ""]),
)
def test_any_code_comes_back_as_it_is(code: str, before: str, mark: str) -> None:
    completion = f"{before}\n```cuda\nold\n```\n~~~{mark}\n{code}\n~~~\n```python\nx = 1\n```\nDone."
    assert answer(completion, "cuda") == f"{code}\n"
    assert answer(before + code, "cuda") == before + code, "without a fence, all of it counts"


def test_a_block_in_a_list_is_indented() -> None:
    assert answer("1. So:\n\n      ```python\n      if x:\n          y = 1\n      ```\n", "python") == "if x:\n    y = 1\n"


def test_an_indented_fence_in_code_does_not_end_the_block() -> None:
    code = 'def f():\n    """\n    ```\n    text\n    ```\n    """\n'
    assert answer(f"```python\n{code}```\n", "python") == code


def test_line_ends_of_windows() -> None:
    assert answer("Here:\r\n```python\r\nx = 1\r\n```\r\nBye", "python") == "x = 1\r\n"


def test_blocks_of_other_languages_do_not_count() -> None:
    assert answer("```rust\nfn main() {}\n```", "cuda") == ""


def test_rows_of_completions(tmp_path: Path) -> None:
    path = tmp_path / "completions.jsonl"
    path.write_text('{"task_id": "a", "completion": "x", "model": "m"}\n\n{"completion": "y", "task_id": "b"}\n')
    first, second = read_completions(path)
    assert (first.task_id, first.completion, first.line, first.row["model"]) == ("a", "x", 1, "m")
    assert (second.task_id, second.completion, second.line) == ("b", "y", 3)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ("\x00", "not JSON"),
        ('{"task_id": "a"}', "completion is missing"),
        ('{"completion": "a"}', "task_id is missing"),
        ('{"task_id": 1, "completion": "a"}', "task_id is not a text"),
        ('{"task_id": "a", "completion": ["x"]}', "completion is not a text"),
        ('{"task_id": "a", "completion": null}', "completion is not a text"),
        ('{"task_id": "a", "completion": "x", "more": NaN}', "not JSON"),
        ('{"task_id": "a", "completion": "\\ud800", "more": 1e999}', "nested too deeply|not JSON"),
        ("[" * 100_000, "not JSON|nested too deeply"),
    ],
)
def test_a_broken_row_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "completions.jsonl"
    path.write_text(json.dumps({"task_id": "a", "completion": "x"}) + f"\n{line}\n")
    with pytest.raises(RecordError, match=rf"completions\.jsonl:2: .*({message})"):
        list(read_completions(path))


@pytest.mark.parametrize(
    ("more", "value"),
    [
        (r'"completion": "\ud83d"', "\ud83d"),
        (r'"completion": "\udc00\ud800 x"', "\udc00\ud800 x"),
        (r'"completion": "\ud83d\ude00"', "\U0001f600"),
        (r'"completion": "\u0000\r\n"', "\0\r\n"),
        (f'"completion": "x", "more": {"[" * 400}{"]" * 400}', "x"),
    ],
)
def test_rows_that_only_some_parsers_read_are_read_and_written(tmp_path: Path, more: str, value: str) -> None:
    path = tmp_path / "completions.jsonl"
    path.write_text(f'{{"task_id": "a", {more}}}\n')
    [found] = read_completions(path)
    assert found.completion == value
    assert json.loads(encode_any_text(found.row)) == json.loads(path.read_text()) == loads_any_text(encode_any_text(found.row))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match=r"cannot read .*none\.jsonl"):
        list(read_completions(tmp_path / "none.jsonl"))
