"""The folder of a run's verdicts: that of the shards, another one, or a temporary one if that of the shards is read-only."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from warpsmith.core import terminal
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.files import storage


@contextmanager
def with_verdict_folder(dataset: Dataset, output: Path | None) -> Iterator[Dataset]:
    """Yield a dataset whose verdicts can be written; without ``output``, those of a read-only folder are temporary.

    Raises:
        TargetError: if ``output`` cannot be made.
    """
    if output is not None:
        storage.make_folder(output)
        yield replace(dataset, verdict_folder=output.absolute())
    elif storage.is_read_only(dataset.folder):
        remark = f"{dataset.folder} is read-only: verdicts are printed and not kept (-o FOLDER keeps them)"
        terminal.errors.print(remark, soft_wrap=True)
        with tempfile.TemporaryDirectory(prefix="warpsmith-verdicts-") as folder:
            yield replace(dataset, verdict_folder=Path(folder))
    else:
        yield dataset
