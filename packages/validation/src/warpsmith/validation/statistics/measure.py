"""Measures a dataset in sandboxed workers, writes `stats.json`, and reads it again while it is current."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import orjson

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.manifest import file_digest
from warpsmith.core.errors import TargetError
from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.files.leftovers import remove_leftovers
from warpsmith.core.files.temporary_folders import TemporaryFolder
from warpsmith.core.terminal import err, errors
from warpsmith.validation.sandbox.supervisor import WORKERS
from warpsmith.validation.statistics import real_code
from warpsmith.validation.statistics.comparison import harvest_target, shares
from warpsmith.validation.statistics.reading import read_statistics
from warpsmith.validation.statistics.real_code import MeasuredCode
from warpsmith.validation.statistics.realism.transfer import Transfer
from warpsmith.validation.statistics.realism_types import RealCode
from warpsmith.validation.statistics.resemblance.resemblance import measure_resemblance
from warpsmith.validation.statistics.sections import Measurement, summarize
from warpsmith.validation.statistics.statistics_workers import measure_dataset
from warpsmith.validation.statistics.stats_types import Statistics


def measure(
    dataset: Dataset,
    workers: int,
    target: str | None = None,
    transfer: Transfer | None = None,
    reference: MeasuredCode | None = None,
    *,
    output: Path | None = None,
    unconfined: bool = False,
) -> Statistics:
    """Measure a dataset, write `stats.json`, and return its content; a folder that cannot be written is only a remark.

    Args:
        dataset: the dataset.
        workers: the number of worker processes; the figures do not depend on it.
        target: what to compare with: another dataset, a folder of real code, or a module, package or file with kernels.
        transfer: what to compute the transfer ratio with; without it, there is no such figure.
        reference: real code to learn from, for the resemblance to a folder of real code.
        output: the file to write, by default `stats.json` in the folder of the dataset.
        unconfined: whether to work without the parts of the sandbox that this system lacks.

    Raises:
        TargetError: if the target cannot be read or imported.
    """
    digests = _digests(dataset)
    module = WORKERS[unconfined]
    with _opened(target) as other:
        project = real_code.read_project(other, workers, module) if isinstance(other, Path) else None
        measured = measure_dataset(dataset, workers, "statistics", module)
        statistics = _summarize(measured, transfer)
        if isinstance(other, Dataset):
            compared = _summarize(measure_dataset(other, workers, f"statistics of {target}", module), transfer)
            statistics["beside"] = {"target": str(target), "shares": shares(statistics, compared), "statistics": compared}
    if project is not None:
        statistics["real_code"] = _compare(measured, project, transfer, reference)
    statistics["shards"] = digests
    _write(statistics, output or dataset.folder / "stats.json")
    return statistics


def _write(statistics: Statistics, path: Path) -> None:
    remove_leftovers(path)
    try:
        write_atomic(path, orjson.dumps(statistics, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    except TargetError as error:
        errors.print(f"the statistics are not kept: {error}, or name a file by -o", soft_wrap=True)


def _summarize(measured: Measurement, transfer: Transfer | None) -> Statistics:
    statistics = summarize(measured)
    if transfer is not None:
        statistics["transfer"] = transfer.measure(measured["sections"]["realism"]["texts"])
    return statistics


def _compare(
    measured: Measurement, project: MeasuredCode, transfer: Transfer | None, reference: MeasuredCode | None
) -> RealCode:
    """Return the figures of a project, and the resemblance of a dataset to it if there is a reference."""
    compared = real_code.summarize(project, transfer)
    if reference is not None:
        dataset, code, learned = (
            state["samples"]
            for state in (
                measured["sections"]["programs"],
                project.measured["programs"],
                reference.measured["programs"],
            )
        )
        compared["resemblance"] = measure_resemblance(dataset, code, learned, reference.name)
    return compared


@contextmanager
def _opened(target: str | None) -> Iterator[Dataset | Path | None]:
    """Yield a target as a dataset, or as a path if it is a folder of real code."""
    path = Path(target or "")
    if target is None:
        yield None
    elif real_code.is_real_code(path):
        yield path
    elif path.is_dir() or path.suffix == ".jsonl":
        yield Dataset.open(path)
    else:
        with TemporaryFolder() as folder:
            yield Dataset.open(harvest_target(target, Path(folder)))


def known_statistics(dataset: Dataset, digests: Mapping[str, str] | None = None) -> Statistics | None:
    """Return the content of `stats.json`, or None if it is missing or cannot be used, which is printed.

    It cannot be used if it is not a file of this version of warpsmith, or was measured on other content of the shards.

    Args:
        dataset: the dataset.
        digests: the SHA-256 of each shard; without it, the shards are read.
    """
    path = dataset.folder / "stats.json"
    if not (path.exists() or path.is_symlink()):
        return None
    statistics = read_statistics(path)
    if statistics is None:
        err.print(f"{path} is not a file of these statistics: measuring again", soft_wrap=True)
    elif statistics["shards"] != (digests or _digests(dataset)):
        err.print(f"{path} was measured on other content of the shards: measuring again", soft_wrap=True)
    else:
        return statistics
    return None


def _digests(dataset: Dataset) -> dict[str, str]:
    return {shard.name: file_digest(shard) for shard in dataset.shards}
