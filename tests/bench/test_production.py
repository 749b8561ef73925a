"""Pairs per second of whole runs, by device and number of workers, and the gain of several workers over one."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from bench.figures import Figures
from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import read_pairs

COUNT = 2000
"""Pairs per worker."""

ROUNDS = 3
"""The number of rounds in which the runs alternate; the speed of a shared machine changes from minute to minute."""


def rate(run: Any, folder: Path, device: str, workers: int) -> float:
    """Return pairs per second of a whole command, from its start to its end."""
    count, start = COUNT * workers, time.perf_counter()
    done = run("synthesis", "make", "-n", count, "-d", device, "-b", "--workers", workers, "-o", folder, "--json")
    seconds = time.perf_counter() - start
    assert json.loads(done.stdout)["pairs"] == count
    return count / seconds


@pytest.mark.parametrize("device", ["cpu", "cuda", "both"])
def test_pairs_per_second(benchmark: Any, run: Any, tmp_path: Path, figures: Figures, cores: int, device: str) -> None:
    """Compare one worker, one worker per core, and as many independent commands, which is the limit of the cores."""

    def independent_commands(folder: Path) -> float:
        start = time.perf_counter()
        with ThreadPoolExecutor(cores) as pool:
            list(pool.map(lambda number: rate(run, folder / str(number), device, 1), range(cores)))
        return COUNT * cores / (time.perf_counter() - start)

    def in_turns() -> list[tuple[float, ...]]:
        folders = [tmp_path / str(number) for number in range(ROUNDS)]
        return [
            (rate(run, folder / "one", device, 1), rate(run, folder / "all", device, cores), independent_commands(folder))
            for folder in folders
        ]

    rounds = benchmark.pedantic(in_turns, rounds=1)
    one, every, nothing_shared = map(median, zip(*rounds, strict=True))
    figures.rate(f"{device}, forward and backward, one worker, whole run", one, "pairs/s")
    figures.rate(f"{device}, forward and backward, {cores} workers, whole run", every, "pairs/s")
    # Not a ratio of the history: the limit depends on the machine, and not on the code.
    figures.rate(f"{device}: {cores} commands that share nothing over one, {COUNT} pairs each", nothing_shared / one, "times")
    seconds = [(1.0 / alone, 1.0 / workers) for alone, workers, _ in rounds]  # per pair: they may be added, unlike rates
    figures.ratio(f"{device}: {cores} workers over one, {COUNT} pairs each", seconds, "times one worker")


def test_writer(benchmark: Any, tmp_path: Path, root: Path, figures: Figures) -> None:
    shards = sorted((root / "data" / "samples").glob("pairs-*.jsonl"))
    pairs = [pair for shard in shards for pair in read_pairs(shard)] * 10
    content = b"".join(map(encode, pairs))

    def write() -> None:
        write_atomic(tmp_path / "shard.jsonl", b"".join(map(encode, pairs)))

    def write_raw() -> None:
        with (tmp_path / "raw").open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())

    def seconds(function: Callable[[], None]) -> float:
        start = time.perf_counter()
        function()
        return time.perf_counter() - start

    def alternate() -> list[tuple[float, float]]:
        return [(seconds(write_raw), seconds(write)) for _ in range(5)]

    rounds = benchmark.pedantic(alternate, rounds=1)
    ours = sum(taken for _, taken in rounds) / len(rounds)
    assert (tmp_path / "shard.jsonl").read_bytes() == content
    figures.rate("encode and write a shard", len(content) / ours / 1e6, "MB/s")
    figures.ratio("encode and write a shard over a raw write", rounds, "times a raw write")


def test_start(benchmark: Any, run: Any, tmp_path: Path, figures: Figures) -> None:
    """Measure a whole command for one pair, which is mostly start-up time."""

    def one_pair() -> float:
        start = time.perf_counter()
        run("synthesis", "make", "-n", 1, "-d", "cuda", "-o", tmp_path / str(start))
        return time.perf_counter() - start

    figures.rate("a run of one pair", benchmark.pedantic(lambda: min(one_pair() for _ in range(3)), rounds=1), "s")
