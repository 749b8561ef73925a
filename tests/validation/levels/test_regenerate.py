"""Tests of level `regenerate`: the same text again, whatever asked for no adjoint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from warpsmith.core.records.jsonl import Line
from warpsmith.extraction.warp.linked import compiled_before

TILES = {
    "tile_matmul": "    c = wp.tile_matmul(a, a)",
    "tile_matmul in place": "    c = wp.tile_zeros(shape=(4, 4), dtype=float)\n    wp.tile_matmul(a, a, c)",
    "tile_cholesky": "    c = wp.tile_cholesky(a)",
    "tile_cholesky_solve": "    c = wp.tile_cholesky_solve(wp.tile_cholesky(a), a)",
    "tile_lower_solve": "    c = wp.tile_lower_solve(a, a)",
    "tile_upper_solve": "    c = wp.tile_upper_solve(a, a)",
    "tile_fft": "    c = wp.tile_load(w, shape=(4, 4))\n    wp.tile_fft(c)",
    "tile_ifft": "    c = wp.tile_load(w, shape=(4, 4))\n    wp.tile_ifft(c)",
}
"""Builtins of tiles that call libmathdx, by a name for the test."""


class _Everything(dict[str, int]):
    """Functions of libmathdx, all of which count as compiled: their names are Warp's to choose."""

    def __bool__(self) -> bool:
        return True

    def __contains__(self, _: object) -> bool:
        return True


def _tile_kernel(decorator: str, body: str) -> str:
    dtype = "wp.vec2f" if "fft" in body else "float"
    return f"""import warp as wp

{decorator}
def solve(x: wp.array2d(dtype=float), w: wp.array2d(dtype={dtype}), y: wp.array2d(dtype={dtype})):
    a = wp.tile_load(x, shape=(4, 4))
{body}
    wp.tile_store(y, c)
"""


def _reasons(lines: list[Line], run_levels: Callable[..., Any]) -> list[str]:
    return [finding.reason for finding in run_levels(lines, "regenerate")["regenerate"]]


def test_tiles_of_kernels_without_an_adjoint_are_generated_again(
    pair_line: Callable[..., Line], run_levels: Callable[..., Any]
) -> None:
    with compiled_before(_Everything()):
        lines = [
            pair_line(_tile_kernel("@wp.kernel(enable_backward=False)", body), None, options={"block_dim": 2}, number=number)
            for number, body in enumerate(TILES.values())
        ]
    assert dict(zip(TILES, _reasons(lines, run_levels), strict=True)) == dict.fromkeys(TILES, "")


def test_it_does_not_matter_what_asks_for_no_adjoint(pair_line: Callable[..., Line], run_levels: Callable[..., Any]) -> None:
    with_option, without = {"block_dim": 4}, {"block_dim": 4, "enable_backward": False}
    with compiled_before(_Everything()):
        lines = [
            pair_line(_tile_kernel(decorator, TILES["tile_cholesky"]), None, options=options, backward=backward, number=number)
            for number, (decorator, options, backward) in enumerate(
                (
                    ("@wp.kernel", with_option, True),
                    ('@wp.kernel(enable_backward=False, module="unique")', with_option, True),
                    ("@wp.kernel", without, False),
                    ("@wp.kernel(enable_backward=False)", without, False),
                    ("@wp.kernel(enable_backward=True)", without, False),
                    ("@wp.kernel(enable_backward=True)", without, True),
                )
            )
        ]
    assert [line.pair.metadata.has_backward for line in lines if line.pair] == [True, False, False, False, False, True]
    assert _reasons(lines, run_levels) == [""] * 6
