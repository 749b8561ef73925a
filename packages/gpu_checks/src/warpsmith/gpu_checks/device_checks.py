"""Checks and times of pairs on a device, from Python: `smoke`, `check`, `check_dataset` and `bench`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from warpsmith.core.commands.verdict_folder import with_verdict_folder
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import SandboxError
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.verdict import Verdict
from warpsmith.gpu_checks.device import VARIABLE, chosen_device
from warpsmith.gpu_checks.device_worker import BENCH, LEVELS, PROVE, SAFE_LEVELS
from warpsmith.gpu_checks.smoke_kernel import SmokeResult, run_smoke_kernel
from warpsmith.gpu_checks.worker_answers import Figures, read_figures, require_device
from warpsmith.validation.dataset_run import validate_dataset
from warpsmith.validation.outcome import Outcome
from warpsmith.validation.sandbox.supervisor import WORKERS as SAFE_WORKERS
from warpsmith.validation.sandbox.supervisor import Supervisor

WORKERS = {False: "warpsmith.gpu_checks.device_worker", True: "warpsmith.gpu_checks.unconfined_device_worker"}
"""The module of the worker, by whether the processes that drive the device are unconfined."""

PROVE_SECONDS = 180.0
"""The time limit of `prove_device`: a driver loads CUDA and compiles headers."""

BENCH_SECONDS = 60.0
"""The time limit of `bench` for each pair."""

_MEMORY = Path("<memory>")
"""The file name of pairs that come from no file."""


@dataclass(frozen=True, slots=True)
class PairTimes:
    """The times of pairs on a device.

    Attributes:
        accepted: how many pairs the levels ``schema``, ``parse`` and ``regenerate`` accept.
        refused: how many pairs one of these levels rejects; they do not run.
        pairs: how many accepted pairs ran. A pair without a launch, or without a text for the device, does not run.
        failed: how many accepted pairs stopped with an error.
        build_ms: the median time to build a pair in milliseconds; None if no pair ran.
        run_ms: the median time of a forward and a backward launch with their copies in milliseconds; None if no pair ran.
    """

    accepted: int
    refused: int
    pairs: int = 0
    failed: int = 0
    build_ms: float | None = None
    run_ms: float | None = None


def smoke(device: str | None = None) -> SmokeResult:
    """Build and launch one kernel in this process, forward and backward, and compare with NumPy.

    Args:
        device: a CUDA device such as ``"cuda:0"``, or ``"cpu"``. By default, the device that the environment variable
            ``WARPSMITH_DEVICE`` names, or else ``"cuda:0"``.

    Returns:
        Whether the values of each direction are right.

    Raises:
        DeviceError: if this machine does not have the device.

    Examples:
        >>> smoke("cpu")
        SmokeResult(forward=True, backward=True)
    """
    return run_smoke_kernel(chosen_device(device))


def check(pairs: Iterable[Pair] | Dataset, device: str | None = None, *, unconfined: bool = False) -> list[list[Verdict]]:
    """Run pairs on a device, forward and backward, and compare the results with those of the CPU.

    A sandboxed worker checks the levels ``schema``, ``parse`` and ``regenerate`` before the level ``gpu``. The function passes
    the device to the worker in the environment of this process: call it from one thread at a time.

    Args:
        pairs: the pairs, or a dataset; no verdict is stored.
        device: a CUDA device such as ``"cuda:0"``, or ``"cpu"`` to try the checks without a GPU. By default, the device that
            the environment variable ``WARPSMITH_DEVICE`` names, or else ``"cuda:0"``.
        unconfined: whether to use the device without a sandbox, for pairs that you trust.

    Returns:
        For each pair, or each line of the dataset, one verdict per level, in the order of the pairs and of the levels.

    Raises:
        DeviceError: if this machine does not have the device.
        WarpsmithError: if the sandbox does not work on this machine, or the device cannot be used in it.
    """
    with selected_device(device) as selected:
        _require_usable(selected, unconfined)
        with Supervisor(LEVELS, WORKERS[unconfined]) as supervisor:
            return supervisor.check(list(_lines(pairs)))


def check_dataset(
    dataset: Dataset,
    device: str | None = None,
    *,
    sample: int | None = None,
    again: bool = False,
    output: Path | None = None,
    unconfined: bool = False,
) -> Outcome:
    """Check the pairs of a dataset like `check`, and write the verdicts next to its shards.

    Args:
        dataset: the dataset.
        device: the device, see `check`.
        sample: the number of pairs to check; the choice is always the same. None for all pairs.
        again: whether pairs that have verdicts are checked, too.
        output: another folder for the verdicts.
        unconfined: whether to use the device without a sandbox, for pairs that you trust.

    Returns:
        The numbers of verdicts, and the failures.

    Raises:
        DeviceError: if this machine does not have the device.
        TargetError: if a shard or a file of verdicts cannot be read or written, or another run is active.
        WarpsmithError: if the sandbox does not work on this machine, or the device cannot be used in it.
    """
    with selected_device(device) as selected:
        _require_usable(selected, unconfined)
        with with_verdict_folder(dataset, output) as opened:
            return validate_dataset(opened, LEVELS, sample=sample, again=again, module=WORKERS[unconfined], device=selected)


def bench(
    pairs: Iterable[Pair] | Dataset,
    device: str | None = None,
    *,
    count: int = 20,
    launches: int = 100,
    unconfined: bool = False,
) -> PairTimes:
    """Measure how long pairs take to build and to launch on a device, in a sandboxed worker.

    A pair that the levels ``schema``, ``parse`` or ``regenerate`` reject does not run. The function passes the device to the
    worker in the environment of this process: call it from one thread at a time.

    Args:
        pairs: the pairs, or a dataset.
        device: a CUDA device such as ``"cuda:0"``, or ``"cpu"`` to try the function without a GPU. By default, the device that
            the environment variable ``WARPSMITH_DEVICE`` names, or else ``"cuda:0"``.
        count: the number of pairs to measure, from the first one.
        launches: the number of launches of each pair, of which the median counts.
        unconfined: whether to use the device without a sandbox, for pairs that you trust.

    Returns:
        The numbers of pairs, and the medians of their times.

    Raises:
        DeviceError: if this machine does not have the device.
        WarpsmithError: if the sandbox does not work on this machine, the device cannot be used in it, or the worker stops.
    """
    with selected_device(device):
        lines = list(islice(_lines(pairs), count))
        with Supervisor(LEVELS, WORKERS[unconfined]) as supervisor, Supervisor(SAFE_LEVELS, SAFE_WORKERS[unconfined]) as gate:
            checked = zip(lines, gate.check(lines), strict=True)
            accepted = [line for line, verdicts in checked if all(verdict.status != "fail" for verdict in verdicts)]
            refused = len(lines) - len(accepted)
            if not accepted:
                return PairTimes(0, refused)
            limit = BENCH_SECONDS * len(accepted)
            return _times(len(accepted), refused, read_figures(supervisor.run_task(BENCH, accepted, limit, launches=launches)))


def prove_device(module: str) -> None:
    """Check that a process in the sandbox can use the device that the environment names.

    Args:
        module: the module of the worker.

    Raises:
        WarpsmithError: if it cannot, with the reason.
    """
    with Supervisor((), module) as supervisor:
        try:
            answer = supervisor.run_task(PROVE, [], PROVE_SECONDS)
        except SandboxError as error:
            answer = {"problem": str(error)}
    require_device(answer)


def _require_usable(device: str, unconfined: bool) -> None:
    """Check that the worker can use the device; on the CPU the sandbox is the one of the worker itself."""
    if device != "cpu":
        prove_device(WORKERS[unconfined])


@contextmanager
def selected_device(requested: str | None) -> Iterator[str]:
    """Yield the device that is used, while the environment passes it to workers.

    Raises:
        DeviceError: if this machine does not have it.
    """
    device, before = chosen_device(requested), os.environ.get(VARIABLE)
    os.environ[VARIABLE] = device
    try:
        yield device
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


def _lines(pairs: Iterable[Pair] | Dataset) -> Iterator[Line]:
    if isinstance(pairs, Dataset):
        yield from pairs.lines()
        return
    for number, pair in enumerate(pairs, start=1):
        yield decode(encode(pair), _MEMORY, number)


def _times(accepted: int, refused: int, figures: Figures) -> PairTimes:
    return PairTimes(accepted, refused, figures["pairs"], figures["failed"], figures.get("build ms"), figures.get("run ms"))
