"""Statements of the family ``expression`` whose results Python's rules give: conditions, tuples, loops and slices."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a kernel.

    Attributes:
        text: the statements, which compute the number r; {e} is an expression, i the thread.
        result: the first element of ``iout`` by Python's rules.
        helper: the definition of a function.
    """

    text: str
    result: float | None = None
    helper: str = ""


STORE = (
    "@wp.func\ndef get(x: wp.array(dtype={T}), out2: wp.array2d(dtype={T}), i: int):\n    out2[i, 0] = x[i] * x[i]\n"
    "    return i > 5\n"
)
"""A function that stores a number and returns False."""

STATEMENTS = {
    # statement: its text for c = (1, 0, 1, 0, ...) and n = 3; c[0] stays, since an index of the family reads it
    "condition_compared": Statement(
        "if c[i * 2 + 2] == 1:\n    c[i * 2 + 2] = 0\n    iout[i] = 1\nelse:\n    iout[i] = 2\nr = {e}", 1
    ),
    "condition_changed": Statement(
        "if c[i * 2 + 2]:\n    c[i * 2 + 2] = 0\n    iout[i] = 1\nelse:\n    iout[i] = 2\nr = {e}", 1
    ),
    "exchange": Statement("p = int(c[0])\nq = int(c[1]) + 5\np, q = q, p\niout[i] = p * 10 + q\nr = {e}", 51),
    "exchange_in_loop": Statement(
        "p = int(c[0])\nq = int(c[1]) + 5\nfor _ in range(n):\n    p, q = q, p\niout[i] = p * 10 + q\nr = {e}", 51
    ),
    "sum_of_two_in_while": Statement(
        "q = int(c[0])\np = int(c[1])\nk = int(0)\nwhile k < n:\n    k += 1\n    p, q = q, p + q\n"
        "iout[i] = p * 10 + q\nr = {e}",
        23,
    ),
    "exchange_elements": Statement(
        "p, q = c[i * 2 + 2], c[i * 2 + 3]\nc[i * 2 + 2] = q\nc[i * 2 + 3] = p\niout[i] = c[i * 2 + 2] * 10 + c[i * 2 + 3]\nr = {e}",
        1,
    ),
    "elements_before_store": Statement(
        "p, q = c[i * 2 + 2], c[i * 2 + 3]\nc[i * 2 + 2] = 7\niout[i] = p * 10 + q\nr = {e}", 10
    ),
    "for_else": Statement("for k in range(n):\n    iout[i] = k\nelse:\n    iout[i] = 5\nr = {e}", 5),
    "static_for_else": Statement("for k in range(3):\n    iout[i] = k\nelse:\n    iout[i] = 5\nr = {e}", 5),
    "while_else": Statement("k = int(0)\nwhile k < n:\n    k += 1\nelse:\n    iout[i] = 5\nr = {e}", 5),
    "call_in_condition": Statement("if get(x, out2, i):\n    iout[i] = 1\nr = {e}", helper=STORE),
    "call_after_and": Statement("if n > 0 and get(x, out2, i):\n    iout[i] = 1\nr = {e}", helper=STORE),
    "call_after_or": Statement("if n > 7 or not get(x, out2, i):\n    iout[i] = 1\nr = {e}", 1, helper=STORE),
    "slice": Statement("p = {V}({T}(0.0), {T}(0.0), {T}(0.0))\np[1:3] = {W}({e}, y[1])\nr = p[1] + {T}(2.0) * p[2]"),
    "reversed_slice": Statement(
        "p = {V}({T}(0.0), {T}(0.0), {T}(0.0))\np[2:0:-1] = {W}({e}, y[1])\nr = p[1] + {T}(2.0) * p[2]"
    ),
    "from_bool": Statement("r = {e} * {T}(c[0] > 0)"),
    "to_bool": Statement("if wp.bool({e}):\n    iout[i] = 1\nr = {e}", 1),
}
"""The values of the axis ``statement``, apart from ``none``."""
