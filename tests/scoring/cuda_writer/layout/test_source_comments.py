"""Comments of a text say nothing that only the Python has."""

from __future__ import annotations

import pytest

from warpsmith.scoring.cuda_writer.layout.docstring_text import comment_lines
from warpsmith.scoring.cuda_writer.layout.source_comments import plain_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a well of depth wp.float64(1.)", "a well of depth 1"),
        ("Entropy of ``sigmoid(z)`` by `z`.", "Entropy of sigmoid(z) by z."),
        ("Precondition the residual, for unknowns of any type.", "Precondition the residual."),
        ("Move the network, in the precision of the parameters.", "Move the network."),
        ("Blend values of any type with a weight.", "Blend values with a weight."),
        ("The precision of float64 matters.", "The precision of float64 matters."),
    ],
)
def test_remarks_about_python_disappear(text: str, expected: str) -> None:
    assert plain_words(text) == expected


def test_shapes_name_parameters_only() -> None:
    text = "Sum up.\n\nArgs:\n    u: Terms in m, shape (rows, cols).\n    v: Sums, shape (num_worlds,).\n    w: Unused."
    found = comment_lines(text, block=True, names={"u": "u", "v": "v_", "rows": "rows", "cols": "cols"})
    assert found[3:-1] == [" * @param u Terms in m, shape (rows, cols).", " * @param v_ Sums."]
