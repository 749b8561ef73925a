"""Bodies of kernels near those of `correct` and `incorrect`: each loop, update and use of the result, combined.

Whether an adjoint is correct is measured, not known: `truth` compares the gradient of `wp.Tape` with central differences of
each element, for the same kernel with arrays of float64.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import warp as wp

LOOPS = {
    "dynamic": "for k in range(n):",
    "static": "for k in range(4):",
    "from one": "for k in range(1, n):",
    "backwards": "for k in range(n, 0, -1):",
    "in steps": "for k in range(0, n, 2):",
    "long": "for k in range(20):",
    "while": "while k < n:",
}
UPDATES = {
    "sum": "s = s + e",
    "product": "s = s * e",
    "decay": "s = s * 0.5 + e",
    "Horner": "s = s * x[i] + e",
    "alternating": "s = e - s",
    "maximum": "s = wp.max(s, e)",
    "growth": "s = s + e * s",
    "sine": "s = wp.sin(s) + e",
    "branch": "if e > 1.0:\n        s = s + e * e",
    "local name": "t = e * e\n    s = s + t",
}
USES = {"stored": "s", "squared": "s * s", "times an input": "s * x[i]"}

ELEMENTS = ("xx[i, k % 5]", "xx[i, k % 5] * x[i]")
ROWS, COLUMNS, COUNT = 64, 5, 4

STEP = 1.0e-5
EXACT = 1.0e-6
"""The relative error up to which an element of a gradient is correct; elements at a bend have a larger one between steps."""


def bodies() -> dict[str, str]:
    """Return the bodies of all probes by name."""
    combined = enumerate(product(LOOPS, UPDATES, USES))
    return {", ".join(keys): _body(*keys, ELEMENTS[number % len(ELEMENTS)]) for number, keys in combined}


def _body(loop: str, update: str, use: str, element: str) -> str:
    changed = re.sub(r"\be\b", element, UPDATES[update])
    counter = (["k = int(0)"], ["    k += 1"]) if loop == "while" else ([], [])
    return "\n".join(["s = float(1.0)", *counter[0], LOOPS[loop], f"    {changed}", *counter[1], f"out[i] = {USES[use]}"])


def truth(bodies: Mapping[str, str], folder: Path) -> dict[str, bool]:
    """Return for each kernel whether its gradient is correct.

    Args:
        bodies: the bodies of the kernels by name.
        folder: the folder to write a module in.
    """
    file = folder / "probes_in_float64.py"
    kernels = (_in_float64(f"k{number}", body) for number, body in enumerate(bodies.values()))
    file.write_text("import warp as wp\n" + "".join(kernels), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: _is_correct(getattr(module, f"k{number}")) for number, name in enumerate(bodies)}


def _in_float64(name: str, body: str) -> str:
    body = re.sub(r"(?<![\w.])\d+\.\d+", lambda match: f"wp.float64({match[0]})", body.replace("float(1.0)", "1.0"))
    indented = "".join(f"    {line}\n" for line in body.split("\n"))
    arrays = "x: wp.array(dtype=wp.float64), xx: wp.array2d(dtype=wp.float64), n: int, out: wp.array(dtype=wp.float64)"
    return f"\n\n@wp.kernel\ndef {name}({arrays}):\n    i = wp.tid()\n{indented}"


def _is_correct(kernel: Any) -> bool:
    """Compare the gradient with central differences of each element: a row of the inputs determines one output."""
    random = np.random.default_rng(7)
    point = random.uniform(0.5, 1.5, (ROWS, 1 + COLUMNS))
    gradient = _gradient(kernel, point)
    for column in range(1 + COLUMNS):
        move = np.zeros_like(point)
        move[:, column] = 1.0
        whole, half = (
            (_outputs(kernel, point + step * move) - _outputs(kernel, point - step * move)) / (2.0 * step)
            for step in (STEP, STEP / 2.0)
        )
        scale = np.maximum(np.abs(half), 1.0)
        smooth = np.abs(whole - half) < EXACT * scale
        assert smooth.mean() > 0.5
        if np.any(np.abs(gradient[:, column] - half)[smooth] > 10.0 * EXACT * scale[smooth]):
            return False
    return True


def _arguments(point: Any) -> list[Any]:
    x, xx = (wp.array(one, dtype=wp.float64, device="cpu", requires_grad=True) for one in (point[:, 0], point[:, 1:]))
    return [x, xx, COUNT, wp.zeros(ROWS, dtype=wp.float64, device="cpu", requires_grad=True)]


def _outputs(kernel: Any, point: Any) -> Any:
    arguments = _arguments(point)
    wp.launch(kernel, ROWS, inputs=arguments, device="cpu")
    return arguments[-1].numpy()


def _gradient(kernel: Any, point: Any) -> Any:
    arguments = _arguments(point)
    with wp.Tape() as tape:
        wp.launch(kernel, ROWS, inputs=arguments, device="cpu")
    arguments[-1].grad.fill_(1.0)
    tape.backward()
    return np.column_stack([arguments[0].grad.numpy(), arguments[1].grad.numpy()])
