"""Comments at parameters: which ones belong to a parameter, and where a text has them."""

from __future__ import annotations

import ast
from dataclasses import replace

from warpsmith.scoring.cuda_writer.layout.parameter_remarks import remarks_of
from warpsmith.scoring.cuda_writer.layout.source_comments import Comments
from written_pairs import PLAIN, argument, text_of

SCALE = """import warp as wp


@wp.kernel
def scale(
    # inputs
    x: wp.array(dtype=float),  # (num_cells,) Heat of each cell in J
    # Factor without
    # a unit
    factor: float,
    # Outputs:
    y: wp.array(dtype=float),
):
    i = wp.tid()
    y[i] = factor * x[i]
"""
ARGUMENTS = (argument("x", "float32", (4,)), argument("factor", "float32", ()), argument("y", "float32", (4,), "output"))


def test_remarks_behind_and_above_are_found_and_headings_are_not() -> None:
    node = ast.parse(SCALE).body[1]
    assert isinstance(node, ast.FunctionDef)
    assert remarks_of(Comments(SCALE), node) == {"x": "(num_cells,) Heat of each cell in J", "factor": "Factor without a unit"}


def test_parameters_that_share_a_line_have_no_remark() -> None:
    source = "def f(\n    a, b,  # Which one?\n    c,  # Certainly c\n):\n    pass\n"
    node = ast.parse(source).body[0]
    assert isinstance(node, ast.FunctionDef)
    assert remarks_of(Comments(source), node) == {"c": "Certainly c"}


def test_a_text_has_them_behind_its_parameters_or_above_the_function() -> None:
    behind = text_of(SCALE, "scale", (4,), *ARGUMENTS, idioms=replace(PLAIN, aligned=False))
    assert "const float* x,  // (num_cells) Heat of each cell in J\n" in behind
    assert "float factor,  // Factor without a unit\n" in behind
    above = text_of(SCALE, "scale", (4,), *ARGUMENTS, idioms=replace(PLAIN, aligned=True, block_comment=False))
    assert "// x: (num_cells) Heat of each cell in J\n// factor: Factor without a unit\n__global__ void scale(" in above
