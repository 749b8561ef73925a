"""The results of the kernels of a project, from the verdicts next to their pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.line_index import index_dataset
from warpsmith.core.errors import single_line
from warpsmith.core.records.jsonl import raw_lines, read_lines
from warpsmith.core.records.pair import Reject
from warpsmith.validation.dataset_run import select_lines
from warpsmith.validation.gate.kernel_result import KernelResult, pair_result, reject_result

_REJECT = msgspec.json.Decoder(Reject)


def is_of_project(dataset: Dataset) -> bool:
    """Return whether a dataset was extracted from a project: the first pair of a shard says where it comes from."""
    for shard in dataset.shards:
        line = next(iter(read_lines(shard)), None)
        if line is not None and line.pair is not None and line.pair.metadata.origin is not None:
            return True
    return False


def kernel_results(dataset: Dataset, levels: Sequence[str], sample: int | None = None, machine: str = "") -> list[KernelResult]:
    """Return the results of the pairs of a project, and of its kernels that did not become pairs.

    Args:
        dataset: a dataset that `validate_dataset` has checked.
        levels: the names of the levels that were checked.
        sample: the number of lines that were checked, None for all.
        machine: why pairs without verdicts have none.
    """
    sampled = None if sample is None else select_lines(index_dataset(dataset.shards), sample)
    results = []
    for shard in dataset.shards:
        known = dataset.read_verdicts(shard)
        for line in read_lines(shard):
            if line.pair is None or (sampled is not None and line.number not in sampled[shard]):
                continue
            verdicts = [known[line.number, level] for level in levels if (line.number, level) in known]
            results.append(pair_result(line.pair, verdicts, levels[-1], machine))
    return results + [reject_result(reject) for path in _reject_files(dataset) for reject in _rejects(path)]


def _reject_files(dataset: Dataset) -> list[Path]:
    """Return the files with the rejects of a dataset: one beside a single file, or one in the folder."""
    single = [shard.with_suffix(".rejects.jsonl") for shard in dataset.shards]
    return [path for path in (*single, dataset.folder / "rejects.jsonl") if path.is_file()]


def _rejects(path: Path) -> Iterator[Reject]:
    for number, raw in raw_lines(path):
        try:
            yield _REJECT.decode(raw or b"")
        except msgspec.MsgspecError as error:
            yield Reject(id=f"{path.name}:{number}", seed=None, index=None, stage="read", error=single_line(str(error)))
