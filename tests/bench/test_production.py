"""Pairs a second of whole runs, by device and number of workers, and what two workers gain over one."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from bench.figures import Figures
from warpsmith.extraction.jsonl import encode, read_pairs, write_atomic

COUNT = 2000
RATES: dict[tuple[str, int], float] = {}


def make(run: Any, folder: Path, device: str, workers: int) -> dict[str, Any]:
    arguments = ("-n", COUNT, "-d", device, "-b", "--codegen-only", "--workers", workers, "-o", folder, "--json")
    summary: dict[str, Any] = json.loads(run("synthesis", *arguments).stdout)
    return summary


@pytest.mark.parametrize("all_cores", [False, True], ids=["one worker", "all cores"])
@pytest.mark.parametrize("device", ["cpu", "cuda", "both"])
def test_pairs_a_second(
    benchmark: Any, run: Any, tmp_path: Path, figures: Figures, cores: int, device: str, all_cores: bool
) -> None:
    workers = cores if all_cores else 1
    summary = benchmark.pedantic(make, (run, tmp_path / "data", device, workers), rounds=1)
    assert summary["pairs"] == COUNT
    rate = RATES[device, workers] = summary["pairs_per_second"]
    benchmark.extra_info["pairs_per_second"] = rate
    figures.rate(f"{device}, forward and backward, {workers} worker{'s' * (workers > 1)}, whole run", rate, "pairs/s")
    one = RATES.get((device, 1))
    if all_cores and one and workers > 1:
        figures.ratio(f"{device}: {workers} workers over one, their start included", rate / one)


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

    def both_ways() -> tuple[float, float]:
        taken = [0.0, 0.0]
        for _ in range(5):
            for number, way in enumerate((write, write_raw)):
                start = time.perf_counter()
                way()
                taken[number] += time.perf_counter() - start
        return taken[0] / 5, taken[1] / 5

    ours, raw = benchmark.pedantic(both_ways, rounds=1)
    assert (tmp_path / "shard.jsonl").read_bytes() == content
    figures.rate("encode and write a shard", len(content) / ours / 1e6, "MB/s")
    figures.ratio("encode and write a shard over a raw write", raw / ours)


def test_start(benchmark: Any, run: Any, tmp_path: Path, figures: Figures) -> None:
    """From the command to its end, for one pair: what starting costs."""

    def one_pair() -> float:
        start = time.perf_counter()
        run("synthesis", "-n", 1, "-d", "cuda", "--codegen-only", "-o", tmp_path / str(start))
        return time.perf_counter() - start

    figures.rate("a run of one pair", benchmark.pedantic(lambda: min(one_pair() for _ in range(3)), rounds=1), "s")
