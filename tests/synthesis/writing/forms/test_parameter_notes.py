"""Comments in signatures and docstrings of several lines, in every style, and what they say."""

from __future__ import annotations

import ast
import re
from typing import get_args

import pytest
from msgspec.structs import replace

from warpsmith.synthesis.language.composed_kernel import Array, Constant, Kernel, Scalar
from warpsmith.synthesis.language.layout.file_layout import Layout, lay_out
from warpsmith.synthesis.language.render import Style, render
from warpsmith.synthesis.language.warp_types import FLOAT, INT, VEC3
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.forms.file_style import Docs, FileStyle
from warpsmith.synthesis.writing.forms.parameter_notes import Notes, annotate

KERNEL = Kernel(
    name="move",
    params=(
        Array("x", VEC3, ("n",), -1.0, 1.0),
        Array("v", VEC3, ("n", "3"), -1.0, 1.0),
        Scalar("dt", FLOAT, 0.0, 1.0),
        Scalar("num_points", INT, 8, 8, "fill"),
        Array("x_out", VEC3, ("n",), 0.0, 0.0, "fill", "output"),
    ),
    body=("i = wp.tid()", "if i < num_points:", "    x_out[i] = x[i] + v[i, 0] * dt"),
    sizes=(("n", 8),),
    dim=(8,),
    doc="Move each point.",
)

ABOUT = {
    "x": "position of each point in m",
    "v": "velocity of each point in m/s",
    "dt": "time step in s",
    "num_points": "number of points",
    "x_out": "position of each point after the step in m",
}

NOTES = Notes(ABOUT, {"n": "num_points"}, "point")

SEVERAL = [docs for docs in get_args(Docs) if docs not in ("none", "line")]


def source(style: FileStyle, seed: int, kernel: Kernel = KERNEL) -> str:
    """Return the file of the kernel with docstring and comments."""
    annotated = annotate(kernel, NOTES, style, RandomStream(str(seed)))
    return render(replace(kernel, doc=annotated.doc, comments=annotated.comments), Style())


@pytest.mark.parametrize("docs", SEVERAL)
def test_docstrings_of_several_lines(docs: Docs) -> None:
    for seed in range(20):
        tree = ast.parse(source(FileStyle(docs=docs), seed))
        text = ast.get_docstring(tree.body[-1])  # type: ignore[arg-type]
        assert text is not None
        assert text.startswith("Move each point.\n\n")
        if docs != "threads":
            described = re.sub(r"\s+", " ", text).lower()
            assert all(f"{name}" in text and about in described for name, about in ABOUT.items())
            assert "num_points" in text.split("x_out")[0]
            assert re.search(r"[(\[]num_points, 3[)\]]", text)


def test_a_kernel_without_docstring_gets_none() -> None:
    assert annotate(replace(KERNEL, doc=""), NOTES, FileStyle(docs="google"), RandomStream("1")).doc == ""


def test_groups_are_labelled() -> None:
    for seed in range(20):
        lines = source(FileStyle(comments="groups"), seed).split("\n")
        labels = [number for number, line in enumerate(lines) if line.startswith("    # ")]
        assert lines[labels[0] + 1].startswith("    x:")
        assert lines[labels[-1] + 1].startswith("    x_out:")


def test_groups_in_another_order_have_no_labels() -> None:
    x, v, *rest, out = KERNEL.params
    mixed = replace(KERNEL, params=(x, out, v, *rest))
    assert annotate(mixed, NOTES, FileStyle(comments="groups"), RandomStream("1")).comments == ()


def test_remarks_are_about_their_parameter() -> None:
    found = set()
    for seed in range(40):
        for line in source(FileStyle(comments="remarks"), seed).split("\n"):
            if match := re.fullmatch(r"    (\w+): .*,  # (.*)", line):
                found.add(match[2])
                assert ABOUT[match[1]] in match[2] or match[2].strip("()[]").startswith("num_points")
    assert "position of each point in m" in found


def test_constants_have_comments() -> None:
    kernel = replace(KERNEL, constants=(Constant("GAIN", 0.5),))
    notes = Notes(ABOUT | {"GAIN": "gain of the push"}, {}, "point")
    found = annotate(kernel, notes, FileStyle(constant_comments=True), RandomStream("1")).constants
    assert "GAIN = wp.constant(0.5)  # gain of the push\n" in render(replace(kernel, constants=found), Style())
    assert annotate(kernel, notes, FileStyle(), RandomStream("1")).constants == kernel.constants


@pytest.mark.parametrize("comments", ["groups", "remarks"])
def test_layout_keeps_comments(comments: str) -> None:
    for seed in range(10):
        text = source(FileStyle(comments=comments, docs="google"), seed)  # type: ignore[arg-type]
        laid_out = lay_out(text, Layout(79, signatures="all"))
        assert laid_out == text
