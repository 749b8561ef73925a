"""The pair that the tests of scoring ask about: a bounds check, a product, and a sum of several threads."""

from __future__ import annotations

import warp as wp

from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel

LENGTH = 300
"""The length of the arrays: more than one block, and no multiple of the size of a block."""

SOURCE = """import warp as wp


@wp.kernel
def shift(
    x: wp.array(dtype=float), bins: wp.array(dtype=int), k: float, n: int, y: wp.array(dtype=float), sums: wp.array(dtype=float)
):
    i = wp.tid()
    if i >= n:
        return
    y[i] = k * x[i] * x[i] + 1.0
    wp.atomic_add(sums, bins[i], x[i])
"""


def _argument(
    name: str, kind: str, dtype: str, role: str, shape: tuple[int, ...], domain: tuple[str, float, float]
) -> Argument:
    bounds = Domain(kind=domain[0], low=domain[1], high=domain[2])  # type: ignore[arg-type]
    return Argument(name=name, kind=kind, dtype=dtype, role=role, shape=shape, domain=bounds)  # type: ignore[arg-type]


def make_pair(length: int = LENGTH) -> Pair:
    """Return the pair, with arrays of a length."""
    launch = Launch(
        dim=(length,),
        args=(
            _argument("x", "array", "float32", "input", (length,), ("uniform", -1.0, 1.0)),
            _argument("bins", "array", "int32", "input", (length,), ("uniform", 0, 7)),
            _argument("k", "value", "float32", "input", (), ("uniform", 0.5, 2.0)),
            _argument("n", "value", "int32", "input", (), ("fill", length, length)),
            _argument("y", "array", "float32", "output", (length,), ("fill", 0.0, 0.0)),
            _argument("sums", "array", "float32", "inout", (8,), ("fill", 0.0, 0.0)),
        ),
    )
    with loaded_kernel(SOURCE, "shift") as kernel:
        ir = extract_ir(kernel, "both", include_backward=True)
    return Pair.from_ir(
        ir, identity="cheats", python_source=SOURCE, category="test", warp_version=str(wp.__version__), generator_version="1",
        launch=launch, description="A test.",
    )  # fmt: skip
