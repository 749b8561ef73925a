"""Mutants that random inputs tell from the original, and mutants that no input can tell."""

from __future__ import annotations

from pathlib import Path

import pytest
import warp as wp

from mutants.agreement import agrees
from mutants.mutate import Mutant, mutants
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel

SOURCE = """import warp as wp


@wp.kernel
def k(x: wp.array(dtype=float), a: float, n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    if i >= n:
        return
    shifted = x[i] - (x[i] - 0.5)
    bounded = wp.clamp(x[i] * x[i], -2.0, 9.0)
    if bounded > 8.0:
        bounded = wp.sin(a)
    if x[i] >= 1.25:
        bounded = 3.0 * wp.cos(a)
    out[i] = shifted * a + wp.exp(x[i]) + 0.00001 * wp.tanh(x[i]) + bounded
"""

COUNT = 40

LAUNCH = Launch(
    dim=(COUNT,),
    args=(
        Argument(
            name="x",
            kind="array",
            dtype="float32",
            role="input",
            shape=(COUNT,),
            domain=Domain(kind="uniform", low=-2.0, high=2.0),
        ),
        Argument(
            name="a", kind="value", dtype="float32", role="input", shape=(), domain=Domain(kind="uniform", low=0.1, high=0.9)
        ),
        Argument(
            name="n", kind="value", dtype="int32", role="input", shape=(), domain=Domain(kind="fill", low=COUNT, high=COUNT)
        ),
        Argument(
            name="out",
            kind="array",
            dtype="float32",
            role="output",
            shape=(COUNT,),
            domain=Domain(kind="fill", low=0.0, high=0.0),
        ),
    ),
)


@pytest.fixture(scope="module")
def pair() -> Pair:
    with loaded_kernel(SOURCE) as kernel:
        ir = extract_ir(kernel, "both", True)
    return Pair.from_ir(
        ir, identity="k", python_source=SOURCE, category="test", warp_version=wp.__version__, generator_version="1",
        launch=LAUNCH, description="A test.",
    )  # fmt: skip


def mutant(pair: Pair, family: str, before: str, after: str) -> Mutant:
    """Return the mutant of a line that changes to one that starts and ends with the parts of ``after``."""
    start, _, end = after.partition("…")
    found = [
        one
        for one in mutants(pair, (family,))
        if before in one.before and (one.after or "").startswith(start) and (one.after or "").endswith(end)
    ]
    assert found, [one for one in mutants(pair, (family,)) if before in one.before]
    return found[0]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("family", "before", "after", "expected"),
    [
        ("forward", "= -2.0;", "const…", True),  # no input reaches the bound
        ("forward", "wp::sin(", "var_…", True),  # no input takes the branch
        ("forward", "wp::exp(", "var_…", False),
        ("forward", "wp::array_store(var_out", "wp::atomic_add(…", False),  # outputs contain something
        ("forward", "if (", "if (false…", False),  # launches are wider than the arrays
        ("forward", " > ", "var_…", True),  # both sides are equal for no input
        ("forward", ">= var_n", "var_…", False),  # the thread beyond the end
        ("forward", "var_23 = (", "var_…", False),  # equal operands are planted
        ("forward", "wp::tanh(", "var_…", True),  # less than a ten-thousandth of the sum
        ("forward", "wp::exp(", "var_…wp::float16(wp::exp(var_32)));", False),  # half precision, which double hides
        ("backward", "wp::adj_sin(", "", True),  # no input takes the branch
        ("backward", "wp::adj_exp(", "", False),
    ],
)
def test_what_random_inputs_tell(
    pair: Pair, scratch: Path, monkeypatch: pytest.MonkeyPatch, family: str, before: str, after: str, expected: bool
) -> None:
    monkeypatch.setattr("mutants.agreement.INPUTS", 4_000)
    assert agrees(pair, mutant(pair, family, before, after), scratch) is expected
