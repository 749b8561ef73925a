"""Hostile pairs in a dataset fail, do no harm, and do not change the verdicts of other pairs."""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from checked_lines import verdicts_of
from hostile.row import to_line
from hostile.sources import record
from hostile.table import CORPUS
from processes import assert_nothing_lives, living_below
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.execution.executor import InProcess
from warpsmith.core.records.jsonl import Line, read_lines
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.dataset_run import validate_dataset
from warpsmith.validation.levels.registry import LEVELS
from warpsmith.validation.sandbox.supervisor import Supervisor

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

REPRESENTATIVE = "run_a_command endless_loop forge_answers far_out_of_bounds".split()
"""Sources that act in different ways, and are not in `PASSING_PARSE`; checking all sources takes minutes."""

PASSING_PARSE = ("create_a_file", "in_the_adjoint", "before_the_start")
"""Sources that the allowlist cannot detect."""

HARMLESS_PAIRS = 5
"""The number of harmless pairs in each dataset."""

Write = Callable[[Iterable[str], Path], Path]


@pytest.fixture
def limited_levels(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the module `short_limits`, which workers import by that name."""
    folder = str(Path(__file__).parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")]))
    monkeypatch.syspath_prepend(folder)
    return importlib.import_module("short_limits")


@pytest.fixture
def write(lines: list[Line]) -> Write:
    """Return a function that writes a dataset of hostile and harmless pairs; a successful attack creates the marker file."""

    def make(names: Iterable[str], folder: Path) -> Path:
        folder.mkdir()
        hostile = {one.name: one for one in CORPUS}
        raws = [line.raw for line in lines[:HARMLESS_PAIRS]]
        for number, name in enumerate(names):
            raws.insert((7 * number + 3) % len(raws), to_line(record(hostile[name], marker_of(folder))))
        (folder / "pairs.jsonl").write_bytes(b"".join(raws))
        return folder / "pairs.jsonl"

    return make


def marker_of(folder: Path) -> Path:
    return folder.parent / f"marker-{folder.name}"


def findings_by_pair(path: Path) -> dict[str, list[tuple[str, str, str]]]:
    """Return level, status and reason of every verdict, by pair."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for verdict in Dataset.open(path).read_verdicts(path).values():
        assert isinstance(verdict, Verdict)
        found.setdefault(verdict.id, []).append((verdict.level, verdict.status, verdict.reason))
    return found


def assert_hostile_pairs_fail(path: Path, names: Iterable[str], guarded: bool, harmless: list[Line]) -> None:
    table = {one.name: one for one in CORPUS}
    verdicts = findings_by_pair(path)
    assert len(verdicts) == len(list(read_lines(path)))
    for name in names:
        levels = [level for level, _, _ in verdicts[name]]
        failed = [level for level, status, _ in verdicts[name] if status == "fail"]
        expected = table[name].level if guarded else table[name].level_without_parse
        if expected is not None:
            assert failed, (name, verdicts[name])
            assert levels.index(failed[0]) <= levels.index(expected), (name, verdicts[name])
    assert not marker_of(path.parent).exists()
    assert all({status for _, status, _ in verdicts[line.identity]} <= {"pass", "not_applicable"} for line in harmless)


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder for the temporary files of this test and of its commands.

    Workers have a scratch folder below it as home, which distinguishes them from the workers of concurrent tests.
    """
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


@pytest.mark.exhaustive
def test_living_processes_are_found(temporary: Path, lines: list[Line]) -> None:
    """`living_below` finds workers and their processes, but no process of another test; the tests below depend on this."""
    with Supervisor(LEVELS[:1]) as one:
        verdicts_of(one, lines[:1])
        assert one.client.process is not None
        assert living_below(temporary) == [one.client.process.pid]
    sleep = ("sleep", "60")
    with subprocess.Popen(sleep, env={"HOME": "/tmp/warpsmith-x"}) as foreign:  # noqa: S108 - nothing is written there
        assert_nothing_lives(temporary)
        foreign.kill()
    with subprocess.Popen(sleep, env={"HOME": f"{temporary}/warpsmith-x"}, start_new_session=True) as left:
        with pytest.raises(AssertionError, match=str(left.pid)):
            assert_nothing_lives(temporary)
        assert left.wait() == -signal.SIGKILL


def validate(path: Path, levels: Any) -> None:
    validate_dataset(Dataset.open(path), levels, again=True, module="short_limits", executor=InProcess(1))


def test_representative_hostile_pairs_among_harmless_pairs(
    write: Write, limited_levels: Any, lines: list[Line], tmp_path: Path, temporary: Path
) -> None:
    """Level parse is left out, because its allowlist rejects some of these pairs before other levels check them."""
    alone, together = write([], tmp_path / "harmless"), write(REPRESENTATIVE, tmp_path / "mixed")
    for path in (alone, together):
        validate(path, limited_levels.UNGUARDED)
    assert_hostile_pairs_fail(together, REPRESENTATIVE, guarded=False, harmless=lines[:HARMLESS_PAIRS])
    mixed = findings_by_pair(together)
    assert {line.identity: mixed[line.identity] for line in lines[:HARMLESS_PAIRS]} == findings_by_pair(alone)
    assert_nothing_lives(temporary)


@pytest.mark.exhaustive
def test_the_command_reports_hostile_pairs(run: Any, write: Write, lines: list[Line], tmp_path: Path, temporary: Path) -> None:
    path = write(PASSING_PARSE, tmp_path / "mixed")
    result = json.loads(run("validation", "run", path, "--level", "gradient", "--workers", 1, "--json", expect=1).stdout)
    assert result["pairs"] == len(PASSING_PARSE) + HARMLESS_PAIRS
    assert {one["id"] for one in result["failures"]} == set(PASSING_PARSE)
    assert_hostile_pairs_fail(path, PASSING_PARSE, guarded=True, harmless=lines[:HARMLESS_PAIRS])
    assert_nothing_lives(temporary)


@pytest.mark.exhaustive
@pytest.mark.parametrize("guarded", [True, False], ids=["guarded", "unguarded"])
def test_all_hostile_pairs_among_harmless_pairs(
    write: Write, limited_levels: Any, lines: list[Line], tmp_path: Path, temporary: Path, guarded: bool
) -> None:
    names = [one.name for one in CORPUS]
    path = write(names, tmp_path / "mixed")
    validate(path, limited_levels.GUARDED if guarded else limited_levels.UNGUARDED)
    assert_hostile_pairs_fail(path, names, guarded, lines[:HARMLESS_PAIRS])
    assert_nothing_lives(temporary)
