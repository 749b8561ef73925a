"""The promise: hostile pairs in a dataset fail, do no harm, and change nothing of what is said of the others."""

from __future__ import annotations

import importlib
import importlib.util
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

from processes import assert_nothing_lives, living_below
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.records.jsonl import Line, encode, read_lines
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.dataset_run import validate_dataset
from warpsmith.validation.levels.registry import LEVELS
from warpsmith.validation.sandbox.supervisor import Supervisor

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what confines children is Linux's")

BENIGN = """import warp as wp


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i] + 1.0
"""

REPRESENTATIVE = "run_a_command close_the_function redefine_a_word endless_loop forge_answers far_out_of_bounds".split()
"""One of each kind that the command below does not judge; all of them take minutes."""

PASSING_PARSE = ("create_a_file", "in_the_adjoint", "before_the_start")
"""Some that the allow list cannot know."""

GOOD = 5
"""How many good pairs they lie among."""

Write = Callable[[Iterable[str], Path], Path]


@pytest.fixture(scope="module")
def corpus() -> Any:
    return sys.modules.get("hostile_corpus") or _load_corpus()


def _load_corpus() -> Any:
    spec = importlib.util.spec_from_file_location("hostile_corpus", Path(__file__).with_name("hostile") / "corpus.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["hostile_corpus"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def ladders(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module `short_limits`, which children then find by that name."""
    here = str(Path(__file__).parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([here, os.environ.get("PYTHONPATH", "")]))
    monkeypatch.syspath_prepend(here)
    return importlib.import_module("short_limits")


@pytest.fixture
def write(corpus: Any, lines: list[Line], pair_line: Callable[..., Line]) -> Write:
    """Write a dataset of hostile pairs among some good ones; what hostile pairs leave in case of success is ``marker``."""

    def make(names: Iterable[str], folder: Path) -> Path:
        folder.mkdir()
        hostile = {one.name: one for one in corpus.CORPUS}
        raws = [line.raw for line in lines[:GOOD]]
        for number, name in enumerate(names):
            one = hostile[name]
            source = one.source(marker_of(folder))
            acts_when_loaded = one in corpus.WHEN_LOADED or not one.extractable
            line = pair_line(BENIGN if acts_when_loaded else source, corpus.LAUNCH, identity=name)
            record = json.loads(line.raw) | {"python_source": source}
            raws.insert((7 * number + 3) % len(raws), encode(record))
        (folder / "pairs.jsonl").write_bytes(b"".join(raws))
        return folder / "pairs.jsonl"

    return make


def marker_of(folder: Path) -> Path:
    return folder.parent / f"marker-{folder.name}"


def said(path: Path) -> dict[str, list[tuple[str, str, str]]]:
    """What was said of each pair: level, status and reason."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for verdict in Dataset.open(path).read_verdicts(path).values():
        assert isinstance(verdict, Verdict)
        found.setdefault(verdict.id, []).append((verdict.level, verdict.status, verdict.reason))
    return found


def assert_held(path: Path, names: Iterable[str], corpus: Any, guarded: bool, good: list[Line]) -> None:
    table = {one.name: one for one in corpus.CORPUS}
    verdicts = said(path)
    assert len(verdicts) == len(list(read_lines(path)))
    for name in names:
        levels = [level for level, _, _ in verdicts[name]]
        failed = [level for level, status, _ in verdicts[name] if status == "fail"]
        expected = table[name].level if guarded else table[name].beneath
        if expected is not None:
            assert failed, (name, verdicts[name])
            assert levels.index(failed[0]) <= levels.index(expected), (name, verdicts[name])
    assert not marker_of(path.parent).exists()
    assert all({status for _, status, _ in verdicts[line.identity]} <= {"pass", "not_applicable"} for line in good)


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for temporary files of this test alone, and of the commands that it runs.

    Children have a scratch folder below it as home, by which they are told from those of tests that run at the same time.
    """
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


def test_living_processes_are_found(temporary: Path, lines: list[Line]) -> None:
    """A child with what it started, and nobody of another test: without this, what is said of the others means nothing."""
    with Supervisor(LEVELS[:1]) as one:
        one.verdicts(lines[:1])
        assert one.client.process is not None
        assert living_below(temporary) == [one.client.process.pid]
    sleep = ("sleep", "60")
    with subprocess.Popen(sleep, env={"HOME": "/tmp/warpsmith-x"}) as foreign:  # noqa: S108 - a home, and nothing is written
        assert_nothing_lives(temporary)
        foreign.kill()
    with subprocess.Popen(sleep, env={"HOME": f"{temporary}/warpsmith-x"}, start_new_session=True) as left:
        with pytest.raises(AssertionError, match=str(left.pid)):
            assert_nothing_lives(temporary)
        assert left.wait() == -signal.SIGKILL


def climb(path: Path, ladder: Any) -> None:
    validate_dataset(Dataset.open(path), ladder, again=True, module="short_limits")


def test_some_among_good_pairs(
    write: Write, corpus: Any, ladders: Any, lines: list[Line], tmp_path: Path, temporary: Path
) -> None:
    """Without the allow list of level parse, which stops some of them, so that the levels beneath are tried."""
    alone, together = write([], tmp_path / "good"), write(REPRESENTATIVE, tmp_path / "mixed")
    for path in (alone, together):
        climb(path, ladders.UNGUARDED)
    assert_held(together, REPRESENTATIVE, corpus, guarded=False, good=lines[:GOOD])
    mixed = said(together)
    assert {line.identity: mixed[line.identity] for line in lines[:GOOD]} == said(alone)
    assert_nothing_lives(temporary)


@pytest.mark.exhaustive
def test_the_command_judges_them(
    run: Any, write: Write, corpus: Any, lines: list[Line], tmp_path: Path, temporary: Path
) -> None:
    path = write(PASSING_PARSE, tmp_path / "mixed")
    result = json.loads(run("validation", "run", path, "--level", "gradient", "--workers", 1, "--json", expect=1).stdout)
    assert result["pairs"] == len(PASSING_PARSE) + GOOD
    assert {one["id"] for one in result["failures"]} == set(PASSING_PARSE)
    assert_held(path, PASSING_PARSE, corpus, guarded=True, good=lines[:GOOD])
    assert_nothing_lives(temporary)


@pytest.mark.exhaustive
@pytest.mark.parametrize("guarded", [True, False], ids=["guarded", "unguarded"])
def test_all_among_good_pairs(
    write: Write, corpus: Any, ladders: Any, lines: list[Line], tmp_path: Path, temporary: Path, guarded: bool
) -> None:
    names = [one.name for one in corpus.CORPUS]
    path = write(names, tmp_path / "mixed")
    climb(path, ladders.GUARDED if guarded else ladders.UNGUARDED)
    assert_held(path, names, corpus, guarded, lines[:GOOD])
    assert_nothing_lives(temporary)
