"""Barrier objects in shared memory: phases, counts, transactions, copies that arrive, races and wrong uses."""

from __future__ import annotations

import numpy as np
import pytest

from warpsmith.simt import Module, Run, compile_ptx

HEAD = """
__shared__ __align__(8) unsigned long long object;
__device__ unsigned at() { return (unsigned)__cvta_generic_to_shared(&object); }
__device__ void start(unsigned count)
{
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at()), "r"(count) : "memory");
    __syncthreads();
}
__device__ unsigned long long arrive()
{
    unsigned long long token;
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];" : "=l"(token) : "r"(at()) : "memory");
    return token;
}
__device__ bool test(unsigned parity)
{
    unsigned done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(at()), "r"(parity) : "memory");
    return done;
}
__device__ void wait(unsigned long long token)
{
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2, 1000; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(at()), "l"(token) : "memory");
}
__device__ unsigned pending(unsigned long long token)
{
    unsigned count;
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
    return count;
}
#define OBJECT(text) asm volatile(text ::"r"(at()) : "memory")
"""


def run(body: str, threads: int = 32, *arguments: object, limit: int = 1_000_000, reverse: bool = False) -> Run:
    """Run a kernel whose first parameter is an array of 64 integers."""
    module = Module(compile_ptx(f"{HEAD}\n__global__ void k(int* y, const int* x)\n{{\n{body}\n}}\n"))
    values = arguments or (np.zeros(64, np.int32), np.arange(64, dtype=np.int32))
    return module.launch("k", 1, threads, list(values), limit=limit, reverse=reverse)


@pytest.mark.parametrize("reverse", [False, True])
def test_tokens_and_phases_order_work(reverse: bool) -> None:
    result = run(
        """
        __shared__ int values[64];
        start(64);
        int t = threadIdx.x, sum = 0;
        for (int round = 0; round < 3; round++) {
            values[t] = x[t] + round;
            wait(arrive());
            sum += values[63 - t];
            wait(arrive());
        }
        y[t] = sum;""",
        64,
        reverse=reverse,
    )
    assert not result.findings
    np.testing.assert_array_equal(result.arrays[0], 3 * (63 - np.arange(64)) + 3)


def test_lanes_of_a_warp_wait_for_each_other() -> None:
    result = run(
        """
        __shared__ int value;
        start(1);
        if (threadIdx.x == 0) {
            while (!test(0));
            y[0] = value;
        } else if (threadIdx.x == 1) {
            value = x[7];
            arrive();
        }"""
    )
    assert not result.findings
    assert result.arrays[0][0] == 7


def test_parity_of_phases() -> None:
    """The parity of the preceding phase is complete, that of the current one is not."""
    result = run("start(1); for (int k = 0; k < 3; k++) { y[2 * k] = test(0); y[2 * k + 1] = test(1); arrive(); }", 1)
    assert result.arrays[0][:6].tolist() == [0, 1, 1, 0, 0, 1]


def test_counts_of_arrivals() -> None:
    result = run(
        """
        start(5);
        unsigned long long token;
        y[0] = pending(arrive());
        asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 2;" : "=l"(token) : "r"(at()) : "memory");
        y[1] = pending(token);
        asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(token) : "r"(at()) : "memory");
        y[2] = pending(token);
        y[3] = test(0);
        arrive();
        y[4] = test(0);
        y[5] = pending(arrive());""",
        1,
    )
    assert not result.findings
    assert result.arrays[0][:6].tolist() == [5, 4, 2, 0, 1, 4]


def test_transactions_delay_a_phase() -> None:
    result = run(
        """
        start(1);
        unsigned long long token;
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], 64;" : "=l"(token) : "r"(at()) : "memory");
        y[0] = test(0);
        OBJECT("mbarrier.complete_tx.shared::cta.relaxed.cta.b64 [%0], 64;");
        y[1] = test(0);
        OBJECT("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 16;");
        arrive();
        y[2] = test(1);""",
        1,
    )
    assert not result.findings
    assert result.arrays[0][:3].tolist() == [0, 1, 0]


