"""The arguments of an export as users name them, checked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from warpsmith.core.datasets.conditions import Condition
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.manifest import file_digest
from warpsmith.core.errors import TargetError, WarpsmithError
from warpsmith.core.export.export_manifest import Benchmark, ExportArguments
from warpsmith.core.export.export_reading import Reading
from warpsmith.core.export.formats import WITH_TASKS, Format
from warpsmith.core.export.token_counts import ESTIMATE, Length, tokenizer_digest
from warpsmith.core.export.training_tasks import TASKS

SPLITS = ("train", "validation", "test")

SPLIT_BY = ("structure", "idea", "domain")
"""What no two splits share, besides similar texts; each includes those before it."""

DEFAULT_SPLIT_BY = "idea"

MEASURES = (*SPLIT_BY, "python", "code")
"""What the leakage of a split is measured by."""


def kept_together(split_by: str) -> tuple[str, ...]:
    """Return the properties whose values no two splits share.

    Examples:
        >>> kept_together("idea")
        ('structure', 'idea')
    """
    return SPLIT_BY[: SPLIT_BY.index(split_by) + 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Everything that determines the bytes of an export, except the dataset.

    Attributes:
        form: the format.
        tasks: the tasks of a format with exchanges, in the order of `TASKS`; empty for whole records.
        fractions: the share of pairs of each split.
        split_by: what no two splits share, of `SPLIT_BY`.
        required: conditions on the verdicts of a pair for which ``not_applicable`` counts as ``pass``.
        only: conditions that hold exactly.
        exclude: files of benchmark texts; pairs close to one of them are left out.
        shard_size: the number of pairs in a file.
        tokenizer: what counts tokens, see `count_tokens`.
        max_tokens: the most tokens of a row, question and answer together; None for no limit.
    """

    form: Format
    tasks: tuple[str, ...]
    fractions: dict[str, float]
    split_by: str = DEFAULT_SPLIT_BY
    required: tuple[Condition, ...]
    only: tuple[Condition, ...]
    exclude: tuple[Path, ...]
    shard_size: int
    tokenizer: str = ESTIMATE
    max_tokens: int | None = None

    def fits(self, length: Length) -> bool:
        """Return whether a row is not too long."""
        return self.max_tokens is None or length.total <= self.max_tokens

    def reading(self, dataset: Dataset, tasks: tuple[str, ...], arguments: ExportArguments) -> Reading:
        """Return how lines are read for this request and for others that differ in their formats and tasks only."""
        inputs = (arguments.verdicts, *(benchmark.sha256 for benchmark in arguments.exclude))
        kept = replace(dataset, manifest=None)  # workers need the folder only
        return Reading(kept, tasks, self.tokenizer, self.required, self.only, self.exclude, inputs)

    def arguments(self, dataset: Dataset) -> ExportArguments:
        """Return the request in the form that `export.json` holds it, with the digests of the dataset."""
        return ExportArguments(
            format=self.form.name,
            tasks=self.tasks,
            split=self.fractions,
            split_by=self.split_by,
            require=tuple(map(str, self.required)),
            only=tuple(map(str, self.only)),
            exclude=tuple(Benchmark(file=path.name, sha256=file_digest(path)) for path in self.exclude),
            shard_size=self.shard_size,
            tokenizer=self.tokenizer,
            tokenizer_sha256=tokenizer_digest(self.tokenizer),
            max_tokens=self.max_tokens,
            **dataset.digests(),
        )


def read_fractions(text: str) -> dict[str, float]:
    """Read ``"0.98,0.01,0.01"``: the shares of train, validation and test.

    Raises:
        WarpsmithError: if these are not one to three numbers that add up to 1.

    Examples:
        >>> read_fractions("0.9,0.1")
        {'train': 0.9, 'validation': 0.1}
    """
    try:
        shares = [float(part) for part in text.split(",")]
    except ValueError:
        shares = []
    if not (
        0 < len(shares) <= len(SPLITS) and all(share >= 0 for share in shares) and math.isclose(sum(shares), 1, abs_tol=1e-6)
    ):
        raise WarpsmithError(f"--split is one to three shares that add up to 1, such as 0.98,0.01,0.01, not {text!r}")
    return dict(zip(SPLITS, shares))


def read_tasks(text: str | None, form: Format) -> tuple[str, ...]:
    """Read ``"python_to_cuda,cuda_to_python"``; None means all tasks.

    Raises:
        WarpsmithError: if a task is unknown, or the format has none.
    """
    if form.row is None:
        if text is not None:
            raise WarpsmithError(f"--task goes with --format {WITH_TASKS}; {form.name} holds whole records")
        return ()
    names = list(TASKS) if text is None else [name.strip() for name in text.split(",")]
    if unknown := [name for name in names if name not in TASKS]:
        raise WarpsmithError(f"unknown task {', '.join(unknown)}; choose from {', '.join(TASKS)}")
    return tuple(name for name in TASKS if name in names)


def check_files(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return ``paths`` if all of them are files.

    Raises:
        TargetError: naming the first that is not.
    """
    for path in paths:
        if not path.is_file():
            raise TargetError(f"no such file of benchmark texts: {path}")
    return tuple(paths)
