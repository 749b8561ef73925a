"""Counts of the own launch of a pair: those of a kernel whose accesses are known, the same in any order of pairs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import warp as wp

from warpsmith.core.records.pair import Pair
from warpsmith.core.records.ptx_figures import LaunchCounts
from warpsmith.extraction import extract_pair
from warpsmith.simt import with_ptx
from warpsmith.validation.simt_launches.launch_counts import with_launch_counts

THREADS = 100


@wp.kernel
def scale(x: wp.array(dtype=float), out: wp.array(dtype=float)):  # type: ignore[valid-type]
    i = wp.tid()
    out[i] = x[i] * 2.0


@wp.kernel
def add_up(x: wp.array(dtype=float), out: wp.array(dtype=float)):  # type: ignore[valid-type]
    i = wp.tid()
    wp.atomic_add(out, 0, x[i])


def made(kernel: wp.Kernel, size: int) -> Pair:
    arrays = [wp.array(np.ones(size, np.float32)), wp.zeros(size, dtype=float)]
    return with_ptx(extract_pair(kernel, "cuda", dim=size, inputs=arrays), "sm_80")


def counts(pair: Pair) -> tuple[LaunchCounts, LaunchCounts]:
    figures = with_launch_counts(pair).metadata.ptx
    assert figures is not None
    assert figures.backward is not None
    assert figures.forward.counts is not None
    assert figures.backward.counts is not None
    return figures.forward.counts, figures.backward.counts


def test_a_kernel_that_reads_and_writes_one_element() -> None:
    """Four warps of 100 threads; 100 floats are 12.5 sectors of 32 bytes."""
    forward, backward = counts(made(scale, THREADS))
    assert (forward.thread_instructions["load"], forward.thread_instructions["store"]) == (THREADS, THREADS)
    assert (forward.global_requests, forward.global_sectors) == (8, 26)
    assert (forward.atomic_requests, forward.barriers, forward.local_requests) == (0, 0, 0)
    assert backward.atomic_requests == 4
    assert backward.global_sectors > 13


def test_threads_that_add_to_one_element() -> None:
    forward, _ = counts(made(add_up, 64))
    assert (forward.atomic_requests, forward.atomic_conflicts) == (2, 62)


def test_counts_do_not_depend_on_earlier_launches() -> None:
    first, other = made(scale, THREADS), made(add_up, 1000)
    before = counts(first)
    counts(other)
    assert counts(first) == before


@pytest.mark.parametrize("lacks", ["ptx", "launch"])
def test_pairs_without_ptx_or_launch_stay_as_they_are(lacks: str) -> None:
    pair = made(scale, THREADS)
    without = replace(pair, metadata=replace(pair.metadata, **{lacks: None}))
    assert with_launch_counts(without) is without
