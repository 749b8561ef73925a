"""`--exclude` leaves out pairs that are close to a benchmark, whatever their names and layout."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.export.exports import all_rows, records_of


class Rename(ast.NodeTransformer):
    """A transformation that renames all variables, arguments and functions that a file defines."""

    def __init__(self, tree: ast.Module) -> None:
        names = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        names |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        self.names = {name: f"renamed{number}" for number, name in enumerate(sorted(names))}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self.names[node.arg], node.annotation and self.visit(node.annotation))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.name = self.names[node.name]
        return node


def renamed_python(record: dict[str, Any]) -> str:
    """Return the same kernel with other names, without comments and with another layout."""
    tree = ast.parse(record["python_source"])
    return "# a comment\n" + ast.unparse(Rename(tree).visit(tree))


def renamed_code(text: str) -> str:
    return re.sub(r"[ \t]+", "  ", re.sub(r"(?<!::)\b(var|adj)_(\w+)", r"\1iable_of_\2", text))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("form", ["py", "cu", "forward.cu", "jsonl", "txt"])
def test_pairs_close_to_a_benchmark_are_left_out(
    summary: Callable[..., dict[str, Any]], small: Path, tmp_path: Path, form: str
) -> None:
    record = records_of(small)[23]
    texts = {
        "py": renamed_python(record),
        "cu": renamed_code(record["cuda_ir_forward"] + record["cuda_ir_backward"]),
        "forward.cu": renamed_code(record["cuda_ir_forward"]),
        "jsonl": json.dumps({"id": "x", "tests": [{"solution": renamed_python(record), "timeout": 3}]}) + "\n\n",
        "txt": "    " + renamed_python(record).replace("\n", "\n    "),
    }
    benchmark = tmp_path / f"benchmark.{form}"
    benchmark.write_text(texts[form])
    exported = summary(small, "--exclude", benchmark, "-o", tmp_path / "out")
    left = {row["id"] for row in all_rows(tmp_path / "out")}
    assert {row["id"] for row in records_of(small)} - left == {record["id"]}
    assert exported["left_out"]["close_to"][benchmark.name] == {"pairs": 1, "texts": 1, "too_short": int(form == "jsonl")}
    assert exported["pairs"] == 39


def test_unrelated_benchmarks_leave_out_no_pair(summary: Callable[..., dict[str, Any]], small: Path, tmp_path: Path) -> None:
    others = {
        "this_test.py": Path(__file__).read_text(),
        "saxpy.cu": "__global__ void saxpy(int n, float a, float* x, float* y) { int i = blockIdx.x * blockDim.x + threadIdx.x;"
        " if (i < n) y[i] = a * x[i] + y[i]; }\n",
        "kernel.py": "import warp as wp\n\n@wp.kernel\ndef k(a: wp.array(dtype=float)):\n    i = wp.tid()\n    a[i] *= 2.0\n",
        "prose.txt": "A kernel is a function that many threads run. " * 20,
        "empty.txt": "",
    }
    options: list[Any] = []
    for name, text in others.items():
        (tmp_path / name).write_text(text)
        options += ["--exclude", tmp_path / name]
    exported = summary(small, *options, "-o", tmp_path / "out")
    assert exported["pairs"] == 40
    counts = exported["left_out"]["close_to"]
    assert {name: count["pairs"] for name, count in counts.items()} == dict.fromkeys(others, 0)
    assert counts["empty.txt"] == {"pairs": 0, "texts": 0, "too_short": 1}
    assert counts["saxpy.cu"]["texts"] == counts["this_test.py"]["texts"] == 1
