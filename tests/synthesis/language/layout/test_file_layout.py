"""The layout of files: the meaning stays, lines keep their limit, and ruff agrees with the exploded layout."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest

from warpsmith.extraction.warp.interleave import run_alone
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.language.layout.file_layout import PLAIN, Layout, lay_out
from warpsmith.synthesis.writing.generate import write_draft

KERNEL = """\
import warp as wp


@wp.kernel
def push(positions: wp.array(dtype=wp.vec3), strength: float, out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    # a remark that is longer than the limit stays as it is, because no formatter changes it
    if positions[i][0] > 0.25 * strength and positions[i][1] > 0.25 * strength:
        offset = positions[i] * strength + wp.vec3(strength, 0.5 * strength, 0.0)
        out[i] = wp.vec3(offset[0] * strength, offset[1] * strength, offset[2])
        out[i] += clamp_length(offset, 0.25 * strength, strength) * (1.0 - strength)
"""

EXPLODED = """\
import warp as wp


@wp.kernel
def push(
    positions: wp.array(dtype=wp.vec3),
    strength: float,
    out: wp.array(dtype=wp.vec3),
):
    i = wp.tid()
    # a remark that is longer than the limit stays as it is, because no formatter changes it
    if (
        positions[i][0] > 0.25 * strength
        and positions[i][1] > 0.25 * strength
    ):
        offset = positions[i] * strength + wp.vec3(
            strength, 0.5 * strength, 0.0
        )
        out[i] = wp.vec3(
            offset[0] * strength, offset[1] * strength, offset[2]
        )
        out[i] += clamp_length(offset, 0.25 * strength, strength) * (
            1.0 - strength
        )
"""

ALIGNED = """\
def push(positions: wp.array(dtype=wp.vec3), strength: float,
         out: wp.array(dtype=wp.vec3)):
"""

LAYOUTS = [
    Layout(length, wrapping, leading, signatures, constructors, indent)  # type: ignore[arg-type]
    for length, wrapping, leading, signatures, (constructors, indent) in product(
        (72, 100), ("exploded", "aligned", "hanging"), (True, False), ("short", "all", "packed"), ((False, 4), (True, 2))
    )
]


@pytest.fixture(scope="module")
def files() -> list[str]:
    """Return files whose statements are in one line each."""
    return [run_alone(write_draft(KernelKey(11, index)))[0].plain for index in range(12)]


def meaning(source: str) -> str:
    """Return the syntax tree as text, without the indentation inside of docstrings."""
    return re.sub(r"\\n +", r"\\n", ast.dump(ast.parse(source)))


def test_exploded_kernel() -> None:
    assert lay_out(KERNEL, Layout(70)) == EXPLODED


def test_packed_signature() -> None:
    assert ALIGNED in lay_out(KERNEL, Layout(70, "aligned", signatures="packed"))


def test_several_results_are_one_a_line() -> None:
    source = "def f(x, y):\n    return x * 0.25 + y * 0.5, y * 0.25 + x * 0.5\n"
    exploded = "def f(x, y):\n    return (\n        x * 0.25 + y * 0.5,\n        y * 0.25 + x * 0.5,\n    )\n"
    assert lay_out(source, Layout(32)) == exploded
    aligned = "def f(x, y):\n    return (x * 0.25 + y * 0.5,\n            y * 0.25 + x * 0.5)\n"
    assert lay_out(source, Layout(32, "aligned")) == aligned


def test_plain_layout_changes_nothing() -> None:
    assert lay_out(KERNEL, PLAIN) == KERNEL


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_meaning_stays(files: list[str], layout: Layout) -> None:
    for source in (KERNEL, *files):
        assert meaning(lay_out(source, layout)) == meaning(source)


@pytest.mark.parametrize("layout", [layout for layout in LAYOUTS if layout.wrapping == "exploded"], ids=str)
def test_laid_out_files_stay(files: list[str], layout: Layout) -> None:
    for source in (KERNEL, *files):
        text = lay_out(source, layout)
        if layout.indent == 4:
            assert lay_out(text, layout) == text


def test_lines_keep_their_limit(files: list[str]) -> None:
    for source in files:
        text = re.sub(r'"""[^"]*"""', "pass", source)  # docstrings are wrapped where they are written
        for line in lay_out(text, Layout(100)).split("\n"):
            assert len(line) <= 100 or line.lstrip().startswith(("#", '"""'))


def test_ruff_leaves_almost_all_files(files: list[str], tmp_path: Path) -> None:
    ruff = shutil.which("ruff")
    if ruff is None:
        pytest.skip("ruff is not installed")
    for number, source in enumerate(files):
        (tmp_path / f"kernel_{number}.py").write_text(lay_out(source, Layout(88)), encoding="utf-8")
    command = [ruff, "format", "--isolated", "--line-length=88", "--diff", str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.stdout.count("\n--- ") + result.stdout.startswith("--- ") <= 1, result.stdout
