"""How the lines of a dataset are read for an export. This module loads no NumPy, so that the command starts fast."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from warpsmith.core.datasets.conditions import Condition
from warpsmith.core.datasets.dataset_folder import Dataset


@dataclass(frozen=True, slots=True)
class Reading:
    """How lines are read.

    Attributes:
        dataset: the folder of the shards.
        tasks: the tasks of all formats.
        tokenizer: what counts tokens, see `count_tokens`.
        required: see `export_request.Request`, as ``only``.
        exclude: the benchmark files.
        forms: the formats with rows of exchanges, which the first pass makes.
        folder: where it writes them.
        inputs: digests of the verdicts and of the benchmark files, which caches are bound to.
    """

    dataset: Dataset
    tasks: tuple[str, ...]
    tokenizer: str
    required: tuple[Condition, ...]
    only: tuple[Condition, ...]
    exclude: tuple[Path, ...]
    inputs: tuple[str, ...]
    forms: tuple[str, ...] = ()
    folder: Path | None = None
