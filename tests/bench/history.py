"""The history of bench runs: a line of JSON for each run, with its ratios, commit, date and machine class."""

from __future__ import annotations

import json
import math
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.figures import Ratio

FOLDER = Path("build/bench")


class HistoryError(Exception):
    """A file of runs cannot be read; the message is one line that says where, why and what to do."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What ratios depend on, apart from the code: only runs on equal machine classes are compared."""

    cpu: str
    cores: int
    python: str
    warp: str

    def __str__(self) -> str:
        return f"{self.cpu}, {self.cores} cores, Python {self.python}, Warp {self.warp}"


@dataclass(frozen=True, slots=True)
class Run:
    """The ratios of one run, by name."""

    commit: str
    date: str
    machine: Machine
    ratios: Mapping[str, Ratio]

    def to_json(self) -> str:
        """Return the run as one line without its end."""
        ratios = [{"name": name, **asdict(ratio)} for name, ratio in self.ratios.items()]
        return json.dumps({"commit": self.commit, "date": self.date, "machine": asdict(self.machine), "ratios": ratios})

    @classmethod
    def from_json(cls, text: str) -> Run:
        """Read what `to_json` writes.

        Raises:
            ValueError: if the text is anything else.
        """
        try:
            row = json.loads(text)
            ratios = {one["name"]: _ratio(one["value"], one["spread"], one["unit"]) for one in row["ratios"]}
            machine = Machine(**row["machine"])
            commit, date = row["commit"], row["date"]
        except KeyError as error:
            raise ValueError(f"{error} is missing") from None
        except (TypeError, AttributeError):
            raise ValueError("not a run") from None
        if not all(isinstance(text, str) for text in (commit, date)):
            raise ValueError("commit and date are not texts")
        return cls(commit, date, machine, ratios)


def _ratio(value: float, spread: float | None, unit: str) -> Ratio:
    if not (math.isfinite(value) and value > 0.0 and (spread is None or (math.isfinite(spread) and spread >= 0.0))):
        raise ValueError(f"{value} with spread {spread} is no ratio")
    return Ratio(float(value), None if spread is None else float(spread), str(unit))


def read_run(path: Path) -> Run:
    """Return the run of a file.

    Raises:
        HistoryError: if there is no such file, or if it contains anything else.
    """
    if not path.exists():
        raise HistoryError(f"{path} does not exist: `nox -s bench` writes it")
    try:
        return Run.from_json(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise HistoryError(f"{path}: {error}: `nox -s bench` writes it again") from None


def read_history(path: Path) -> list[Run]:
    """Return all runs, oldest first; none if there is no such file.

    Raises:
        HistoryError: if a line is not a run.
    """
    runs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() if path.exists() else (), start=1):
        try:
            runs.append(Run.from_json(line))
        except ValueError as error:
            raise HistoryError(f"{path}, line {number}: {error}: remove the line") from None
    return runs


def this_machine(warp: str) -> Machine:
    """Return the class of this machine.

    Args:
        warp: the release of Warp.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return Machine(_processor(), cores, ".".join(platform.python_version_tuple()[:2]), warp)


def _processor() -> str:
    """Return the model of the processor, or its architecture where the system does not tell the model."""
    table = Path("/proc/cpuinfo")
    lines = table.read_text(encoding="utf-8").splitlines() if table.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models and models[0] else platform.processor() or platform.machine()
