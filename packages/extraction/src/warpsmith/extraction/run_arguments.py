"""The arguments of `warpsmith-extract` that determine its results: an interrupted run continues only with the same ones."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.metadata import version

from warpsmith.extraction.capturing.capture_command import KernelSelection
from warpsmith.extraction.launches.launch_options import LaunchRequest
from warpsmith.extraction.results_file import Arguments


def run_arguments(
    targets: Sequence[str],
    sources: str,
    selection: KernelSelection,
    launches: LaunchRequest,
    *,
    guess_overloads: bool,
    plain: bool,
    ptx: str | None,
) -> Arguments:
    """Return the arguments and versions of a run, as texts.

    Args:
        targets: the names of the targets.
        sources: the digest of their source files.
        selection: the wanted kernels and texts.
        launches: the options for launches; of the file of launches, the digest counts.
        guess_overloads: whether types are guessed.
        plain: whether the pairs have stand-alone CUDA.
        ptx: the architecture of their PTX; None without.
    """
    return {
        "targets": ", ".join(targets),
        "device": selection.device,
        "backward": str(selection.include_backward),
        "kernels": ", ".join(selection.names) or "all",
        "guess_overloads": str(guess_overloads),
        "plain": str(plain),
        "ptx": str(ptx),
        "launches": "" if launches.path is None else hashlib.sha256(launches.path.read_bytes()).hexdigest()[:16],
        "guess_launches": str(launches.guess),
        "sources": sources,
        "warp": version("warp-lang"),
        "warpsmith": version("warpsmith-extraction"),
    }
