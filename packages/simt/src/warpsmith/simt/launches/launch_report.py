"""What the commands print and write about a launch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from warpsmith.simt.launches.file_launches import FileLaunch, Profile, Size, count
from warpsmith.simt.launches.findings_page import findings_page, place

Row = tuple[str, str, str]


def describe(launch: FileLaunch) -> str:
    """Return one line that describes a launch."""
    return f"{launch.kernel} with grid {_size(launch.grid)} and block {_size(launch.block)}"


def finding_lines(launch: FileLaunch) -> Iterator[str]:
    """Yield one line for each finding, which begins with file and line as those of compilers do."""
    for finding in launch.findings:
        line = finding.line or f"PTX {finding.ptx_line}"
        yield f"{finding.file or launch.source.name}:{line}: {finding.kind}: {finding.message} ({place(finding)})"


def save_arrays(launch: FileLaunch, folder: Path) -> None:
    """Write the arrays after a launch, a file for each parameter."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, array in launch.arrays.items():
        np.save(folder / f"{re.sub(r'[^A-Za-z0-9_]', '_', name)}.npy", array)


def write_page(launch: FileLaunch, path: Path) -> None:
    """Write a page with the findings beside the lines of the source."""
    title = f"{launch.source.name}: {launch.kernel}"
    page = findings_page(title, describe(launch), launch.source.name, launch.source.text, launch.findings, launch.run.printed)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page, encoding="utf-8")


def check_json(launch: FileLaunch) -> dict[str, Any]:
    """Return a launch and its findings as JSON."""
    return {
        "file": launch.source.name,
        "kernel": launch.kernel,
        "grid": launch.grid,
        "block": launch.block,
        "arguments": launch.names,
        "findings": launch.findings,
        "completed": launch.run.completed,
        "unchecked": launch.run.unchecked,
        "printed": launch.run.printed,
    }


def profile_json(profile: Profile) -> dict[str, Any]:
    """Return a profile as JSON."""
    return {
        **check_json(profile.launch),
        "arch": profile.launch.source.arch,
        "counts": asdict(profile.launch.run.counts),
        "resources": profile.resources,
        "occupancy": profile.occupancy,
        "time": profile.time,
    }


def profile_rows(profile: Profile) -> list[Row]:
    """Return the rows of the table of a profile: part, figure and value."""
    return [*_instructions(profile), *_memory(profile), *_resources(profile), *_time(profile)]


def _instructions(profile: Profile) -> Iterator[Row]:
    counts = profile.launch.run.counts
    for name, number in counts.instructions.items():
        if number:
            yield "warp instructions", name, f"{number:,}"
    yield "warps", "active lanes of an instruction", f"{counts.warp_efficiency:.0%}"
    yield "warps", "divergent branches", _part(counts.divergent_branches, counts.branches)
    yield "warps", "barriers of blocks", f"{counts.barriers:,}"


def _memory(profile: Profile) -> Iterator[Row]:
    counts = profile.launch.run.counts
    yield "global memory", "requests of warps", f"{counts.global_requests:,}"
    yield "global memory", "sectors of 32 bytes for a request", _ratio(counts.global_sectors, counts.global_requests)
    yield "shared memory", "requests of warps", f"{counts.shared_requests:,}"
    yield "shared memory", "passes for a request", _ratio(counts.shared_passes, counts.shared_requests)
    yield "local memory", "requests of warps", f"{counts.local_requests:,}"
    yield "atomics", "requests of warps", f"{counts.atomic_requests:,}"
    yield "atomics", "lanes on the element of another lane", f"{counts.atomic_conflicts:,}"


def _resources(profile: Profile) -> Iterator[Row]:
    usage, share = profile.resources, profile.occupancy
    arch = f"sm_{profile.launch.source.arch}"
    if usage is None:
        yield arch, "registers and stack", "unknown for PTX"
        return
    yield arch, "registers of a thread", f"{usage.registers}"
    yield arch, "bytes of local memory of a thread", f"{usage.stack:,}"
    yield arch, "bytes of spills stored and loaded", f"{usage.spill_stores:,} and {usage.spill_loads:,}"
    yield arch, "bytes of shared memory, static and dynamic", f"{usage.shared:,} and {profile.launch.shared:,}"
    if share is None:
        yield arch, "occupancy", "unknown for this architecture"
        return
    yield arch, "blocks of a multiprocessor at a time", f"{share.blocks}, limited by {share.limit}"
    yield arch, "occupancy", f"{share.share:.0%}"


def _time(profile: Profile) -> Iterator[Row]:
    if profile.time is not None:
        time = profile.time
        yield (
            "estimate",
            f"time on {time.device}, to compare variants only",
            f"{time.microseconds:.3g} µs, limited by {time.limit}",
        )


def _part(number: int, total: int) -> str:
    return f"{number:,} of {total:,}"


def _ratio(number: int, requests: int) -> str:
    return f"{number / requests:.2f}" if requests else "none"


def _size(size: Size) -> str:
    return f"{count(size):,}" if isinstance(size, int) or len(size) == 1 else " x ".join(map(str, size))
