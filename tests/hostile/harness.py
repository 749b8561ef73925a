"""Hostile records among harmless ones, tried with every command: the problems that this causes."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hostile.processes import Done, Problem, Surroundings, remove
from hostile.row import Row, Setting, neighbours
from warpsmith.core.datasets.manifest import Manifest, Shard
from warpsmith.core.records.jsonl import decode

LEVELS = ("schema", "parse", "regenerate", "compile", "execute", "emulate", "gradient")
SHARD = "pairs-00000.jsonl"
REQUIRED = ("--require", "gradient=pass")
COMMANDS = ("validate", "filter", "export", "stats", "report", "gpu", "reduce")
SATISFYING = ("pass", "not_applicable")

Found = dict[str, list[tuple[str, str, str]]]
"""Level, status and reason of each verdict, by id."""


@dataclass(frozen=True, slots=True)
class Alone:
    """The harmless pairs without hostile ones: their lines and the verdicts of `validate` and `gpu`."""

    lines: tuple[bytes, ...]
    verdicts: dict[str, Found]

    @property
    def identities(self) -> list[str]:
        """The ids of the pairs."""
        return [json.loads(line)["id"] for line in self.lines]


class Trial:
    """One dataset with hostile and harmless pairs.

    Attributes:
        rows: the hostile records.
        folder: the dataset.
        where: the lines of each row, with their numbers.
    """

    def __init__(self, rows: Sequence[Row], lines: Sequence[bytes], root: Path, seconds: float) -> None:
        self.rows, self.seconds = rows, seconds
        self.surroundings = Surroundings(root)
        self.folder = root / "data"
        self.folder.mkdir()
        self.where: dict[str, dict[int, bytes]] = {}
        self._lines = list(lines)
        self._write()

    def _write(self) -> None:
        setting = Setting(self.surroundings.marker, tuple(map(json.loads, self._lines)))
        contents: list[tuple[Row | None, bytes]] = [(None, line) for line in self._lines]
        for number, row in enumerate(self.rows):
            contents.insert((7 * number + 3) % (len(contents) + 1), (row, row.content(setting)))
        count = 0
        for row, content in contents:
            lines = content.split(b"\n")[:-1]
            if row is not None:
                self.where[row.name] = {count + number: line for number, line in enumerate(lines, start=1)}
            count += len(lines)
        write_dataset(self.folder, b"".join(content for _, content in contents), count)

    def start(self, command: str, *more: object) -> Done:
        """Run a command on the dataset."""
        tool, *arguments = self.command(command, *more)
        return self.surroundings.start(str(tool), *arguments, seconds=self.seconds)

    def command(self, command: str, *more: object) -> tuple[object, ...]:
        """Return the tool and the arguments of a command."""
        folder, root = self.folder, self.surroundings.root
        return {
            "validate": ("validation", "run", folder, "--level", "gradient", "--workers", 1, "--json"),
            "filter": ("core", "filter", folder, *REQUIRED, "-o", root / "filtered"),
            "export": ("core", "export", folder, *REQUIRED, "--format", "jsonl", "-o", root / "exported"),
            "stats": ("stats", folder, "--workers", 1),
            "report": ("report", folder, "--workers", 1),
            "gpu": ("gpu_checks", "run", folder, "--device", "cpu"),
            "reduce": ("validation", "reduce", folder, "--workers", 1, "--seconds", 5, "-o", root / "reduced.jsonl"),
        }[command] + more

    def has_other_lines(self) -> bool:
        """Return whether a line of the dataset is no record."""
        lines = (line for row in self.rows for line in self.where[row.name].values() if line.strip())
        return any(decode(line, self.folder / SHARD, 1).pair is None for line in lines)

    def verdicts(self) -> Found:
        """Return the verdicts beside the shard."""
        found: Found = {}
        for path in sorted(self.folder.glob("verdicts-*.jsonl")):
            for line in path.read_bytes().splitlines():
                verdict = json.loads(line)
                found.setdefault(verdict["id"], []).append((verdict["level"], verdict["status"], verdict["reason"]))
        return found

    def copied(self, command: str) -> Counter[bytes]:
        """Return the lines of pairs in the output of `filter` or `export`, and remove it."""
        output = self.surroundings.root / {"filter": "filtered", "export": "exported"}[command]
        lines: Counter[bytes] = Counter()
        for path in output.rglob("*.jsonl"):
            if not path.name.startswith(("verdicts", "clusters")):
                lines.update(path.read_bytes().split(b"\n"))
        shutil.rmtree(output, ignore_errors=True)
        del lines[b""]
        return lines


def write_dataset(folder: Path, content: bytes, count: int) -> None:
    """Write a shard and its manifest."""
    (folder / SHARD).write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    shard = Shard(file=SHARD, pairs=count, bytes=len(content), sha256=digest, categories={})
    Manifest(pairs=count, bytes=len(content), categories={}, shards=(shard,)).write(folder)


def alone(root: Path, count: int = 20, commands: Sequence[str] = ("validate", "gpu"), seconds: float = 300.0) -> Alone:
    """Return the verdicts of harmless pairs without hostile ones."""
    lines = tuple(neighbours(count))
    trial = Trial((), lines, root, seconds)
    verdicts: dict[str, Found] = {}
    for command in commands:
        done = trial.start(command)
        if done.code != 0:
            raise AssertionError(f"{command} ends with {done.code}: {done.out} {done.err}")
        verdicts[command] = trial.verdicts()
    return Alone(lines, verdicts)


def problems(rows: Sequence[Row], good: Alone, root: Path, commands: Sequence[str], seconds: float) -> Iterator[Problem]:
    """Yield the problems of a dataset with ``rows`` and the harmless pairs, command by command.

    Args:
        rows: the hostile records.
        good: the harmless pairs.
        root: an empty folder.
        commands: some of `COMMANDS`; the others need the verdicts of ``validate``.
        seconds: the time limit of each command.
    """
    trial = Trial(rows, good.lines, root, seconds)
    for command in commands:
        if command == "reduce":
            yield from _reduce(trial)
            continue
        done = trial.start(command)
        yield from trial.surroundings.problems(command, done)
        if command in ("validate", "gpu"):
            found = trial.verdicts()
            yield from _neighbours_problems(command, good, found)
            yield from _rows_problems(command, trial, found)
        elif command in ("filter", "export"):
            yield from _copies_problems(command, trial, good, done)
    remove(root)


def _neighbours_problems(command: str, good: Alone, found: Found) -> Iterator[Problem]:
    for identity in good.identities:
        expected = good.verdicts[command][identity]
        if (actual := found.get(identity, [])) != expected:
            changed = [new for new in actual if new not in expected] or ["verdicts are missing"]
            yield Problem("changed", command, f"{identity}: {str(changed[0])[:200]}")


def _identity(number: int, line: bytes) -> str:
    try:
        identity = json.loads(line)["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        identity = None
    return identity if isinstance(identity, str) else f"{SHARD}:{number}"


def _rows_problems(command: str, trial: Trial, found: Found) -> Iterator[Problem]:
    for row in trial.rows:
        for number, line in trial.where[row.name].items():
            own = found.get(_identity(number, line), []) + found.get(f"{SHARD}:{number}", [])
            failed = [level for level, status, _ in own if status == "fail"]
            if row.level is None or not line.strip():
                continue
            # `gpu` has two of these levels only.
            last = row.level if command == "validate" or row.level in ("schema", "parse") else None
            if last and not any(level in LEVELS[: LEVELS.index(last) + 1] for level in failed):
                shown = [(level, status) for level, status, _ in own if status not in ("pass", "skipped")]
                yield Problem("missed", command, f"{row.name} passes {row.level}: {shown[:2] or len(own)}")


def _copies_problems(command: str, trial: Trial, good: Alone, done: Done) -> Iterator[Problem]:
    """Yield the problems of the copies; `export` writes nothing if a line of the dataset is no record."""
    verdicts = good.verdicts["validate"]
    expected = Counter(
        line.rstrip(b"\n") for line, identity in zip(good.lines, good.identities, strict=True)
        if any(level == "gradient" and status in SATISFYING for level, status, _ in verdicts[identity])
    )  # fmt: skip
    copied = trial.copied(command)
    if command == "export" and done.code == 2 and not copied and trial.has_other_lines():
        return
    harmless = Counter(line for row in trial.rows if row.level is None for line in trial.where[row.name].values())
    if missing := expected - copied:
        yield Problem("changed", command, f"{sum(missing.values())} harmless pairs are missing or differ")
    for line in copied - expected - harmless:
        names = [row.name for row in trial.rows if line in trial.where[row.name].values()]
        yield Problem("missed", command, f"copies {names[0] if names else line[:80]}")


def failures(trial: Trial) -> Iterator[tuple[str, str]]:
    """Yield the id and the failed level of each row that failed."""
    found: dict[str, list[tuple[str, str, str]]] = trial.verdicts()
    for row in trial.rows:
        identities = {_identity(number, line) for number, line in trial.where[row.name].items()}
        for identity in sorted(identities)[:1]:
            failed = [level for level, status, _ in found.get(identity, []) if status == "fail" and level in LEVELS]
            if failed and "\0" not in identity and len(identity) < 100_000:
                yield identity, failed[0]


def _reduce(trial: Trial) -> Iterator[Problem]:
    for identity, level in list(failures(trial)):
        done = trial.start("reduce", "--level", level, "--", identity)
        yield from trial.surroundings.problems(f"reduce {identity[:60]!r}", done)
        (trial.surroundings.root / "reduced.jsonl").unlink(missing_ok=True)


def count(found: Sequence[Problem]) -> dict[str, Any]:
    """Return the number of problems by kind."""
    return dict(Counter(problem.kind for problem in found))
