"""Kernels with tiles are launched in whole blocks, and level gradient finds adjoints that Warp does not implement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from selected import selected
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.levels.finding import Finding
from warpsmith.validation.running.launch_variants import launch_variants

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning"),
    pytest.mark.usefixtures("tile_headers"),
]

BLOCK = 32
OPTIONS = {"block_dim": BLOCK, "enable_mathdx_gemm": False, "enable_mathdx_solver": False, "enable_mathdx_fft": False}
HEAD = """import warp as wp


@wp.func
def pair(a: float, b: float):
    return wp.vec2(a, b)


@wp.kernel
def k(x: wp.array(dtype=float), y: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=32, offset=i * 32)
    u = wp.tile_load(y, shape=32, offset=i * 32)
"""
MATRICES = """    a = wp.tile_reshape(wp.tile_view(t, offset=(0,), shape=(16,)), shape=(4, 4))
    e = wp.tile_diag_add(wp.tile_zeros(shape=(4, 4), dtype=float), wp.tile_full(shape=4, value=float(8.0), dtype=float))
    s = a + wp.tile_transpose(a) + e
    b = wp.tile_view(u, offset=(0,), shape=(4,))
"""
SMALL = "    p = wp.tile_load(x, shape=8, offset=i * 32)\n"
ROWS = """    z = wp.tile_zeros(shape=(1, 32), dtype=wp.vec2)
    z += wp.tile_map(pair, wp.tile_reshape(t, shape=(1, 32)), wp.tile_reshape(u, shape=(1, 32)))
"""


def total(tile: str) -> str:
    """Return a statement that multiplies the result by the sum of a tile."""
    return f"    t = t * wp.tile_broadcast(wp.tile_sum({tile}), shape=(32,))\n"


RIGHT = {
    "a sum": total("t"),
    "a dot product": "    t = wp.tile_broadcast(wp.tile_dot(t, u), shape=(32,))\n",
    "a scaled sum in place": "    wp.tile_axpy(wp.tile_extract(u, 0), u, t)\n    t = t * t\n",
    "a part": total("wp.tile_view(t, offset=(8,), shape=(8,))"),
    "a gather": total("u[wp.tile_arange(0, 32, 4, dtype=int)]"),
    "a scan of constants": "    t = t * wp.tile_scan_inclusive(wp.tile_arange(0.0, 32.0, 1.0, dtype=float))\n",
    "a product of matrices": MATRICES + total("wp.tile_matmul(a, s)"),
    "a Cholesky factor": MATRICES + total("wp.tile_cholesky(s)"),
    "a lower triangle": MATRICES + total("wp.tile_lower_solve(wp.tile_cholesky(s), b)"),
    "a Fourier transform": ROWS + "    wp.tile_fft(z)\n" + total("wp.tile_map(wp.length_sq, z)"),
    "a transpose before another use": MATRICES + "    p = wp.tile_transpose(a)\n" + total("a * a + p"),
    "a number times a loaded tile that is smaller than the block": SMALL + total("p * wp.tile_extract(u, 1)"),
    "a branch on tiles in registers": "    if i > 0:\n        t = t * 3.0\n",
}
WRONG = {
    "a number times a tile that is smaller than the block": SMALL + total("wp.tile_map(wp.cos, p) * wp.tile_extract(u, 1)"),
    "a running sum": "    t = wp.tile_scan_inclusive(t)\n",
    "a running maximum": "    t = t + wp.tile_scan_max_inclusive(u)\n",
    "a maximum": total("wp.tile_max(u)"),
    "a reduction": total("wp.tile_reduce(wp.add, u)"),
    "a sort": "    wp.tile_sort(u, wp.tile_arange(32, dtype=int))\n    t = t * u\n",
    "a tile of one value": "    t = t + wp.tile_full(shape=32, value=wp.tile_extract(u, 1), dtype=float)\n",
    "a diagonal": MATRICES + total("wp.tile_diag_add(s, b)"),
    "an upper triangle": MATRICES + total("wp.tile_upper_solve(s, b)"),
    "a solution by Cholesky": MATRICES + total("wp.tile_cholesky_solve(wp.tile_cholesky(s), b)"),
    "a factor in place": MATRICES + "    wp.tile_cholesky_inplace(s)\n" + total("s"),
    "a branch on tiles in shared memory": "    if i > 0:\n        t = t * 3.0\n" + total("t[0:8]"),
    "a choice of tiles in shared memory": "    t = wp.where(i > 0, t, u)\n" + total("t[0:8]"),
    "a transpose after another use": MATRICES + total("a * a + wp.tile_transpose(a)"),
    "a tile that is changed after it was read": "    q = t * t\n    t += q\n",
}


@pytest.fixture(scope="module")
def findings(
    request: pytest.FixtureRequest, argument: Callable[..., Argument], pair_line: Callable[..., Line], run_levels: Any
) -> dict[str, Finding]:
    arrays = [argument(name, "float32", (96,), role="output" if name == "out" else "input") for name in ("x", "y", "out")]
    launch = Launch(dim=(3, BLOCK), args=tuple(arrays))
    end = "    wp.tile_store(out, t, offset=i * 32)\n"
    lines = {
        name: pair_line(HEAD + body + end, launch, identity=name, options=OPTIONS, number=number)
        for number, (name, body) in enumerate(selected(request, RIGHT | WRONG).items())
    }
    by_level = run_levels(list(lines.values()), "execute", "emulate", "gradient")
    assert {finding.status for level in ("execute", "emulate") for finding in by_level[level]} == {"pass"}
    return dict(zip(lines, by_level["gradient"], strict=True))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", RIGHT)
def test_a_correct_adjoint_of_tiles_passes(findings: dict[str, Finding], name: str) -> None:
    """A launch that is one thread wider would give each block threads of two tiles."""
    assert findings[name] == Finding("pass")


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", WRONG)
def test_an_adjoint_that_warp_does_not_implement_fails(findings: dict[str, Finding], name: str) -> None:
    assert findings[name].status == "fail"


@pytest.mark.parametrize(
    ("dim", "block", "wider"),
    [((8, 16), 0, (9, 17)), ((3, 32), 32, (4, 32)), ((3, 5, 64), 64, (4, 6, 64)), ((96,), 32, (128,)), ((32,), 32, (64,))],
)
def test_blocks_stay_whole(dim: tuple[int, ...], block: int, wider: tuple[int, ...]) -> None:
    dims = [launch.dim for launch, _ in launch_variants(Launch(dim=dim, args=()), "id", "", block)]
    assert dims == [dim, wider] * 6
