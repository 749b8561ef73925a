"""Shuffles, votes, matches and reductions of a warp against NumPy, for all lanes, widths and masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simt.handwritten import NO_RACES, kernel, run
from warpsmith.simt import Module, compile_ptx

LANES = np.arange(32)
VALUES = np.random.default_rng(7).integers(0, 2**32, 32, dtype=np.uint32)
SOURCE = r"""
__global__ void shuffle(const unsigned* x, unsigned* y, int mode, int by, int width) {
    unsigned i = threadIdx.x, v = x[i];
    y[i] = mode == 0 ? __shfl_up_sync(~0u, v, by, width) : mode == 1 ? __shfl_down_sync(~0u, v, by, width)
         : mode == 2 ? __shfl_xor_sync(~0u, v, by, width) : __shfl_sync(~0u, v, by, width);
}
__global__ void groups(const unsigned* x, const unsigned* masks, unsigned* y) {
    unsigned i = threadIdx.x, v = x[i], mask = masks[i];
    y[i] = __ballot_sync(mask, v & 1);
    y[32 + i] = __any_sync(mask, v & 1);
    y[64 + i] = __all_sync(mask, v & 1);
    y[96 + i] = __reduce_add_sync(mask, v);
    y[128 + i] = __reduce_min_sync(mask, (int)v);
    y[160 + i] = __reduce_max_sync(mask, v);
    y[192 + i] = __reduce_and_sync(mask, v);
    y[224 + i] = __reduce_or_sync(mask, v);
    y[256 + i] = __reduce_xor_sync(mask, v);
    y[288 + i] = __match_any_sync(mask, v & 3);
    int agreed;
    y[320 + i] = __match_all_sync(mask, v >> 31, &agreed);
    y[352 + i] = agreed;
    y[384 + i] = __activemask();
}
__global__ void divergent(const unsigned* x, unsigned* y) {
    unsigned i = threadIdx.x;
    if (i % 3 == 0) y[i] = __reduce_add_sync(0x49249249, x[i]);
    else if (i % 3 == 1) y[i] = __reduce_add_sync(0x92492492, x[i]);
    else y[i] = __reduce_add_sync(0x24924924, x[i]);
}
"""


@pytest.fixture(scope="module")
def module() -> Module:
    return Module(compile_ptx(SOURCE))


def test_shuffles(module: Module) -> None:
    for width in (1, 2, 4, 8, 16, 32):
        first = LANES // width * width
        for by in (0, 1, 2, 3, 5, 8, 16, 31):
            sources = (LANES - by, LANES + by, LANES ^ by, first + by % width)
            inside = (
                sources[0] >= first, sources[1] < first + width, sources[2] < first + width, np.full(32, True)
            )  # fmt: skip
            for mode in range(4):
                expected = VALUES[np.where(inside[mode], sources[mode], LANES) % 32]
                got = module.launch("shuffle", 1, 32, [VALUES, np.zeros(32, np.uint32), mode, by, width], checks=NO_RACES)
                assert got.findings == ()
                np.testing.assert_array_equal(got.arrays[1], expected, f"mode {mode} by {by} of {width}")


PARTITIONS = {
    "one": np.full(32, 0xFFFFFFFF),
    "halves": np.where(LANES < 16, 0xFFFF, 0xFFFF0000),
    "pairs": 3 << (LANES & 30),
    "alone": 1 << LANES,
    "odd": np.where(LANES % 2, 0xAAAAAAAA, 0x55555555),
}


@pytest.mark.parametrize("name", PARTITIONS)
def test_groups(module: Module, name: str) -> None:
    masks = PARTITIONS[name].astype(np.uint32)
    result = module.launch("groups", 1, 32, [VALUES, masks, np.zeros(416, np.uint32)])
    assert result.findings == ()
    for lane in LANES:
        group = [k for k in LANES if masks[lane] >> k & 1]
        values = VALUES[group]
        same = sum(1 << k for k in group if VALUES[k] & 3 == VALUES[lane] & 3)
        equal = len(set(values >> 31)) == 1
        expected = [
            sum(1 << k for k in group if VALUES[k] & 1), any(values & 1), all(values & 1), values.sum(dtype=np.uint32),
            values.view(np.int32).min().view(np.uint32), values.max(), np.bitwise_and.reduce(values),
            np.bitwise_or.reduce(values), np.bitwise_xor.reduce(values), same, masks[lane] if equal else 0, equal, 0xFFFFFFFF,
        ]  # fmt: skip
        assert [int(value) for value in result.arrays[2][lane::32]] == [int(value) for value in expected], lane


def test_groups_of_divergent_branches(module: Module) -> None:
    result = module.launch("divergent", 1, 32, [VALUES, np.zeros(32, np.uint32)])
    assert result.findings == ()
    sums = [VALUES[rest::3].sum(dtype=np.uint32) for rest in range(3)]
    assert list(result.arrays[1]) == [sums[lane % 3] for lane in LANES]


def shuffled(body: str) -> Any:
    return run(kernel(f"{body}\nst.global.u32 [%rd2], %r9;"), 32)


def test_a_lane_that_is_absent() -> None:
    body = "setp.eq.u32 %p1, %r0, 3;\n@%p1 exit;\nadd.u32 %r1, %r0, 1;\nshfl.sync.idx.b32 %r9, %r0, 3, 31, -9;"
    result = shuffled(body)
    assert [finding.kind for finding in result.findings] == ["absent_lane"]
    assert result.findings[0].thread[0] == 0
    assert "lane 3" in result.findings[0].message


def test_the_value_of_an_absent_lane_depends_on_the_order_of_threads() -> None:
    body = "mov.u32 %r9, 0;\nsetp.gt.u32 %p1, %r0, 15;\n@%p1 bra END;\nshfl.sync.bfly.b32 %r9, %r0, 16, 31, 0xffff;\nEND:"
    text = kernel(f"{body}\nst.global.u32 [%rd2], %r9;")
    plain, reverse = (run(text, 32, reverse=reverse) for reverse in (False, True))
    assert [finding.kind for finding in plain.findings] == ["absent_lane"]
    assert "reads an undefined value from lane 16" in plain.findings[0].message
    assert (plain.arrays[0][:16] != reverse.arrays[0][:16]).all()
    assert (plain.arrays[0][16:] == reverse.arrays[0][16:]).all()


def test_a_missing_lane_is_more_than_an_undefined_value() -> None:
    """The second shuffle at a place waits for lanes that do not come, the first one only reads a value of one."""
    body = "setp.gt.u32 %p1, %r0, 15;\n@%p1 exit;\nmov.u32 %r1, 0;\nmov.u32 %r2, 0xffff;\nAGAIN:\n"
    body += "shfl.sync.bfly.b32 %r9, %r0, 16, 31, %r2;\nsetp.ne.u32 %p2, %r1, 0;\n@%p2 bra END;\nmov.u32 %r1, 1;\n"
    body += "setp.lt.u32 %p3, %r0, 8;\n@!%p3 bra END;\nbra AGAIN;\nEND:"
    result = shuffled(body)
    assert [finding.kind for finding in result.findings] == ["absent_lane"]
    assert "an exchange within a warp needs lane 8" in result.findings[0].message


def test_a_lane_outside_its_own_mask() -> None:
    result = shuffled("shfl.sync.idx.b32 %r9, %r0, 3, 31, 0xf;")
    assert "absent_lane" in [finding.kind for finding in result.findings]
    assert result.completed


def test_valid_predicate_of_a_shuffle() -> None:
    body = "shfl.sync.up.b32 %r8|%p1, %r0, 4, 0, -1; selp.u32 %r9, %r8, 99, %p1;"
    assert list(shuffled(body).arrays[0][:32]) == [99] * 4 + list(range(28))


def test_election() -> None:
    body = "elect.sync %r8|%p1, -1; selp.u32 %r9, 1, %r8, %p1;"
    assert list(shuffled(body).arrays[0][:32]) == [1] + [0] * 31
