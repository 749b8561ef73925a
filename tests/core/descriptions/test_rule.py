"""The rule of a kernel: every kind of statement as a sentence."""

from __future__ import annotations

import ast

import pytest

from warpsmith.core.descriptions.rule import rule_lines

SENTENCES = {
    "i = wp.tid()\nx[i] = wp.sin(y[i])": ["Write sin(y[i]) to x[i]."],
    "wp.atomic_add(f, i, wp.vec3(1.0, 2.0, 3.0))": ["Atomically add vec3(1.0, 2.0, 3.0) to f[i]."],
    "k = wp.atomic_add(c, 0, 1)\nx[k] = k": ["Let k be the value before this: atomically add 1 to c[0].", "Write k to x[k]."],
    "out[i] -= f": ["Subtract f from out[i]."],
    "m = m | 4": ["Let m = m | 4."],
    "a, b = f(x)\na = a + 1": ["Let (a, b) = f(x).", "Set a to a + 1."],
    "m |= 4": ["Set m to m | (4)."],
    "if a < b:\n    return": ["If a < b:", "  This thread ends here."],
    "if a:\n    x[0] = 1\nelif b & 2 == 2:\n    x[0] = 2\nelse:\n    x[0] = 3": [
        "If a:", "  Write 1 to x[0].", "Otherwise, if (b & 2) == 2:", "  Write 2 to x[0].", "Otherwise:", "  Write 3 to x[0].",
    ],
    "s = float(0.0)\nfor k in range(n):\n    s += x[k]\ny[i] = s": [
        "Let s = the sum of x[k], over k from 0 to n - 1.", "Write s to y[i].",
    ],
    "c = int(0)\nfor k in range(2, n):\n    if x[k] > 0.0:\n        c += 1\ny[i] = c": [
        "Let c = the number of iterations over k from 2 to n - 1, where x[k] > 0.0.", "Write c to y[i].",
    ],
    "s = float(1.0)\nfor k in range(3):\n    s += x[k]\ny[i] = s": [
        "Start with s = 1.0.", "For k from 0 to 2:", "  Add x[k] to s.", "Write s to y[i].",
    ],
    "s = float(0.0)\nfor k in range(0, n, 2):\n    s += s * x[k]\ny[i] = s": [
        "Start with s = 0.0.", "For k from 0 to before n in steps of 2:", "  Add s * x[k] to s.", "Write s to y[i].",
    ],
    "while wp.bvh_query_next(q, item):\n    if item == i:\n        continue\n    break": [
        "While bvh_query_next(q, item):", "  If item == i:", "    Go on with the next iteration.", "  Leave the loop.",
    ],
    "return wp.max(x, wp.float64(0.5)) * wp.static(SCALE)": ["The result is max(x, 0.5) * SCALE."],
    "v[1] = type(x)(2.0) * float(n)": ["Write 2.0 * float(n) to v[1]."],
}  # fmt: skip


@pytest.mark.parametrize("code", SENTENCES)
def test_statements_are_sentences(code: str) -> None:
    lines = rule_lines(ast.parse(code).body)
    assert [line.replace("- ", "", 1) for line in lines] == SENTENCES[code]
