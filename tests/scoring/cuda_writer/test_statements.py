"""Statements that CUDA writes in another way than Python: compound assignments, loops that count, declarations, results."""

from __future__ import annotations

import pytest

from written_pairs import with_statements as written


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("a = a + 2.0 * b", "a += 2.0f * b;"),
        ("a = 2.0 * b + a", "a += 2.0f * b;"),
        ("a = a - (b - 1.0)", "a -= b - 1.0f;"),
        ("a = b - a", "a = b - a;"),
        ("a = b / a", "a = b / a;"),
        ("a = a * b * 2.0", "a = a * b * 2.0f;"),
        ("a = a % b", "a = fmodf(a, b);"),
        ("c = c + 1", "++c;"),
        ("c -= 1", "--c;"),
        ("c = 3 * c", "c *= 3;"),
        ("y[i] = y[i] + a", "y[i] += a;"),
    ],
)
def test_operations_on_a_variable_are_compound_assignments(statement: str, expected: str) -> None:
    text = written(f"a = x[i]\nb = float(0.5)\nc = n[i]\n{statement}\ny[i] = a + b + float(c)")
    assert f"    {expected}\n" in text


def test_vectors_have_compound_assignments_of_the_text() -> None:
    text = written("v = wp.vec3(x[i])\nw = wp.vec3(1.0)\nv = w + v\nv = 2.0 * v\nv = wp.cross(w, v)\ny[i] = v[0]")
    assert "    v += w;\n" in text
    assert "    v *= 2.0f;\n" in text
    assert "    v = cross(w, v);\n" in text


def test_a_product_of_quaternions_keeps_its_order() -> None:
    text = written("q = wp.quat(x[i], 0.0, 0.0, 1.0)\nr = wp.quat(0.0, x[i], 0.0, 1.0)\nq = r * q\ny[i] = q[0]")
    assert "    q = r * q;\n" in text


COUNTING = "p = n[i]\nend = n[i] + 3\nwhile p < end:\n    y[i] = y[i] + float(p)\n    p += 1"


def test_loops_that_count_are_for_loops() -> None:
    text = written(COUNTING)
    assert "for (int p = n[i]; p < end; ++p) {" in text
    assert "while" not in text


@pytest.mark.parametrize(
    "change",
    [
        ("    y[i]", "    if p == 2:\n        p += 1\n        continue\n    y[i]"),
        ("while", "end = end + p\nwhile"),
        ("p += 1", "p += 1\ny[i] = float(p)"),
        ("p += 1", "p = p * 2"),
    ],
    ids=["continues", "is read before", "is read behind", "multiplies"],
)
def test_other_loops_stay(change: tuple[str, str]) -> None:
    assert "while (p < end) {" in written(COUNTING.replace(*change))


def test_variables_that_each_branch_assigns_have_no_value_before() -> None:
    text = written("if x[i] > 0.0:\n    y[i] = 1.0\n    s = x[i]\nelif x[i] < -1.0:\n    s = 2.0\nelse:\n    s = 3.0\ny[i] = s")
    assert "    float s;\n    if (x[i] > 0.0f) {" in text
    other = written("if x[i] > 0.0:\n    s = 1.0\nif x[i] > 0.5:\n    y[i] = s")
    assert "float s = 0.0f;" in other


def test_a_block_declares_what_a_later_statement_assigns_anew() -> None:
    text = written("if x[i] > 0.0:\n    s = x[i]\n    y[i] = s\n    return\ns = 2.0 * x[i]\ny[i] = s")
    assert text.count("float s = ") == 2
    assert "float s = 0.0f" not in text


def test_symmetric_loops_and_conditions() -> None:
    text = written(
        "s = float(0.0)\nfor d in range(-1, 2):\n    if d == 0 or d == 1 and x[i] > 0.0:\n        s += x[i]\ny[i] = s"
    )
    assert "for (int d = -1; d <= 1; ++d) {" in text
    assert "d == 0 || (d == 1 && x[i] > 0.0f)" in text


TWO = """@wp.func
def force_and_slope(t: float):
    if t < 0.0:
        return 0.0, 0.0
    f, s = inner(t)
    return f, s * 2.0


"""
INNER = "@wp.func\ndef inner(t: float):\n    return t * t, 2.0 * t\n\n\n"


def test_results_are_variables_of_the_function() -> None:
    text = written("a, s = force_and_slope(x[i])\ny[i] = a + s", INNER + TWO)
    assert "force_and_slope(float t, float& f, float& s)" in text
    assert "    inner(t, f, s);\n    s *= 2.0f;\n}" in text


def test_results_have_the_names_that_callers_share() -> None:
    calls = "len_a, slope_a = inner(x[i])\nlen_b, slope_b = inner(y[i])\ny[i] = len_a + slope_a + len_b + slope_b"
    assert "inner(float t, float& len, float& slope)" in written(calls, INNER)
    short = calls.replace("len_", "l").replace("slope_", "s").replace("inner", "size_and_slope")
    named = INNER.replace("inner", "size_and_slope")
    assert "size_and_slope(float t, float& size, float& slope)" in written(short, named)