COPIES = """
    __shared__ int values[32];
    start(COUNT);
    unsigned target = (unsigned)__cvta_generic_to_shared(values + threadIdx.x);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(target), "l"(x + threadIdx.x) : "memory");
    OBJECT("cp.async.mbarrier.arriveNOINC.shared::cta.b64 [%0];");
    REST
    y[threadIdx.x] = values[31 - threadIdx.x];"""


@pytest.mark.parametrize(
    ("count", "noinc", "rest"), [("32", ".noinc", "while (!test(0));"), ("32", "", "wait(arrive());"), ("32", ".noinc", "")]
)
def test_copies_arrive(count: str, noinc: str, rest: str) -> None:
    result = run(COPIES.replace("COUNT", count).replace("NOINC", noinc).replace("REST", rest))
    assert {finding.kind for finding in result.findings} == (set() if rest else {"shared_race"})
    np.testing.assert_array_equal(result.arrays[0][:32], 31 - np.arange(32))


def test_an_arrival_alone_orders_nothing() -> None:
    body = "start(64); values[threadIdx.x] = x[threadIdx.x]; arrive(); y[threadIdx.x] = values[63 - threadIdx.x];"
    result = run(f"__shared__ int values[64]; {body}", 64)
    assert {finding.kind for finding in result.findings} == {"shared_race", "unwritten_shared"}


def test_relaxed_arrivals_order_nothing() -> None:
    body = """
        __shared__ int value;
        start(1);
        if (threadIdx.x == 0) {
            value = x[1];
            OBJECT("{ .reg .b64 t; mbarrier.arrive.SEMANTICS.cta.shared::cta.b64 t, [%0]; }");
        }
        if (threadIdx.x == 32) {
            while (!test(0));
            y[0] = value;
        }"""
    assert not run(body.replace("SEMANTICS", "release"), 64).findings
    assert [finding.kind for finding in run(body.replace("SEMANTICS", "relaxed"), 64).findings] == ["shared_race"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("object = 5; arrive();", "contains no barrier"),
        ("start(0);", "count"),
        ("start(1 << 20);", "count"),
        ("start(2); OBJECT(\"{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0], 3; }\");", "count"),
        ("start(1); OBJECT(\"{ .reg .b64 t; mbarrier.arrive.noComplete.shared.b64 t, [%0], 1; }\");", "count"),
        ("start(1); OBJECT(\"mbarrier.inval.shared.b64 [%0];\"); arrive();", "contains no barrier"),
        (
            "asm volatile(\"mbarrier.init.b64 [%0], 1;\" ::\"l\"(y) : \"memory\");",
            "contains no barrier",
        ),
    ],
)  # fmt: skip
def test_wrong_uses(body: str, message: str) -> None:
    result = run(body, 1)
    assert result.findings[-1].kind == "invalid"
    assert message in result.findings[-1].message
    assert not result.completed


def test_barriers_without_initialization_are_found() -> None:
    result = run("arrive();", 1)
    assert [finding.kind for finding in result.findings] == ["unwritten_shared", "invalid"]


def test_a_wait_without_arrivals_reaches_the_limit() -> None:
    result = run("start(2); arrive(); while (!test(0));", 1, limit=10_000)
    assert [finding.kind for finding in result.findings] == ["step_limit"]


GRID = """
#include <cooperative_groups.h>
__global__ void sums(int* x, int* y)
{
    x[blockIdx.x] = blockIdx.x + 1;
    cooperative_groups::this_grid().sync();
    int sum = 0;
    for (int k = 0; k < gridDim.x; k++)
        sum += x[k];
    y[blockIdx.x] = sum;
}
"""


def test_a_grid_meets() -> None:
    module = Module(compile_ptx(GRID, headers=True))
    result = module.launch("sums", 5, 1, [np.zeros(5, np.int32), np.zeros(5, np.int32)])
    assert not result.findings
    assert result.arrays[1].tolist() == [15] * 5
