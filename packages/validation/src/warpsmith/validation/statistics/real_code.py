"""Folders of real code: as a comparison, and as the texts of the transfer ratio."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from warpsmith.core.errors import TargetError
from warpsmith.extraction.warp.sources import LIBRARY, example_sources, library_sources, release
from warpsmith.validation.statistics.real_files import CodeMeasurement
from warpsmith.validation.statistics.realism import section
from warpsmith.validation.statistics.realism.transfer import Corpus, Transfer
from warpsmith.validation.statistics.realism_types import RealCode
from warpsmith.validation.statistics.resemblance import program_figures as programs
from warpsmith.validation.statistics.statistics_workers import measure_code


def is_real_code(path: Path) -> bool:
    """Return whether a path is a folder without the shards of a dataset."""
    return path.is_dir() and next(path.glob("pairs-*.jsonl"), None) is None


class MeasuredCode(NamedTuple):
    """The name of files of real code, and their measurement."""

    name: str
    measured: CodeMeasurement


def read_project(path: Path, workers: int, module: str) -> MeasuredCode:
    """Measure the kernels in a folder of Python files.

    Raises:
        TargetError: if there are no kernels.
    """
    measured = measure_code([path], workers, f"statistics of {path}", module)
    if not measured["realism"]["kernels"]:
        raise TargetError(f"cannot compare with {path}: no kernel in {_files(measured)}")
    return MeasuredCode(str(path), measured)


def summarize(project: MeasuredCode, transfer: Transfer | None) -> RealCode:
    """Return the figures of a project."""
    measured = project.measured
    compared: RealCode = {
        "target": project.name,
        "files": measured["files"],
        "unread_files": measured["unread_files"],
        "realism": section.summarize(measured["realism"]),
        "programs": programs.summarize(measured["programs"]),
    }
    if transfer is not None:
        compared["transfer"] = transfer.measure(measured["realism"]["texts"])
    return compared


def read_reference(path: Path | None, workers: int, module: str) -> MeasuredCode:
    """Measure the code that models learn from: a file or folder, or the modules of the installed Warp.

    Raises:
        TargetError: if there is no kernel, function or struct.
    """
    modules = ", ".join(name.removesuffix(".py") for name in LIBRARY)
    return _texts(f"{release()}: {modules}", library_sources() if path is None else [path], path, workers, module)


def read_transfer(reference: MeasuredCode, held_out: Path | None, workers: int, module: str) -> Transfer:
    """Return the texts that the transfer ratio needs; the held-out ones are of a file or folder, or of Warp's examples.

    Raises:
        TargetError: if there is no kernel, function or struct.
    """
    examples = example_sources() if held_out is None else [held_out]
    predicted = _texts(f"{release()}: examples", examples, held_out, workers, module)
    return Transfer(*(Corpus(code.name, code.measured["realism"]["texts"]) for code in (reference, predicted)))


def _texts(default: str, paths: Sequence[Path], chosen: Path | None, workers: int, module: str) -> MeasuredCode:
    name = default if chosen is None else str(chosen)
    measured = measure_code(paths, workers, f"texts of {name}", module)
    if not measured["realism"]["texts"]:
        raise TargetError(f"{name}: no kernel, function or struct in {_files(measured)}")
    return MeasuredCode(name, measured)


def _files(measured: CodeMeasurement) -> str:
    return f"{measured['files']:,} Python files, {measured['unread_files']:,} of which could not be read"
