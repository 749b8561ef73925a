"""Runs of cases in worker processes, each with the Warp of an environment: results by case."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import msgspec

from warpsmith.core.errors import WarpsmithError
from warpsmith.validation.fuzz.grammar.cases import Case

WORKER = Path(__file__).with_name("case_worker.py")
"""The script that each worker runs; it imports nothing of warpsmith, so that its environment needs only Warp and NumPy."""


class Wrong(msgspec.Struct, frozen=True, array_like=True):
    """An element of a gradient that is not the derivative.

    Attributes:
        leaf: the argument, and the member after a dot.
        index: the index of the element.
        got: the gradient of `wp.Tape`; text if it is not finite.
        expected: the central difference.
    """

    leaf: str
    index: tuple[int, ...]
    got: float | str
    expected: float


class Result(msgspec.Struct, frozen=True):
    """What a worker reports about a case.

    Attributes:
        status: ``ok``, ``rejected`` by Warp with a message, or a failure: ``compile``, ``crash``, ``hang``.
        reason: the message.
        stage: the pass in which the process ended.
        values: the outputs by name.
        gradient: the gradients of a weighted sum of the outputs, by leaf.
        wrong: the elements of gradients that are wrong.
        compared: the number of elements that were compared with differences.
    """

    status: str
    reason: str = ""
    stage: str = ""
    values: dict[str, list[float | None]] = {}
    gradient: dict[str, list[float | None]] = {}
    wrong: list[Wrong] = []
    compared: int = 0


@dataclass(slots=True)
class CaseWorker:
    """A worker process; use it as a context.

    Attributes:
        python: the interpreter of the environment; this one by default.
        warp: the version of its Warp, known once the process runs.
    """

    python: str = sys.executable
    warp: str = ""
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def __enter__(self) -> CaseWorker:
        """Start the process.

        Raises:
            WarpsmithError: if it has no Warp.
        """
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        self._process = subprocess.Popen(  # noqa: S603 - the interpreter that the user names
            [self.python, str(WORKER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        try:
            self.warp = self._answer()["warp"]
        except WarpsmithError:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        """End the process."""
        self.close()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            with self._process:  # closes the pipes and waits
                pass
            self._process = None

    def run(self, cases: Sequence[Case]) -> list[Result]:
        """Return the results of cases, in order; cases with the same settings are one batch."""
        found: list[Result | None] = [None] * len(cases)
        for settings in dict.fromkeys(case.settings for case in cases):
            numbers = [number for number, case in enumerate(cases) if case.settings == settings]
            request = {"settings": dict(settings), "cases": [cases[number].to_json() for number in numbers]}
            stdin, _ = self._pipes()
            stdin.write(msgspec.json.encode(request) + b"\n")
            stdin.flush()
            for number, answer in zip(numbers, self._answer(), strict=True):
                found[number] = msgspec.convert(answer, Result)
        return [result for result in found if result is not None]

    def _answer(self) -> Any:
        _, stdout = self._pipes()
        line = stdout.readline()
        if not line:
            raise WarpsmithError(f"{self.python} cannot run cases: its environment needs warp-lang and numpy")
        return msgspec.json.decode(line.replace(b"NaN", b"null").replace(b"-Infinity", b"null").replace(b"Infinity", b"null"))

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process is None or self._process.stdin is None or self._process.stdout is None:
            raise WarpsmithError("a CaseWorker is a context: use it in a with statement")
        return self._process.stdin, self._process.stdout
