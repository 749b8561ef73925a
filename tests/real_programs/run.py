"""Capture the kernels of real programs, check their gradients, and print the tables of ``notes/explanation/real_programs.md``.

    python tests/real_programs/run.py OUT [GROUP…] [--workers N]

OUT/GROUP gets a file of pairs for each program in ``programs.py``, and shards with one launch of each distinct source. What is
there already is not made again: the command continues after an interruption. ``nox -s real-programs`` installs what the
programs need.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from programs import PROGRAMS

from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import read_pairs

SHARD = 16
"""Pairs in a shard; verdicts are stored shard by shard."""
LIMIT = 1200
"""Seconds that a program may take."""
COUNTS = ("kernels", "kernels_with_launch", "kernels_rejected")


def captured(folder: Path, program: str) -> dict[str, Any]:
    """Run a program, unless its pairs are there already, and return the summary of ``warpsmith-extract --run --json``."""
    name = re.sub(r"[^a-z0-9]+", "-", program.removeprefix("-m ").lower()).strip("-")
    summary = folder / f"{name}.json"
    if not summary.exists():
        words = [*"warpsmith-extract -d both -b --json -o".split(), f"{name}.jsonl", "--run", *shlex.split(program)]
        try:
            run = subprocess.run(words, check=False, cwd=folder, capture_output=True, text=True, timeout=LIMIT)
            ended = f"exit code {run.returncode}: {(run.stderr.strip().splitlines() or [''])[-2:]}"
            found = [line for line in run.stderr.splitlines() if line.startswith('{"launches"')]
        except subprocess.TimeoutExpired:
            found, ended = [], f"stopped after {LIMIT} s"
        result = json.loads(found[-1]) if found else {"error": ended}
        result["name"] = name
        write_atomic(summary, json.dumps(result).encode())
    result = json.loads(summary.read_text())
    print(f"{name}: {result.get('error') or str(result['kernels']) + ' kernels'}", flush=True)
    return result


def write_shards(folder: Path, names: list[str], seen: set[str]) -> int:
    """Write one launch of each source that is not in `seen` to shards, and return their number of pairs."""
    chosen = []
    for name in names:
        for pair in read_pairs(folder / f"{name}.jsonl"):
            if pair.metadata.launch is not None and pair.python_source not in seen:
                seen.add(pair.python_source)
                # Kernels that Warp makes for different programs have the same name.
                chosen.append(replace(pair, id=f"{pair.id}@{name}"))
    for start in range(0, len(chosen), SHARD):
        lines = b"".join(encode(pair) for pair in chosen[start : start + SHARD])
        path = folder / f"pairs-{start // SHARD:05}.jsonl"
        if not path.exists() or path.read_bytes() != lines:
            write_atomic(path, lines)
    return len(chosen)


def checked(folder: Path, workers: int) -> list[dict[str, Any]]:
    """Check the shards of a folder up to the gradient, and return the result of each kernel."""
    command = ["warpsmith-validate", "run", folder, "--level", "gradient", "--workers", str(workers), "--json"]
    run = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if run.returncode not in (0, 1):
        raise SystemExit(f"warpsmith-validate ended with exit code {run.returncode}")
    results: list[dict[str, Any]] = json.loads(run.stdout)["kernels"]
    return results


def main() -> None:
    """Capture and check the programs of the groups that the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(PROGRAMS)}; all by default")
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    seen: set[str] = set()
    rows = []
    for group in arguments.groups or PROGRAMS:
        folder = arguments.out / group
        folder.mkdir(parents=True, exist_ok=True)
        summaries = [captured(folder.absolute(), program) for program in PROGRAMS[group]]
        finished = [summary for summary in summaries if "error" not in summary]
        total = {key: sum(summary[key] for summary in finished) for key in COUNTS}
        sources = write_shards(folder, [summary["name"] for summary in finished], seen)
        results = checked(folder, arguments.workers)
        rows.append((group, len(finished), *total.values(), sources, Counter(result["result"] for result in results)))
        for result in results:
            if result["result"] not in ("pass", "not applicable", "intended"):
                print(f"{result['result']}: {result['id']}: {result['level']}: {result['reason']}", flush=True)
    print("group  programs  kernels  with a launch  rejected  sources  verdicts")
    for *figures, verdicts in rows:
        print(*figures, dict(verdicts), sep="  ")


if __name__ == "__main__":
    sys.exit(main())
