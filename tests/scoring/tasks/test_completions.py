"""The answer in a completion, compared with the blocks that a Markdown parser finds; rows of completions files."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from warpsmith.core.errors import RecordError, TargetError
from warpsmith.scoring.tasks.completions import MARKS, answer, defines, read_completions
from warpsmith.scoring.tasks.json_rows import encode_any_text, loads_any_text

PARSER = MarkdownIt("zero").enable("fence")
"""A parser of CommonMark of which only fences are enabled: lists and quotes have no meaning in completions."""

LINES = st.sampled_from(
    [
        *(
            "```",
            "````",
            "~~~",
            "~~~~",
            "```python",
            "```cuda",
            "``` c++ ",
            "```py x",
            "~~~ python",
            "```{.python}",
            "```js",
            '```cuda title="x"',
            "```cuda-cpp",
        ),
        *("``", "   ```", "  ```python", "```` ", "```a`b", "~~~`", "", " ", "x = 1", "  y = 2", "int a;", "text", "``` ```"),
    ]
)


def expected(completion: str, language: str) -> str:
    blocks = [token for token in PARSER.parse(completion) if token.type == "fence"]
    if not blocks:
        return completion
    marks = [(token.info.replace("{.", " ").replace("}", " ").split() or [""])[0].lower() for token in blocks]
    marks = ["cuda" if mark == "cuda-cpp" else mark for mark in marks]
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
    code=st.text(st.characters(exclude_characters="`~\r\ufeff", codec="utf-8"), min_size=1),
    before=st.text(st.characters(exclude_characters="`~\r\ufeff<[", codec="utf-8")),
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
    assert answer("Here:\r\n```python\r\nx = 1\r\n```\r\nBye", "python") == "x = 1\n"


def test_blocks_of_other_languages_do_not_count() -> None:
    assert answer("```rust\nfn main() {}\n```", "cuda") == ""


NAME = "scale"

DEFINITIONS = {
    "cuda": (
        'extern "C" __global__ void scale(float* x, int n)\n{\n    x[n] = 1.0f;\n}\n',
        "__global__ void __launch_bounds__(256) scale(const float *__restrict__ x, int n = sizeof(int)) { }\n",
        "__global__ void scale (\n    float *x, // the array (of n numbers); see {1}\n    int n)\n{\n}\n",
    ),
    "python": ("@wp.kernel\ndef scale(x: wp.array(dtype=float)):\n    x[0] = 1.0\n", "if True:\n    def scale (x): ...\n"),
}
"""Texts that define the function, by language."""

OTHERS = {
    "cuda": (
        "scale<<<1, 256>>>(x, n);\n",
        "nvcc -O3 -o scale scale.cu && ./scale\n",
        "int main() { scale(x, n); if (check(x)) { return 1; } }\n",
        "__global__ void scale(float* x, int n);\n",
        "// void scale(int n) {\n/* void scale() { */\n",
        'const char* text = "void scale() {";\n',
        "__global__ void rescale(float* x) {}\n__global__ void scale_2(float* x) {}\n",
        "",
    ),
    "python": (
        "wp.launch(scale, dim=4, inputs=[x])\n",
        "# def scale(x):\n",
        "def scale_2(x): ...\n",
        "pip install warp-lang\n",
        "",
    ),
}
"""Texts that call, declare or mention the function."""


@pytest.mark.parametrize("language", MARKS)
def test_definitions_are_told_from_uses(language: str) -> None:
    assert all(defines(text, language, NAME) for text in DEFINITIONS[language])
    assert not [text for text in OTHERS[language] if defines(text, language, NAME)]


def fenced_as(mark: str, text: str, fence: str = "```") -> str:
    return f"{fence}{mark}\n{text}{fence}\n"


@st.composite
def completions(draw: st.DrawFn) -> tuple[str, str, str]:
    """Return a language, a completion and its answer, which thoughts, blocks before it and uses behind it surround."""
    language = draw(st.sampled_from(sorted(MARKS)))
    definition, other = st.sampled_from(DEFINITIONS[language]), st.sampled_from(OTHERS[language])
    marks = st.sampled_from(["", *MARKS[language], f'{MARKS[language][0]} title="x"', f"{{.{MARKS[language][0]}}}"])
    foreign = st.sampled_from(["bash", "sh", "text", "rust", "nvcc", "console"])
    prose = st.sampled_from(["", "Here it is:\n", "\n", "A `<think>` tag.\n", "1. First\n"])
    block = st.builds(fenced_as, marks, st.one_of(definition, other))
    unrelated = st.builds(fenced_as, foreign, st.one_of(definition, other))
    unclosed = st.builds(lambda mark, text: f"```{mark}\n{text}", marks, definition)
    inner = st.lists(st.one_of(prose, block, unrelated, unclosed), max_size=3).map("".join)
    thought = st.builds("{}{}{}\n".format, st.sampled_from(["<think>", "<think>\n", "So: <think>", "<Thinking>\n"]), inner,
                        st.sampled_from(["</think>", "\n</think>", "</THINKING>", "[/THINK]"]))  # fmt: skip
    before = draw(st.lists(st.one_of(prose, block, unrelated, thought), max_size=4).map("".join))
    opened_by_prompt = draw(st.one_of(st.just(""), inner.map("{}</think>\n".format)))
    answered = draw(definition)
    uses = st.builds(fenced_as, marks, other)
    after = draw(st.lists(st.one_of(prose, uses, unrelated, thought), max_size=4).map("".join))
    cut = draw(st.one_of(st.just(""), st.builds("{}{}".format, st.sampled_from(["<think>", "Wait. <think>\n"]), inner)))
    return language, opened_by_prompt + before + fenced_as(draw(marks), answered) + after + cut, answered


@given(made=completions(), end=st.sampled_from(["\n", "\r\n", "\r"]), start=st.sampled_from(["", "\ufeff"]))
def test_the_answer_is_the_last_definition_outside_of_thoughts(made: tuple[str, str, str], end: str, start: str) -> None:
    language, completion, wanted = made
    assert answer(start + completion.replace("\n", end), language, NAME) == wanted


@given(made=completions())
def test_a_thought_that_does_not_end_leaves_no_answer(made: tuple[str, str, str]) -> None:
    language, completion, _ = made
    endless = completion.replace("</", "<").replace("[/", "[")
    assert answer(f"<think>{endless}", language, NAME) == ""


@given(st.text(st.sampled_from("`~<>/think\r\n\ufeffx (){};\"'\ud800"), max_size=200))
def test_any_text_has_an_answer(completion: str) -> None:
    for language in MARKS:
        assert "\r" not in answer(completion, language, NAME)


@pytest.mark.parametrize("mark", ["cuda-cpp", "c++", "CUDA-C++", "cuda_cpp", "cpp17", "cuda:kernel.cu", 'title="k.cu" cuda',
                                  "cuh", "lang=cuda", "{.cuda .numberLines}", "cuda,linenos", "k.cu", "cuda{1,3}"])  # fmt: skip
def test_marks_that_models_write(mark: str) -> None:
    assert answer(f"```{mark}\nint x;\n```\n", "cuda") == "int x;\n"
    assert answer(f"```{mark}\nint x;\n```\n", "python") == ""


def test_a_byte_order_mark_does_not_count() -> None:
    assert answer("\ufeff```python\n\ufeffx = 1\n```\n", "python") == answer("\ufeffx = 1\n", "python") == "x = 1\n"


def test_without_a_fence_thoughts_do_not_count_either() -> None:
    assert answer("<think>\nx = 1\n</think>\nx = 2\n", "python").strip() == "x = 2"
    assert answer("x = 1\n</think>\n\nx = 2\n", "python").strip() == "x = 2"
    assert answer("<think>\nx = 1\n", "python") == ""


def test_many_unfinished_definitions_take_little_time() -> None:
    started = time.perf_counter()
    for text in (
        "scale(" * 200_000,
        "scale((x)" * 150_000,
        "scale(x)" * 150_000 + "{",
        "<think>" * 150_000,
        "scale" + "(x)" * 300_000,
    ):
        answer(f"```\n{text}\n```\n", "cuda", NAME)
    assert time.perf_counter() - started < 20.0


def test_rows_of_completions(tmp_path: Path) -> None:
    path = tmp_path / "completions.jsonl"
    path.write_text('{"task_id": "a", "completion": "x", "model": "m"}\n\n{"completion": "y", "task_id": "b"}\n'
                    '{"task_id": "b", "completion": null}\n')  # fmt: skip
    first, second, third = read_completions(path)
    assert (first.task_id, first.completion, first.line, first.row["model"]) == ("a", "x", 1, "m")
    assert (second.task_id, second.completion, second.line) == ("b", "y", 3)
    assert third.completion is None


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
