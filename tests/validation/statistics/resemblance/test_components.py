"""Components join statements between which a local value flows."""

from __future__ import annotations

import ast
import textwrap

import pytest

from warpsmith.validation.statistics.resemblance.components import component_count

PROGRAMS = {
    # statements: the number of their components
    "unrelated stores": ("y[i] = x[i]\nz[i] = 2.0 * x[i]", 2),
    "the thread index does not join": ("i = wp.tid()\na = x[i]\ny[i] = a\nb = z[i]\nw[i] = b", 2),
    "two thread indices do not join": ("i, j = wp.tid()\ny[i] = x[i]\nz[j] = x[j]", 2),
    "a derived index joins": ("i = wp.tid()\nk = idx[i]\ny[k] = x[k]\nz[k] = x[k]", 1),
    "bare early exits are no nodes": ("i = wp.tid()\nif i >= n:\n    return\nif m[i] == 0:\n    return\ny[i] = 1.0", 1),
    "an early exit by a value does not join": ("a = x[i]\nb = x[j]\nif a > b:\n    return\ny[i] = a\nz[i] = b", 2),
    "a branch contains its statements": ("if n > 0:\n    y[i] = x[i]\n    z[i] = x[i]", 1),
    "a test joins": ("a = x[i]\nif a > 0.0:\n    y[i] = 1.0\nz[i] = 2.0", 2),
    "a loop carries a sum": ("s = float(0.0)\nfor k in range(n):\n    s += x[k]\ny[i] = s", 1),
    "a loop variable joins": ("for k in range(n):\n    y[k] = 1.0\n    z[k] = 2.0", 1),
    "an assignment replaces a value": ("a = x[i]\ny[i] = a\na = x[j]\nz[i] = a", 2),
    "an assignment in a branch may replace a value": ("a = x[i]\nif n > 0:\n    a = 2.0\ny[i] = a", 1),
    "both branches replace a value": ("a = x[i]\nz[i] = a\nif n > 0:\n    a = 1.0\nelse:\n    a = 2.0\ny[i] = a", 2),
    "a component of a local value is stored": ("v = wp.vec3()\nv[0] = x[i]\nv.y = x[j]\ny[i] = v", 1),
    "an element of an argument is no local value": ("y[i] = x[i]\ny[j] = z[i]\nw[i] = y[i]", 3),
    "an atomic operation is a store": ("a = x[i]\nwp.atomic_add(y, 0, a)\nwp.atomic_add(z, 0, 1)", 2),
    "values of a tuple": ("a, b = f(x[i])\ny[i] = a\nz[i] = b", 1),
    "nothing": ("i = wp.tid()", 0),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_components(name: str) -> None:
    source, components = PROGRAMS[name]
    assert component_count(ast.parse(textwrap.dedent(source)).body) == components
