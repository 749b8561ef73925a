"""The plain Python of a dry run agrees with Warp: every builtin, and generated kernels of every category."""

from __future__ import annotations

import importlib.util
import itertools
import math
import re
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import warp as wp

from synthesis.writing.dry_run.stand_ins import SEED, array, run_stand_in
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.language.builtins.registry import ROWS
from warpsmith.synthesis.language.nodes import Apply, Const, Expr
from warpsmith.synthesis.language.overloads import signatures
from warpsmith.synthesis.language.render import render_expression
from warpsmith.synthesis.language.terms import construct
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, MAT44, MATRICES, VECTORS, Type
from warpsmith.synthesis.production.plan import chosen_categories
from warpsmith.synthesis.writing.generate import write_kernel

POSITIVE = ("mod", "floordiv")
"""Operators that Python and C round differently for a negative left side, which is rare in kernels."""

NOT_WRITTEN = {("div", (INT, INT))}
"""Kernels do not divide integers with ``/``, which C rounds and Python does not."""

KERNELS = (0, 2, 4, 6, 9, 15, 18, 21, 41, 47, 83)
"""Generated kernels, at least one of each category, that are also launched."""


_SHARES = ((0.45, 0.1, 0.9), (0.15, 0.85, 0.4), (0.9, 0.3, 0.6))
"""The first position of each argument in its domain: within the bounds of a clamp, between the edges of a step, beyond them."""


def numbers(key: str, position: int, turn: int) -> Iterator[float]:
    """Yield moderate numbers from the domain of an argument, which differ between turns."""
    low, high = ROWS[key].domains[position]
    low, high = max(low, 0.5 if key in POSITIVE else -3.0), min(high, 3.0)
    for step in itertools.count():
        share = math.fmod(_SHARES[turn][position] + 0.6180339 * step, 1.0)
        yield round(low + share * (high - low), 3)


def argument_of(key: str, position: int, dtype: Type, turn: int) -> Expr:
    given = numbers(key, position, turn)
    if dtype is BOOL:
        return Const(turn % 2 == 0, BOOL)
    if dtype is INT:
        return Const(round(next(given)) or 1, INT)
    if dtype is FLOAT:
        return Const(next(given), FLOAT)
    return construct(dtype, *(Const(next(given), FLOAT) for _ in range(math.prod(dtype.shape))))


DRY_RUN_TYPES = {BOOL, INT, FLOAT, *VECTORS, *MATRICES}
"""The types of kernels with a dry run; kernels with other types run in Warp only."""


def calls() -> Iterator[Apply]:
    """Yield each overload of each row: with three sets of numbers, or one set of vectors and matrices.

    Warp compiles four by four matrices slowly: only overloads that differ from those of smaller matrices use them.
    """
    for key in ROWS:
        for kinds, result in signatures(key).items():
            types = {*kinds, result}
            if not types <= DRY_RUN_TYPES:
                continue
            if (key, kinds) in NOT_WRITTEN or (MAT44 in types and key not in ("determinant", "inverse")):
                continue
            for turn in (0,) if any(dtype.shape for dtype in types) else (0, 1, 2):
                args = tuple(argument_of(key, position, dtype, turn) for position, dtype in enumerate(kinds))
                yield Apply(key, args, result, 0.0, 0.0)


def every_builtin() -> tuple[str, list[str]]:
    """Return a kernel that stores every component of `calls`, and a label for each element."""
    lines: list[str] = []
    held: list[str] = []
    for number, call in enumerate(calls()):
        shape = call.type.shape
        lines.append(f"v{number} = {render_expression(call)}")
        for place in np.ndindex(shape):
            part = f"v{number}[{', '.join(map(str, place))}]" if shape else f"float(v{number})"
            lines.append(f"everything[{len(held)}] = {part}")
            held.append(f"{part} of {render_expression(call)}")
    body = "\n".join(f"    {line}" for line in lines)
    return f"@wp.kernel\ndef every_builtin(everything: wp.array(dtype=float)):\n{body}\n", held


@pytest.fixture(scope="module")
def launched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return a function that launches kernels of one file, which Warp compiles once."""
    samples = [write_kernel(KernelKey(SEED, index)) for index in KERNELS]
    source, held = every_builtin()
    whole = "\n\n".join(["import warp as wp", source, *(sample.source for sample in samples)])
    names = re.findall(r"^def (\w+)|^([A-Z]\w*) = ", whole, re.MULTILINE)
    assert len(names) == len(set(names)), "kernels of one file need different names"
    path = tmp_path_factory.mktemp("launched") / "several.py"
    path.write_text(whole)
    spec = importlib.util.spec_from_file_location("warpsmith_several", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    wp.set_module_options({"enable_backward": False, "optimization_level": 0}, module)

    def launch(name: str, launch_of: Launch, identity: str) -> dict[str, np.ndarray[Any, Any]]:
        values = make_inputs(launch_of, identity)
        given = {
            one.name: wp.array(values[one.name], dtype=getattr(wp, one.dtype), device="cpu")
            if one.kind == "array"
            else getattr(wp, one.dtype)(*np.ravel(values[one.name]))
            for one in launch_of.args
        }
        wp.launch(getattr(module, name), dim=launch_of.dim, inputs=list(given.values()), device="cpu")
        return {
            one.name: given[one.name].numpy().reshape(math.prod(one.shape), -1) for one in launch_of.args if one.role != "input"
        }

    yield launch, samples, held
    sys.modules.pop(spec.name)


def test_every_builtin_agrees_with_warp(launched: Any) -> None:
    launch, _, held = launched
    launch_of = Launch(dim=(1,), args=(array("everything", "float32", (len(held),), -1.0e6, role="output"),))
    warps = launch("every_builtin", launch_of, "builtins")["everything"]
    ours = run_stand_in(f"import warp as wp\n\n\n{every_builtin()[0]}", "every_builtin", launch_of, "builtins")["everything"]
    assert np.isfinite(warps).all()
    pairs = zip(held, ours.flat, warps.flat, strict=True)
    assert [(what, one, other) for what, one, other in pairs if one != pytest.approx(other, 1.0e-3, 1.0e-5)] == []
    assert set(ROWS) == {call.key for call in calls()}


@pytest.mark.parametrize("position", range(len(KERNELS)), ids=map(str, KERNELS))
def test_generated_kernels_have_the_outputs_of_warp(launched: Any, position: int) -> None:
    launch, samples, _ = launched
    sample = samples[position]
    warps = launch(sample.kernel_name, sample.launch, sample.id)
    ours = run_stand_in(sample.source, sample.kernel_name, sample.launch, sample.id)
    assert ours.keys() == warps.keys() != set()
    for name, left in warps.items():
        np.testing.assert_allclose(ours[name], left, rtol=1.0e-3, atol=1.0e-4)


def test_launched_kernels_cover_every_category(launched: Any) -> None:
    _, samples, _ = launched
    assert {sample.category for sample in samples} == set(chosen_categories(["core"]))
    assert {"atomic_add", "func", "while", "array2d", "mat33f"} <= {
        feature for sample in samples for feature in sample.features
    }
