"""The self-test of a worker: before it receives a line, it proves that it can write, compile, load and run."""

from __future__ import annotations

import ctypes
import os
import resource
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from warpsmith.core.errors import describe
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.confinement.process_limits import WORKER_FILE_SIZE, WORKER_OPEN_FILES

FREE_BYTES = 64 << 20
"""The free bytes that the folder of a worker needs: precompiled headers, objects and logs take about half of them."""

WRITTEN_BYTES = 4 << 20
"""The bytes that the self-test writes."""

_PROBE = 42
"""What the compiled function returns."""


class TaskProblem(TypedDict):
    """The answer of a task of a new worker: why the worker cannot work on this machine, or None."""

    problem: str | None


def problem_of_limits(memory: int) -> str | None:
    """Return which limit of this process is below the one that checks need, or None.

    Args:
        memory: bytes of address space; 0 for any number.
    """
    for name, kind, needed in (
        ("address space", resource.RLIMIT_AS, memory),
        ("the size of files", resource.RLIMIT_FSIZE, WORKER_FILE_SIZE),
        ("the number of open files", resource.RLIMIT_NOFILE, WORKER_OPEN_FILES),
    ):
        soft, _ = resource.getrlimit(kind)
        if soft != resource.RLIM_INFINITY and soft < needed:
            return f"{name} is limited to {soft}, and checks need {needed}; see ulimit"
    return None


def problem_of_files(scratch: Path) -> str | None:
    """Return why this process cannot write some megabytes to its folder, or None."""
    path = scratch / "probe"
    try:
        state = os.statvfs(scratch)
        free = state.f_bavail * state.f_frsize
        if free < FREE_BYTES:
            return f"{free >> 20} MiB are free in the folder for temporary files (TMPDIR), and checks need {FREE_BYTES >> 20}"
        path.write_bytes(bytes(WRITTEN_BYTES))
        if path.stat().st_size != WRITTEN_BYTES:
            return "the folder for temporary files (TMPDIR) lost what was written"
        path.unlink()
    except OSError as error:
        return f"the folder for temporary files (TMPDIR) cannot be used: {describe(error)}"
    return None


def compile_and_run(_: Sequence[Line]) -> TaskProblem:
    """Compile a function, load it and run it in a fork; the answer contains the problem, or null."""
    try:
        return {"problem": problem_of_files(Path.cwd()) or _problem_of_code(Path.cwd())}
    except Exception as error:  # noqa: BLE001 - the client reports every error
        return {"problem": describe(error)}


def _problem_of_code(scratch: Path) -> str | None:
    import numpy as np  # noqa: PLC0415 - schema and parse run without it

    from warpsmith.validation.compiling.clang import compile_probe  # noqa: PLC0415 - loads Warp
    from warpsmith.validation.running.fork_runner import run_forked  # noqa: PLC0415 - used with the compiler only
    from warpsmith.validation.running.shared_memory import Arena  # noqa: PLC0415 - loads NumPy

    function = ctypes.CFUNCTYPE(ctypes.c_int)(compile_probe(scratch))
    answer = Arena().zeros(np.zeros(1, dtype=np.int64))
    (problem,) = run_forked([[lambda: answer.__setitem__(0, function())]])
    if problem is not None:
        return f"compiled code does not run: {problem}"
    return None if int(answer[0]) == _PROBE else "compiled code does not leave its results"
