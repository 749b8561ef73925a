"""The implementation of ``warpsmith-validate reduce``."""

from __future__ import annotations

from pathlib import Path

from warpsmith.core import terminal
from warpsmith.core.commands import options
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import EXIT_DONE, EXIT_FAILED
from warpsmith.core.files import storage
from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.records.encoding import encode
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
    reproducer: Path | None = None,
    report: Path | None = None,
) -> int:
    """Reduce a pair, print the result, and write it as one line to ``output`` if that is set.

    A Python file that shows the wrong gradient is written to ``reproducer`` if that is set, a bug report in Markdown to
    ``report``.

    The Python is printed on stdout; the reason of the failure and the number of attempts on stderr.

    Raises:
        TargetError: if there is no such dataset or pair, or ``output`` cannot be written.
        WarpsmithError: if the level does not exist, or the pair does not fail it.
    """
    for path in filter(None, (output, reproducer, report)):
        storage.check_replaceable(path)
    count, wanted = options.processes(workers), reproducer is not None or (report is not None and level == "gradient")
    reduction = reduce_in(Dataset.open(dataset), identity, level, count, seconds, unconfined=unconfined, reproducer=wanted)
    if output is not None:
        write_atomic(output, encode(reduction.pair))
    if reproducer is not None and reduction.reproducer:
        write_atomic(reproducer, reduction.reproducer.encode())
    if report is not None:
        write_atomic(report, reduction.report.encode())
    code = EXIT_FAILED if wanted and not reduction.reproducer else EXIT_DONE
    if as_json:
        options.print_json(reduction.to_json())
        return code
    terminal.print_text(reduction.pair.python_source)
    terminal.err.print(f"{level}: {reduction.reason}", soft_wrap=True)
    terminal.err.print(f"{reduction.steps} steps, {reduction.tried} candidates tried")
    if reduction.problem:
        terminal.err.print(f"no reproducer: {reduction.problem}", soft_wrap=True)
    elif reproducer is not None:
        terminal.err.print(f"python {reproducer} shows the wrong gradient", soft_wrap=True)
    return code
