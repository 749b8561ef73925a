"""Pairs a second of whole runs, by device and number of workers, and what two workers gain over one."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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
    benchmark: Any, run: Any, tmp_path: Path, note: Callable[[str, str], None], cores: int, device: str, all_cores: bool
) -> None:
    workers = cores if all_cores else 1
    summary = benchmark.pedantic(make, (run, tmp_path / "data", device, workers), rounds=1)
    assert summary["pairs"] == COUNT
    rate = RATES[device, workers] = summary["pairs_per_second"]
    benchmark.extra_info["pairs_per_second"] = rate
    note(f"{device}, forward and backward, {workers} worker{'s' * (workers > 1)}, whole run", f"{rate:.0f} pairs/s")
    one = RATES.get((device, 1))
    if all_cores and one and workers > 1:
        note(f"{device}, {workers} workers over one, start of the workers included", f"{rate / one:.2f} times")


def test_writer(benchmark: Any, tmp_path: Path, root: Path, note: Callable[[str, str], None]) -> None:
    shards = sorted((root / "data" / "samples").glob("pairs-*.jsonl"))
    pairs = [pair for shard in shards for pair in read_pairs(shard)] * 10

    def write() -> int:
        content = b"".join(map(encode, pairs))
        write_atomic(tmp_path / "shard.jsonl", content)
        return len(content)

    start = time.perf_counter()
    size = benchmark.pedantic(write, rounds=5)
    assert size == (tmp_path / "shard.jsonl").stat().st_size
    note("encode and write a shard", f"{5 * size / (time.perf_counter() - start) / 1e6:.0f} MB/s")
