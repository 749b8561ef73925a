"""Folders of real code: as a comparison, and as the texts of the transfer ratio."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from warpsmith.core.errors import TargetError
from warpsmith.extraction.warp.sources import LIBRARY, example_sources, library_sources, release
from warpsmith.validation.statistics.realism import section
from warpsmith.validation.statistics.realism.real_files import CodeMeasurement
from warpsmith.validation.statistics.realism.transfer import Corpus, Transfer
from warpsmith.validation.statistics.realism_types import RealCode
from warpsmith.validation.statistics.statistics_workers import measure_code


def is_real_code(path: Path) -> bool:
    """Return whether a path is a folder without the shards of a dataset."""
    return path.is_dir() and next(path.glob("pairs-*.jsonl"), None) is None


def compare(path: Path, transfer: Transfer | None, workers: int, module: str) -> RealCode:
    """Return the figures of the kernels in a folder of Python files.

    Raises:
        TargetError: if there are no kernels.
    """
    measured = measure_code([path], workers, f"statistics of {path}", module)
    if not measured["realism"]["kernels"]:
        raise TargetError(f"cannot compare with {path}: no kernel in {_files(measured)}")
    compared: RealCode = {
        "target": str(path),
        "files": measured["files"],
        "unread_files": measured["unread_files"],
        "realism": section.summarize(measured["realism"]),
    }
    if transfer is not None:
        compared["transfer"] = transfer.measure(measured["realism"]["texts"])
    return compared


def read_transfer(reference: Path | None, held_out: Path | None, workers: int, module: str) -> Transfer:
    """Return the texts that the transfer ratio needs: those of files and folders, or of the installed Warp.

    Raises:
        TargetError: if there is no kernel, function or struct in one of them.
    """
    warp = release()
    modules = ", ".join(name.removesuffix(".py") for name in LIBRARY)
    return Transfer(
        _corpus(f"{warp}: {modules}", library_sources() if reference is None else [reference], reference, workers, module),
        _corpus(f"{warp}: examples", example_sources() if held_out is None else [held_out], held_out, workers, module),
    )


def _corpus(default: str, paths: Sequence[Path], chosen: Path | None, workers: int, module: str) -> Corpus:
    name = default if chosen is None else str(chosen)
    measured = measure_code(paths, workers, f"texts of {name}", module)
    if not measured["realism"]["texts"]:
        raise TargetError(f"{name}: no kernel, function or struct in {_files(measured)}")
    return Corpus(name, measured["realism"]["texts"])


def _files(measured: CodeMeasurement) -> str:
    return f"{measured['files']:,} Python files, {measured['unread_files']:,} of which could not be read"
