"""Types of host code are those of the values that Python has; functions that launch kernels keep what is launched."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

import numpy as np
import pytest
import warp as wp

from warpsmith.synthesis.programs.host_launchers import Launchers
from warpsmith.synthesis.programs.host_sections import HostSections, Parameter
from warpsmith.synthesis.programs.host_signatures import Signatures
from warpsmith.synthesis.programs.host_types import TypeReader
from warpsmith.synthesis.programs.program_key import ProgramKey
from warpsmith.synthesis.programs.program_style import ProgramStyle, choose_program_style
from warpsmith.synthesis.programs.program_writer import write_program
from warpsmith.synthesis.random_stream import RandomStream

STATEMENTS = """
n = 6
dt = 0.5 / n
half = n // 2
rng = np.random.default_rng(n)
a = rng.uniform(0.0, 1.0, n)
b = rng.normal(size=(n, 3)) * dt + 1
c = np.where(a > 0.5, a, 0.0).astype(np.float32)
d = b[:, 0]
e = b[0, 0]
rows, cols = np.mgrid[0:2, 0:3]
x = wp.array(c, dtype=float, device="cpu")
y = wp.zeros_like(x)
z = x.numpy()
size = x.size
first = x.shape[0]
near = a < 0.5
few = n < 5
history = []
history.append(float(dt))
last = history[-1]
names = [i * 2 for i in range(n)]
pair = (x, dt)
total = b.sum(axis=1)
scalar = b.sum()
for i in range(3):
    half += i
both = 1
both = x
"""
"""Statements whose values show what their types are."""

KERNELS = '''kernel push(x: [vec3], grid: [[float]], by: float, y: [vec3]):
    """Push."""
    i = wp.tid()
    x[i] = x[i] * by
    y[i] = x[i] * grid[i, 0]'''


@pytest.fixture
def style() -> ProgramStyle:
    chosen = choose_program_style(RandomStream("signatures"))
    return replace(
        chosen, hints=True, validate=True, joined_checks=False, launcher="launch", device="argument", default="if",
        early_return=True, contiguous=True, typed_arrays=False, method_docs=True, argument_docs=True,
    )  # fmt: skip


def test_types_are_those_of_the_values() -> None:
    reader = TypeReader({}, {})
    reader.read(ast.parse(STATEMENTS).body)
    values: dict[str, object] = {"np": np, "wp": wp}
    exec(STATEMENTS, values)  # noqa: S102
    classes = {
        "wp.array": wp.array, "np.ndarray": np.ndarray, "np.random.Generator": np.random.Generator, "int": int, "float": float,
        "bool": bool, "list[float]": list, "list[int]": list, "tuple[wp.array, float]": tuple,
    }  # fmt: skip
    for name, kind in reader.types.items():
        assert isinstance(values[name], classes[kind]), (name, kind)
    assert {"both", "scalar", "e"}.isdisjoint(reader.types), "no type is certain"
    assert set("n dt half rng a b c d rows cols x y z size first near few history last names pair total".split()) <= set(
        reader.types
    )


def test_launches_become_calls_of_annotated_functions(style: ProgramStyle) -> None:
    launch = "wp.launch(push, dim=n, inputs=[p, image, 0.5 * dt], outputs=[q])"
    launchers = Launchers(KERNELS, "n = 4", [launch], style)
    assert launchers.rewritten(f"    {launch}") == "    launch_push(p, image, 0.5 * dt, q, n, device=device)"
    (function,) = launchers.definitions(lambda text: text)
    assert (
        function
        == '''def launch_push(x: wp.array, grid: wp.array, by: float, y: wp.array, dim: int, device: str | None = None) -> None:
    """Push."""
    if grid.ndim != 2:
        raise ValueError(f"grid must have two dimensions, got {grid.ndim}")
    if x.shape[0] == 0:
        return
    if not grid.is_contiguous:
        grid = grid.contiguous()
    if device is None:
        device = str(x.device)
    wp.launch(push, dim=dim, inputs=[x, grid, by], outputs=[y])'''
    )


@pytest.mark.parametrize(
    "launch",
    [
        "wp.launch(push, dim=n, inputs=[p, image], outputs=[q])",  # an argument is missing
        "wp.launch(push, dim=n, inputs=[p, image, 0.5], outputs=[q], block_dim=64)",
        "wp.launch(other, dim=n, inputs=[p])",
    ],
)
def test_unusual_launches_stay(launch: str, style: ProgramStyle) -> None:
    assert Launchers(KERNELS, "n = 4", [launch], style).rewritten(launch) == launch


def test_checks_accept_the_values_of_the_program(style: ProgramStyle) -> None:
    parameters = [Parameter("n", "4", "number of cells"), Parameter("dt", "0.5", "step"), Parameter("shift", "-1.0", "shift")]
    sections = HostSections(tuple(parameters), "x = wp.zeros(n, dtype=float)", "", "", "", "")
    signatures = Signatures(sections, "def f(a):\n    return a * 2", style)
    checks = signatures.checks(parameters)
    assert "shift" not in checks
    exec(checks, {"n": 4, "dt": 0.5})  # noqa: S102
    with pytest.raises(ValueError, match="n must be positive, got 0"):
        exec(checks, {"n": 0, "dt": 0.5})  # noqa: S102
    assert signatures.result(["x", "n"]) == " -> tuple[wp.array, int]"
    assert signatures.result([]) == " -> None"
    assert "dt: Step." in signatures.described(parameters, device=False)


def test_functions_are_annotated_by_their_calls(style: ProgramStyle) -> None:
    helper = "def scaled(values, factor):\n    return values * factor"
    sections = HostSections((), "a = np.zeros(4)\nb = scaled(a, 2.0)", "", "", "", "")
    assert (
        Signatures(sections, helper, style)
        .helpers(helper)
        .startswith("def scaled(values: np.ndarray, factor: float) -> np.ndarray:")
    )


def test_programs_have_these_forms() -> None:
    sources = [write_program(ProgramKey(2, index)).source for index in range(120)]
    for form in (
        r"-> None:",
        r"device: str \| None = None",
        r"raise ValueError\(f",
        r"Args:\n",
        r"-> tuple\[",
        r"^        return$",
    ):
        assert sum(re.search(form, source, re.MULTILINE) is not None for source in sources) >= 2, form
