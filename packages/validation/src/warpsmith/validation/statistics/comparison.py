"""The question: of what other kernels use, how much does the dataset hold? The others may be harvested."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from warpsmith.core.errors import TargetError

HARVEST_SECONDS = 900.0
"""How long a target may take to import and generate."""

_HARVEST = "from warpsmith.extraction.start import main; main()"


def harvested(target: str, folder: Path) -> Path:
    """Extract the kernels of a module, package or file, with CUDA code, to a file in ``folder``; return its path.

    The target is imported, by a process of its own.

    Raises:
        TargetError: if it cannot be imported, holds no kernel that can become a pair, or takes too long.
    """
    output = folder / "beside.jsonl"
    command = [sys.executable, "-c", _HARVEST, target, "--device", "cuda", "--backward", "--output", str(output)]
    try:
        done = subprocess.run(command, capture_output=True, check=False, text=True, timeout=HARVEST_SECONDS)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise TargetError(f"{target} took more than {HARVEST_SECONDS:.0f} s to extract") from None
    if not output.exists() or not output.stat().st_size:
        why = done.stderr.strip().splitlines()[-1:] or ["no kernel became a pair"]
        raise TargetError(f"nothing to set beside from {target}: {why[0].removeprefix('error: ')}")
    return output


def shares(own: dict[str, Any], others: dict[str, Any]) -> dict[str, Any]:
    """Compare two summaries: of what the other kernels hold, which share is of a kind that the own pairs hold too.

    Returns:
        For ``builtin_calls``, ``typed_calls`` (the same builtin with the same argument types) and ``nodes``: ``all``,
        ``held``, ``share``, and the others' counts of what is missing, most frequent first.
    """
    calls, held = others["builtins"]["calls"], own["builtins"]["calls"]
    typed = {key: entry["calls"] for key, entry in others["builtins"]["types"].items() if key.partition("(")[0] in calls}
    nodes = {name: kind["nodes"] for name, kind in others["syntax"]["kinds"].items()}
    return {
        "builtin_calls": _share(calls, held),
        "typed_calls": _share(typed, own["builtins"]["types"]),
        "nodes": _share(nodes, own["syntax"]["kinds"]),
    }


def _share(counts: dict[str, int], held: dict[str, Any]) -> dict[str, Any]:
    everything = sum(counts.values())
    missing = {name: count for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if name not in held}
    found = everything - sum(missing.values())
    return {"all": everything, "held": found, "share": round(found / max(everything, 1), 6), "missing": missing}
