"""The implementation of ``warpsmith-validate reduce``."""

from __future__ import annotations

from pathlib import Path

from warpsmith.core.commands import options, terminal
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.errors import EXIT_DONE
from warpsmith.core.records.jsonl import encode, write_atomic
from warpsmith.validation.reduction.search import SECONDS, reduce_in


def reduce_command(
    dataset: Path,
    identity: str,
    level: str,
    output: Path | None,
    as_json: bool,
    workers: str,
    seconds: float = SECONDS,
    unconfined: bool = False,
) -> int:
    """Reduce a pair, print the result, and write it as one line to ``output`` if that is set.

    The Python is printed on stdout; the reason of the failure and the number of attempts on stderr.

    Raises:
        TargetError: if there is no such dataset or pair, or ``output`` cannot be written.
        WarpsmithError: if the level does not exist, or the pair does not fail it.
    """
    count = options.processes(workers)
    reduction = reduce_in(Dataset.open(dataset), identity, level, count, seconds, unconfined=unconfined)
    if output is not None:
        write_atomic(output, encode(reduction.pair))
    if as_json:
        options.print_json(reduction.to_json())
        return EXIT_DONE
    terminal.print_text(reduction.pair.python_source)
    terminal.err.print(f"{level}: {reduction.reason}", soft_wrap=True)
    terminal.err.print(f"{reduction.steps} steps, {reduction.tried} candidates tried")
    return EXIT_DONE
