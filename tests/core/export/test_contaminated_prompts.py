"""Prompts that contain a kernel of the dataset in some form are close to its pair, and to no other pair."""

from __future__ import annotations

import ast
import html
import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import pytest

from core.export.test_decontamination import renamed_code, renamed_python
from warpsmith.core import read_pairs
from warpsmith.core.errors import TargetError, WarpsmithError
from warpsmith.core.export import decontamination
from warpsmith.core.export.benchmark_files import texts_of
from warpsmith.core.export.decontamination import Benchmarks
from warpsmith.core.records.pair import Pair

PROSE = """\
You are given a kernel. Translate it to CUDA, and keep the semantics: every thread handles one element.
Think about the launch (its size is `dim`), about bounds, and about atomics; then answer.
"""


@pytest.fixture(scope="module")
def pairs(root: Path) -> list[Pair]:
    """Return pairs of which the first one is contaminated."""
    return list(read_pairs(root / "data" / "samples" / "pairs-00001.jsonl"))[5:45]


def renamed(pair: Pair) -> str:
    return renamed_python({"python_source": pair.python_source})


def bracketed(source: str) -> str:
    """Return Python whose annotations are subscripts, with Python's types and an import of names, as current Warp allows."""
    source = re.sub(r"wp\.(array(?:\dd)?)\(dtype=([\w.]+)\)", r"wp.\1[\2]", source)
    return source.replace("wp.float32", "float").replace("wp.int32", "int").replace("@wp.kernel", "@wp.kernel(module='unique')")


def without_annotations(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.unparse(tree)


def wrapped(source: str) -> str:
    """Return Python with a docstring and with every parameter in a line."""
    return re.sub(r"^(def \w+)\((.*?)\):$", lambda found: f"{found[1]}(\n    " + found[2].replace(", wp", ",\n    wp")
                  + ',\n):\n    """Does work."""', source, flags=re.MULTILINE)  # fmt: skip


def function(source: str, name: str) -> str:
    """Return the kernel without the rest of the file."""
    (kernel,) = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name == name)
    return ast.unparse(kernel)


def body(source: str, name: str) -> str:
    (kernel,) = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name == name)
    return "\n".join(map(ast.unparse, kernel.body))


def cell(text: str) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": text.splitlines(keepends=True)}], "nbformat": 4})


@pytest.fixture(scope="module", autouse=True)
def _known_shingles() -> Iterator[None]:
    """Compute the shingles of each text once: every file is compared with the same pairs."""

    def remembered(tokens: Callable[[str], Sequence[str] | None]) -> Callable[[str], tuple[str, ...]]:
        return lru_cache(None)(lambda text: tuple(tokens(text) or ()))

    with pytest.MonkeyPatch.context() as patch:
        for name in ("python_tokens", "normalized_tokens", "code_tokens"):
            patch.setattr(decontamination, name, remembered(getattr(decontamination, name)))
        patch.setattr(decontamination, "parameterized_shingles", lru_cache(None)(decontamination.parameterized_shingles))
        yield


Form = Callable[[Pair], str]

