"""Variables for elements that a block reads several times: only where nothing changes the element in between."""

from __future__ import annotations

import pytest

from written_pairs import argument, text_of

ARGUMENTS = (
    argument("positions", "vec3f", (4,)),
    argument("k", "int32", (4,)),
    argument("out", "vec3f", (4,), "output"),
)
HEAD = """import warp as wp


@wp.kernel
def moves(positions: wp.array(dtype=wp.vec3), k: wp.array(dtype=int), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
"""


def written(body: str) -> str:
    """Return the text of a kernel with some statements."""
    return text_of(HEAD + "".join(f"    {line}\n" for line in body.split("\n")), "moves", (4,), *ARGUMENTS)


def test_one_variable_has_the_element() -> None:
    text = written("s = 2.0\nif positions[i][0] > 0.0:\n    s = positions[i][1]\nout[i] = positions[i] * s")
    assert "    float3 position = positions[i];\n    if (position.x > 0.0f)" in text
    assert "s = position.y;" in text
    assert "out[i] = position * s;" in text


def test_a_variable_of_the_file_has_it() -> None:
    text = written("p = positions[i]\nout[i] = p * positions[i][1]")
    assert "out[i] = p * p.y;" in text


@pytest.mark.parametrize(
    "body",
    [
        "out[i] = positions[i]\nout[i] = positions[i] * 2.0",
        "j = k[i]\na = positions[j][0]\nj = j + 1\nout[i] = positions[j] * a",
        "if k[i] > 0 and positions[i][0] > 0.0:\n    out[i] = positions[i]",
        "if k[i] > 0:\n    out[i] = positions[i]\nelse:\n    out[i] = positions[i] * 2.0",
        "wp.atomic_add(out, i, positions[i])\nout[i] = positions[i]",
    ],
    ids=["a store lies between", "the index changes", "the condition guards it", "one branch reads it", "an atomic operation"],
)
def test_elements_are_read_where_they_may_differ_or_not_exist(body: str) -> None:
    text = written(body)
    assert text.count("positions[") == body.count("positions[")
    assert "position = " not in text
