"""Pairs per second of the executors, which alternate in one run: ``python tests/bench/executors.py [COUNT]``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import mock

CODE = "from warpsmith.synthesis.cli import main; main()"
ROUNDS = 2


def rate(count: int, *options: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        plan = ["-n", str(count), "-d", "both", "-b", "--shard-size", "100", "-o", str(Path(folder) / "data")]
        command = [sys.executable, "-c", CODE, "make", *plan, "--json", *options]
        return float(json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["pairs_per_second"])


def main(count: int) -> None:
    with mock.patch.dict(os.environ, {"RAY_USAGE_STATS_ENABLED": "0"}):
        from ray.cluster_utils import Cluster  # noqa: PLC0415 - Ray is an optional dependency

        processors = len(os.sched_getaffinity(0))
        node = {"num_cpus": processors, "object_store_memory": 80_000_000, "include_dashboard": False}
        cluster = Cluster(initialize_head=True, head_node_args=node)
    try:
        for _ in range(ROUNDS):
            print(f"local {rate(count):7.1f} pairs/s, {processors} workers")
            print(f"ray   {rate(count, '--executor', 'ray', '--ray-address', cluster.address):7.1f} pairs/s")
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