FORMS: dict[str, Form] = {
    "block.md": lambda p: f"{PROSE}\n```python\n{p.python_source}```\n{PROSE}",
    "windows.md": lambda p: f"\ufeff{PROSE}\n~~~py title='k'\n{p.python_source}~~~\n{PROSE}".replace("\n", "\r\n"),
    "renamed.md": lambda p: f"{PROSE}\n1. First:\n\n   ```python\n{textwrap.indent(renamed(p), '   ')}\n   ```\n",
    "prose.txt": lambda p: f"{PROSE}{p.python_source}\nAnswer:\n{PROSE}",
    "indented.rst": lambda p: f"{PROSE}::\n\n{textwrap.indent(p.python_source, '    ')}\n{PROSE}",
    "tabs.txt": lambda p: f"{PROSE}{p.python_source}{PROSE}".replace("    ", "\t"),
    "quoted.md": lambda p: f"{PROSE}{textwrap.indent(p.python_source, '> ', lambda _: True)}\n{PROSE}",
    "html.html": lambda p: f"<p>{PROSE}</p><pre>\n{html.escape(p.python_source)}</pre>",
    "annotations.py": lambda p: bracketed(p.python_source),
    "annotations.md": lambda p: f"{PROSE}```\n{bracketed(renamed(p))}\n```",
    "bare.py": lambda p: without_annotations(p.python_source),
    "wrapped.py": lambda p: wrapped(p.python_source),
    "kernel.txt": lambda p: f"{PROSE}{function(p.python_source, p.metadata.kernel_name)}\n{PROSE}",
    "body.py": lambda p: body(p.python_source, p.metadata.kernel_name),
    "prompts.py": lambda p: f'PROMPT = """{PROSE}\n```python\n{p.python_source}```\n"""\nprint(PROMPT)\n',
    "chat.jsonl": lambda p: json.dumps({"messages": [{"role": "user", "content": f"{PROSE}```\n{p.python_source}```"}]}),
    "row.json": lambda p: json.dumps([{"a": {"b": [{"c": f"{PROSE}\n{renamed(p)}\nAnswer:"}]}}], indent=1),
    "twice.jsonl": lambda p: json.dumps({"text": json.dumps({"code": p.python_source})}),
    "thrice.txt": lambda p: f"{PROSE}\n```json\n{json.dumps({'code': p.python_source})}\n```\n",
    "escaped.yaml": lambda p: f"prompt: {json.dumps(PROSE + p.python_source)}\n",
    "notebook.ipynb": lambda p: cell(f"# %%\n{p.python_source}"),
    "forward.md": lambda p: f"{PROSE}\n```cuda\n{p.cuda_ir_forward}```\n{PROSE * 5}",
    "forward.txt": lambda p: f"{PROSE * 5}\n{renamed_code(str(p.cuda_ir_forward))}\n{PROSE * 5}",
    "both.md": lambda p: f"{PROSE * 9}\n```cpp\n{''.join(map(str, p.code('cpu')))}```\n{PROSE * 9}",
    "two.md": lambda p: f"```cuda\n{p.cuda_ir_forward}```\n{PROSE}\n```cuda\n{p.cuda_ir_backward}```\n",
    "answer.jsonl": lambda p: json.dumps({"question": PROSE, "answer": f"So:\n```cpp\n{p.cuda_ir_backward}```\nDone."}),
}
"""Functions that make a file with this ending contain a pair."""


@pytest.mark.sampled(12)
@pytest.mark.parametrize("form", FORMS)
def test_a_contaminated_file_is_close_to_its_pair_only(pairs: list[Pair], tmp_path: Path, form: str) -> None:
    for pair in pairs[:12:4]:
        path = tmp_path / form
        path.write_text(FORMS[form](pair), encoding="utf-8")
        benchmarks = Benchmarks([path])
        assert benchmarks.close(pair) == path.name
        assert sum(benchmarks.close(other) is not None for other in pairs) == 1
        assert benchmarks.texts[path.name] == 1 or path.suffix in (".json", ".jsonl", ".ipynb")


def test_utf_16_is_read(pairs: list[Pair], tmp_path: Path) -> None:
    path = tmp_path / "wide.txt"
    path.write_text(pairs[0].python_source, encoding="utf-16")
    assert Benchmarks([path]).close(pairs[0]) == path.name


def test_parquet_is_read(pairs: list[Pair], tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "benchmark.parquet"
    rows = [{"id": 1, "messages": [{"role": "user", "content": PROSE}]},
            {"id": 2, "messages": [{"role": "user", "content": f"```python\n{pairs[1].python_source}```"}]}]  # fmt: skip
    parquet.write_table(arrow.Table.from_pylist(rows), path)
    benchmarks = Benchmarks([path])
    assert [benchmarks.close(pair) for pair in pairs[:3]] == [None, path.name, None]
    assert (benchmarks.texts[path.name], benchmarks.short[path.name]) == (2, 2)


def test_broken_files_are_named(tmp_path: Path) -> None:
    for name, content, message in (
        ("a.parquet", b"text", r"cannot read .*a\.parquet as Parquet"),
        ("a.json", b"{", r"a\.json: not JSON"),
        ("a.jsonl", b'{}\n{"x": "\n', r"a\.jsonl:2: not JSON"),
        ("a.txt", b"\xff\x00\xfe", r"cannot read .*a\.txt as text"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(TargetError, match=message):
            list(texts_of(tmp_path / name))


def test_parquet_without_the_extra_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(WarpsmithError, match=r"--exclude with a Parquet file needs the extra warpsmith-core\[export\]"):
        list(texts_of(tmp_path / "a.parquet"))
