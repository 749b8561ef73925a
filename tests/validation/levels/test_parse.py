"""Level parse finds Python and generated text that are incomplete or of the wrong form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from record_changes import TEXTS, Record, replace_text, substitute_text, update_metadata
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.levels import parse
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import Finding


def parse_finding(line: Line) -> Finding:
    (finding,) = parse.check([line], BatchContext(Path()))
    assert isinstance(finding, Finding)
    return finding


ANOTHER = "\n\n@wp.kernel\ndef another(x: wp.array(dtype=float)):\n    x[wp.tid()] = 1.0\n"
GRID_STRIDE = r"^ *_idx \+= static_cast<size_t>\(blockDim\.x\) \* static_cast<size_t>\(gridDim\.x\)\)$"


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (substitute_text("python_source", r":$", ""), "does not parse"),
        (replace_text("python_source", "@wp.kernel", "@wp.func"), "0 kernels"),
        (lambda record: record.update(python_source=""), "0 kernels"),
        (lambda record: record.update(python_source=record["python_source"] + ANOTHER), "2 kernels"),
        (lambda record: record.update(python_source=record["python_source"] + "\nprint(1)\n"), "print"),
        (lambda record: record.update(python_source="import os\n" + record["python_source"]), "os"),
        (update_metadata(kernel_name="another"), "another_"),
        (substitute_text("cuda_ir_forward", GRID_STRIDE, ")"), "cuda"),
        (replace_text("cuda_ir_backward", "blockIdx", "blockId"), "the cuda text lacks the entry point"),
        (replace_text("cuda_ir_forward", "threadIdx", "threadId"), "the cuda text lacks the entry point"),
        (replace_text("cuda_ir_forward", "_cuda_kernel_forward", "_kernel"), "_cuda_kernel_forward"),
        (replace_text("cuda_ir_backward", "_cuda_kernel_backward", "_kernel"), "_cuda_kernel_backward"),
        (replace_text("cpp_forward", "_cpu_forward", "_kernel"), "_cpu_forward"),
        (replace_text("cpp_backward", "_cpu_backward", "_kernel"), "_cpu_backward"),
        (replace_text("cpp_forward", "wp_cpu_run_block", "run"), "the cpu text lacks the entry point"),
        (replace_text("cuda_ir_forward", "__global__ ", ""), "the cuda text lacks the entry point"),
        (replace_text("cuda_ir_backward", 'extern "C" ', ""), "the cuda text lacks the entry point"),
        (
            replace_text("cuda_ir_forward", "    wp::tile_shared_storage_t tile_mem;\n", ""),
            "the cuda text lacks the entry point",
        ),
        (replace_text("cuda_ir_backward", "wp::tile_shared_storage_t::init();", ""), "the cuda text lacks the entry point"),
        (replace_text("cuda_ir_forward", "_idx < dim.size", "_idx <= dim.size"), "the cuda text lacks the entry point"),
        (replace_text("cpp_forward", "++block_id;", ""), "the cpu text lacks the entry point"),
        (replace_text("cpp_backward", "_wp_adj_args, &tile_mem", "_wp_args, &tile_mem"), "the cpu text lacks the entry point"),
        (replace_text("cpp_forward", "// forward\n", "// forward\f\n"), "the character U+000C"),
        (replace_text("cuda_ir_backward", "// forward\n", "// forward\u2028\n"), "the character U+2028"),
        (replace_text("cuda_ir_forward", "// forward\n", "// forward \\ \n"), "a comment that continues on the next line"),
        (replace_text("python_source", "@wp.kernel", "# \v\n@wp.kernel"), "the character U+000B"),
    ],
)
def test_parse_finds(plain: Line, change_line: Any, damage: Callable[[Record], object], reason: str) -> None:
    finding = parse_finding(change_line(plain, damage))
    assert finding.status == "fail"
    assert reason in finding.reason


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9])
def test_parse_finds_truncated_text(plain: Line, change_line: Any, text: str, share: float) -> None:
    line = change_line(plain, lambda record: record.update({text: record[text][: int(share * len(record[text]))]}))
    assert parse_finding(line).status == "fail"


def test_parse_ignores_brackets_in_comments(plain: Line, change_line: Any) -> None:
    line = change_line(plain, lambda record: record.update(cpp_forward=record["cpp_forward"] + "// (((\n/* { */\n"))
    assert parse_finding(line).status == "pass"
