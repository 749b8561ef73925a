"""The file of extracted pairs while they are made: an interrupted run keeps what is finished, and the same command continues.

Until all kernels are finished, there are two files beside OUTPUT. OUTPUT.partial contains the pairs. OUTPUT.progress has the
arguments of the run, and a line for each finished kernel, which states how long OUTPUT.partial is with it. What follows in
OUTPUT.partial is not finished, and a continued run cuts it off.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec

from warpsmith.core.datasets.manifest import differing_arguments
from warpsmith.core.errors import TargetError, WarpsmithError
from warpsmith.core.files import storage
from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.files.leftovers import remove_leftovers
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.pair import Pair, Reject

PARTIAL = ".partial"
PROGRESS = ".progress"

Arguments = dict[str, str]
"""What determines the results of a run, as texts by name."""


class Finished(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A kernel whose result is written.

    Attributes:
        id: the id of the pair or reject.
        end: the length of the file of pairs with this result.
        without_backward: the name of the kernel if its pair has no adjoint; otherwise empty.
        reject: the reject; None for a pair.
    """

    id: str
    end: int
    without_backward: str = ""
    reject: Reject | None = None


_ARGUMENTS = msgspec.json.Decoder(Arguments)
_FINISHED = msgspec.json.Decoder(Finished)


@dataclass(frozen=True, slots=True)
class ResultsFile:
    """The results of a run that are written as they come.

    Attributes:
        earlier: the results of the interrupted run that this one continues, in the order of the kernels.
    """

    earlier: tuple[Finished, ...]
    _pairs: IO[bytes]
    _progress: IO[bytes]

    def add(self, result: Pair | Reject) -> None:
        """Write a result; it is kept even if the process is killed afterwards."""
        without_backward, reject = "", None
        if isinstance(result, Reject):
            reject = result
        else:
            self._pairs.write(encode(result))
            self._pairs.flush()
            without_backward = "" if result.metadata.has_backward else result.metadata.kernel_name
        end = self._pairs.tell()
        self.write_line(Finished(id=result.id, end=end, without_backward=without_backward, reject=reject))

    def write_line(self, line: Finished | Mapping[str, str]) -> None:
        """Write a line of progress."""
        self._progress.write(msgspec.json.encode(line) + b"\n")
        self._progress.flush()


@dataclass(frozen=True, slots=True)
class PrintedResults:
    """Results of which only the pairs are printed; no run continues them."""

    print_pair: Callable[[Pair], object]
    earlier: tuple[Finished, ...] = ()

    def add(self, result: Pair | Reject) -> None:
        """Print a pair."""
        if isinstance(result, Pair):
            self.print_pair(result)


Results = ResultsFile | PrintedResults


@contextlib.contextmanager
def writing_results(path: Path, arguments: Arguments) -> Iterator[ResultsFile]:
    """Yield the file of results that becomes ``path`` at the end of the block; after an error, what is finished stays.

    Args:
        path: the file of pairs.
        arguments: what determines the results.

    Raises:
        WarpsmithError: if an interrupted run had other arguments, or another process writes the same file.
        TargetError: if the file cannot be written.
    """
    storage.check_replaceable(path)
    storage.make_folder(path.parent)
    pairs, progress = _beside(path, PARTIAL), _beside(path, PROGRESS)
    try:
        with progress.open("a+b") as log:
            _lock(log, path)
            with pairs.open("a+b") as file:
                results = _continued(path, file, log, arguments)
                try:
                    yield results
                except BaseException:
                    if not os.fstat(file.fileno()).st_size and len(_lines(log)) < 2:  # nothing is finished
                        pairs.unlink()
                        progress.unlink()
                    raise
                os.fsync(file.fileno())
            pairs.replace(path)
            progress.unlink()
    except OSError as error:
        raise storage.cannot_write(path, error) from error


def write_rejects(output: Path, rejects: Sequence[Reject]) -> None:
    """Write the rejects beside the file of pairs; without any, those of an earlier run are removed."""
    path = output.with_suffix(".rejects.jsonl")
    remove_leftovers(path)
    if rejects:
        write_atomic(path, b"".join(encode(reject) for reject in rejects))
    else:
        path.unlink(missing_ok=True)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _lock(log: IO[bytes], path: Path) -> None:
    try:
        fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise WarpsmithError(f"another process writes {path}: wait until it ends, or choose another --output") from error


def _continued(path: Path, pairs: IO[bytes], log: IO[bytes], arguments: Arguments) -> ResultsFile:
    """Return the results of an interrupted run with the same arguments, or empty ones; what is not finished is cut off."""
    lines = _lines(log)
    results = ResultsFile(tuple(_finished(lines[1:], os.fstat(pairs.fileno()).st_size)), pairs, log)
    if lines:
        try:
            found = _ARGUMENTS.decode(lines[0])
        except msgspec.DecodeError as error:
            raise TargetError(f"{_beside(path, PROGRESS)} is damaged ({error}): delete it") from error
        if differences := list(differing_arguments(found, arguments)):
            raise WarpsmithError(
                f"{_beside(path, PARTIAL)} belongs to an interrupted run with other arguments: {'; '.join(differences)}. "
                f"Choose another --output, or delete {_beside(path, PROGRESS)}"
            )
    pairs.truncate(results.earlier[-1].end if results.earlier else 0)
    log.truncate(sum(len(line) for line in lines[: 1 + len(results.earlier)]))
    if not lines:
        results.write_line(arguments)
    return results


def _lines(log: IO[bytes]) -> list[bytes]:
    """Return the lines of a file that end: the last line of a killed run may not."""
    log.seek(0)
    return [line for line in log if line.endswith(b"\n")]


def _finished(lines: list[bytes], length: int) -> Iterator[Finished]:
    """Yield the results whose pairs are in the first ``length`` bytes of the file of pairs, up to the first damaged line."""
    for line in lines:
        try:
            result = _FINISHED.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return
        if result.end > length:
            return
        yield result
