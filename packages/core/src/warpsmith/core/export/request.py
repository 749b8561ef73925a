"""What a user asks for: the arguments of an export, checked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from warpsmith.core.datasets.conditions import Condition
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.datasets.manifest import file_digest
from warpsmith.core.errors import TargetError, WarpsmithError
from warpsmith.core.export.tasks import TASKS

Format = Literal["parquet", "jsonl.zst", "jsonl", "chat", "completion"]

SPLITS = ("train", "validation", "test")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Everything that decides the bytes of an export, apart from the dataset.

    Attributes:
        form: what a line is and how it is packed.
        tasks: of a chat or a completion, in the order of `TASKS`; empty for whole records.
        fractions: of pairs, by split.
        required: what a pair's verdicts must be; ``not_applicable`` counts as ``pass``.
        only: what they must be to the letter.
        exclude: files of texts that no pair may be close to.
        shard_size: pairs a file.
    """

    form: Format
    tasks: tuple[str, ...]
    fractions: dict[str, float]
    required: tuple[Condition, ...]
    only: tuple[Condition, ...]
    exclude: tuple[Path, ...]
    shard_size: int

    def arguments(self, dataset: Dataset) -> dict[str, Any]:
        """The request as plain values, with the digests of what it is about."""
        return {
            "format": self.form,
            "tasks": list(self.tasks),
            "split": self.fractions,
            "require": list(map(str, self.required)),
            "only": list(map(str, self.only)),
            "exclude": [{"file": path.name, "sha256": file_digest(path)} for path in self.exclude],
            "shard_size": self.shard_size,
            **dataset.digests(),
        }


def read_fractions(text: str) -> dict[str, float]:
    """Read ``"0.98,0.01,0.01"``: the shares of train, validation and test.

    Raises:
        WarpsmithError: if these are not one to three numbers that add up to 1.
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
    """Read ``"python-cuda,cuda-python"``; all tasks if nothing is said.

    Raises:
        WarpsmithError: if a task is unknown, or the format has none.
    """
    if form not in ("chat", "completion"):
        if text is not None:
            raise WarpsmithError(f"--task goes with --format chat or completion; {form} holds whole records")
        return ()
    names = list(TASKS) if text is None else [name.strip() for name in text.split(",")]
    if unknown := [name for name in names if name not in TASKS]:
        raise WarpsmithError(f"unknown task {', '.join(unknown)}; choose from {', '.join(TASKS)}")
    return tuple(name for name in TASKS if name in names)


def check_files(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return ``paths`` if they are files.

    Raises:
        TargetError: naming the first that is not.
    """
    for path in paths:
        if not path.is_file():
            raise TargetError(f"no such file of benchmark texts: {path}")
    return tuple(paths)
