"""Docstrings in four styles as comments of CUDA."""

from __future__ import annotations

import pytest

from warpsmith.scoring.cuda_writer.layout.docstring_text import comment_lines, read_docstring

DOCSTRINGS = {
    "google": "Sum up.\n\nArgs:\n    x (wp.array): Terms in m, shape\n        (n,).\n    n: Number of terms.",
    "numpy": "Sum up.\n\nParameters\n----------\nx : wp.array, shape (n,)\n    Terms in m.\nn : int\n    Number of terms.",
    "sphinx": "Sum up.\n\n:param x: Terms in m, shape\n    (n,).\n:param n: Number of terms.",
    "list": "Sum up.\n\n- x: Terms in m, shape (n,).\n- n: Number of terms.",
}


@pytest.mark.parametrize("text", DOCSTRINGS.values(), ids=DOCSTRINGS)
def test_all_styles_have_the_same_parameters(text: str) -> None:
    found = read_docstring(text)
    assert found.paragraphs == ["Sum up."]
    assert found.parameters == [("x", "Terms in m, shape (n)."), ("n", "Number of terms.")]


def test_blocks_are_those_of_doxygen() -> None:
    assert comment_lines(DOCSTRINGS["google"], block=True) == [
        "/**", " * Sum up.", " *", " * @param x Terms in m, shape (n).", " * @param n Number of terms.", " */",
    ]  # fmt: skip
    assert comment_lines("Sum up.", block=True) == ["/** Sum up. */"]


def test_paragraphs_fill_the_lines() -> None:
    text = "Integrate the stress of each brick.\n\nSmall strains with St. Venant-\nKirchhoff material."
    assert comment_lines(text, block=False) == [
        "// Integrate the stress of each brick.", "//", "// Small strains with St. Venant-Kirchhoff material.",
    ]  # fmt: skip


def test_the_value_has_a_line() -> None:
    found = comment_lines("Return the root.\n\nArgs:\n    x: Number.\n\nReturns:\n    The root.", block=True)
    assert found[-2] == " * @return The root."
