"""Compares the builtins, types and syntax that other kernels use with those of a dataset."""

from __future__ import annotations

import subprocess
from collections.abc import Container, Mapping
from pathlib import Path

from warpsmith.core.errors import TargetError
from warpsmith.core.execution.python_process import module_command
from warpsmith.validation.statistics.stats_types import Share, Shares, Statistics

HARVEST_SECONDS = 900.0
"""The time limit for importing a target and generating its code."""


def harvest_target(target: str, folder: Path, seconds: float = HARVEST_SECONDS) -> Path:
    """Extract the kernels of a module, package or file, with CUDA code, to a file in ``folder``; return its path.

    The target is imported in a separate process.

    Raises:
        TargetError: if the target cannot be imported, has no kernel that can become a pair, or takes too long.
    """
    output = folder / "beside.jsonl"
    options = ("--device", "cuda", "--backward", "--output", str(output))
    command = module_command("warpsmith.extraction.start", target, *options)
    try:
        done = subprocess.run(command, capture_output=True, check=False, text=True, timeout=seconds)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise TargetError(f"extracting {target} took more than {seconds:.0f} s") from None
    if not output.exists() or not output.stat().st_size:
        reason = done.stderr.strip().splitlines()[-1:] or ["no kernel became a pair"]
        raise TargetError(f"cannot compare with {target}: {reason[0].removeprefix('error: ')}")
    return output


def shares(dataset: Statistics, reference: Statistics) -> Shares:
    """Return the shares of the builtins, argument types and syntax nodes of ``reference`` that also occur in a dataset.

    `typed_calls` counts calls of the same builtin with the same argument types.
    """
    calls, dataset_calls = reference["builtins"]["calls"], dataset["builtins"]["calls"]
    typed = {key: entry["calls"] for key, entry in reference["builtins"]["types"].items() if key.partition("(")[0] in calls}
    nodes = {name: entry["nodes"] for name, entry in reference["syntax"]["kinds"].items()}
    return {
        "builtin_calls": _share(calls, dataset_calls),
        "typed_calls": _share(typed, dataset["builtins"]["types"]),
        "nodes": _share(nodes, dataset["syntax"]["kinds"]),
    }


def _share(counts: Mapping[str, int], present: Container[str]) -> Share:
    total = sum(counts.values())
    missing = {
        name: count for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if name not in present
    }
    held = total - sum(missing.values())
    return {"all": total, "held": held, "share": round(held / max(total, 1), 6), "missing": missing}
