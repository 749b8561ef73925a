"""Surroundings do not fail a pair: killed processes, full folders, limits that are too low, broken installations."""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from checked_lines import verdicts_of
from processes import command_of, descendants_of, is_alive, kill
from warpsmith.core.files import temporary_folders
from warpsmith.core.files.temporary_folders import TemporaryFolder, sweep
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.pair import Origin
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.confinement.machine_problems import machine_words
from warpsmith.validation.levels.registry import LEVELS, Level, levels_to
from warpsmith.validation.running.fork_runner import MachineText, run_forked
from warpsmith.validation.sandbox.checked_line import CheckedLine
from warpsmith.validation.sandbox.fault_attribution import Trouble, verdicts_of_trouble
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.supervisor import Supervisor

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning"),
]

KILLED = "the check died of SIGKILL"
CODE = "from warpsmith.validation.cli import main; main()"


def outcome(verdicts: list[Verdict]) -> list[tuple[str, str, str, str]]:
    return [(verdict.id, verdict.level, verdict.status, verdict.reason) for verdict in verdicts]


def verdicts_while_killing(
    lines: list[Line], levels: tuple[Level, ...], headers: Headers, kills: int, rng: random.Random
) -> tuple[list[Verdict], int]:
    """Check lines while another thread kills the worker and its forks at random times; return the kills, too."""
    done, ended = 0, threading.Event()
    with Supervisor(levels, headers=headers) as supervisor:
        verdicts_of(supervisor, lines[:1])  # a machine that works

        def disturb() -> None:
            nonlocal done
            while done < kills and not ended.wait(rng.uniform(0.05, 0.6)):
                process = supervisor.client.process
                living = [] if process is None else [process.pid, *descendants_of(process.pid)]
                victims = [one for one in living if is_alive(one) and command_of(one)]
                if victims:
                    kill(rng.choice(victims[-2:]))
                    done += 1

        thread = threading.Thread(target=disturb)
        thread.start()
        try:
            return verdicts_of(supervisor, lines), done
        finally:
            ended.set()
            thread.join()


@pytest.mark.exhaustive
def test_killed_processes_do_not_change_verdicts(lines: list[Line], headers: Headers) -> None:
    levels = levels_to("execute")
    with Supervisor(levels, headers=headers) as supervisor:
        undisturbed = outcome(verdicts_of(supervisor, lines[:3]))
    verdicts, kills = verdicts_while_killing(lines[:3], levels, headers, 2, random.Random(1))  # noqa: S311
    assert kills > 0
    assert outcome(verdicts) == undisturbed


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", ["compile", "execute", "gradient"])
def test_many_kills_do_not_change_verdicts(lines: list[Line], tmp_path: Path, level: str) -> None:
    """The command, its workers and their forks are killed a hundred times; a killed command is started again."""
    shard = tmp_path / "pairs.jsonl"
    shard.write_bytes(b"".join(line.raw for line in lines[:25]))
    command = [sys.executable, "-c", CODE, "run", str(shard), "--level", level, "--workers", "1"]
    undisturbed = run_until_it_ends(command, shard, 0, random.Random(level))  # noqa: S311
    total, rng = 0, random.Random(level)  # noqa: S311
    while total < 100:
        kills = min(4, 100 - total)
        assert run_until_it_ends(command, shard, kills, rng) == undisturbed
        total += kills


def run_until_it_ends(command: list[str], shard: Path, kills: int, rng: random.Random) -> list[tuple[str, str, str, str]]:
    """Start a command until it ends with success, while ``kills`` of its processes are killed; return the verdicts."""
    killed = True
    while killed:
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
            before = kills
            while kills and running.poll() is None:
                time.sleep(rng.uniform(0.1, 4.0))
                living = [one for one in (running.pid, *descendants_of(running.pid)) if is_alive(one)]
                if living and running.poll() is None:
                    kill(rng.choice(living))
                    kills -= 1
            _, errors = running.communicate()
        killed = kills < before and running.returncode != 0
    assert running.returncode == 0, errors.decode()
    verdicts = shard.with_name(f"verdicts-{shard.name}")
    found = [json.loads(line) for line in verdicts.read_text().splitlines()]
    for path in shard.parent.glob("verdicts-*"):
        path.unlink()
    return [(verdict["id"], verdict["level"], verdict["status"], verdict["reason"]) for verdict in found]


def test_a_pair_whose_worker_is_always_killed_is_inconclusive(
    lines: list[Line], headers: Headers, monkeypatch: pytest.MonkeyPatch
) -> None:
    death = Trouble(0, KILLED, died=True, killed=True)
    with Supervisor(LEVELS[:2], headers=headers) as supervisor:
        verdicts_of(supervisor, lines[:1])
        monkeypatch.setattr(supervisor, "_collect", lambda lines: ([CheckedLine(line) for line in lines], death))
        verdicts = verdicts_of(supervisor, lines[:2])
    assert [verdict.status for verdict in verdicts] == 2 * ["inconclusive", "skipped"]
    assert all(verdict.is_about_machine for verdict in verdicts[::2])


def test_an_extracted_kernel_whose_check_takes_long_is_inconclusive(lines: list[Line]) -> None:
    assert lines[0].pair is not None
    metadata = replace(lines[0].pair.metadata, origin=Origin(file="project.py", line=7, launch="captured"))
    extracted = replace(lines[0], pair=replace(lines[0].pair, metadata=metadata))
    for line, slow, status in ((extracted, True, "inconclusive"), (extracted, False, "fail"), (lines[0], True, "fail")):
        trouble = Trouble(1, "the check took more than 60 s", died=True, killed=False, slow=slow)
        verdicts = verdicts_of_trouble(line, LEVELS[:3], trouble, [Verdict(line.identity, "schema", "pass", "", 0.0)], True)
        assert [verdict.status for verdict in verdicts] == ["pass", status, "skipped"]
        assert not verdicts[1].is_about_machine


@pytest.mark.parametrize(("times", "expected"), [(0, None), (1, None), (2, None), (3, MachineText)])
def test_a_fork_that_cannot_be_made_is_tried_again(monkeypatch: pytest.MonkeyPatch, times: int, expected: type | None) -> None:
    fork, failures = os.fork, iter(range(times))

    def fail_sometimes() -> int:
        if next(failures, None) is not None:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        return fork()

    monkeypatch.setattr(os, "fork", fail_sometimes)
    problems = run_forked([[lambda: None], [lambda: None]])
    assert len(problems) == 2
    assert all((problem is None) if expected is None else isinstance(problem, expected) for problem in problems)


def test_a_killed_fork_is_tried_again() -> None:
    ended = threading.Event()

    def kill_forks() -> None:
        while not ended.wait(0.02):
            kill(*descendants_of(os.getpid()))

    def loop() -> None:
        while True:
            pass

    thread = threading.Thread(target=kill_forks)
    thread.start()
    problems = run_forked([[loop]], seconds=30.0)
    ended.set()
    thread.join()
    assert isinstance(problems[0], MachineText)
    assert "SIGKILL" in problems[0]


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        ("unit.cpp:3:1: error: unknown type name 'flaot'", False),
        ("a\nfatal error: error in backend: IO failure on output stream: No space left on device\nb", True),
        ("error: unable to open output file '/x': 'Too many open files'", True),
        ("LLVM ERROR: out of memory", True),
    ],
)
def test_logs_that_blame_the_machine(log: str, expected: bool) -> None:
    assert (machine_words(log) is not None) == expected


def run_with(lines: list[Line], folder: Path, prefix: list[str], limit: tuple[int, int] | None = None) -> tuple[int, str]:
    """Run the command on two lines under a limit; return its exit code and what it prints."""
    (folder / "pairs.jsonl").write_bytes(b"".join(line.raw for line in lines[:2]))
    command = [*prefix, sys.executable, "-c", CODE, "run", str(folder / "pairs.jsonl"), "--level", "execute"]
    limited = None if limit is None else lambda: resource.setrlimit(limit[0], (limit[1], limit[1]))
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limited)
    return done.returncode, done.stderr + done.stdout


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ((resource.RLIMIT_NOFILE, 20), "open files"),
        ((resource.RLIMIT_FSIZE, 8192), "size of files"),
        ((resource.RLIMIT_AS, 6 << 30), "address space"),
    ],
    ids=["files", "size", "memory"],
)
def test_a_limit_that_is_too_low_ends_the_command(
    lines: list[Line], tmp_path: Path, limit: tuple[int, int], words: str
) -> None:
    code, text = run_with(lines, tmp_path, [], limit)
    assert code == 2
    assert "error: the sandbox does not work on this machine: " in text
    assert words in text
    assert len(text.strip().split("\n")) == 1
    assert not list(tmp_path.glob("verdicts*"))


def test_a_small_folder_for_temporary_files_ends_the_command(lines: list[Line], tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = f'mount -t tmpfs -o size=8m none "{small}" && export TMPDIR="{small}" && exec "$@"'
    prefix = ["unshare", "-rm", "sh", "-c", mount, "sh"]
    if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this system does not let users mount folders")
    code, text = run_with(lines, tmp_path, prefix)
    assert code == 2
    assert "TMPDIR" in text
    assert not list(tmp_path.glob("verdicts*"))


def test_a_level_that_cannot_be_loaded_is_reported() -> None:
    code = (
        "from pathlib import Path\nfrom dataclasses import replace\nimport sys\n"
        "from warpsmith.validation.levels.registry import LEVELS\n"
        "from warpsmith.validation.worker.check_worker import _problem_of_levels\n"
        "print(_problem_of_levels([replace(LEVELS[0], check='no_such_module:check')]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "level schema cannot be loaded: ModuleNotFoundError" in done.stdout


@pytest.fixture
def parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def aged(folder: Path) -> Path:
    old = time.time() - 2 * temporary_folders.MIN_AGE
    os.utime(folder / temporary_folders.LOCK, (old, old))
    return folder


def test_folders_of_killed_runs_are_removed(parent: Path) -> None:
    mine = TemporaryFolder()
    code = (
        "from warpsmith.core.files.temporary_folders import TemporaryFolder\nimport os, signal\n"
        "print(TemporaryFolder().path, flush=True)\nos.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = os.environ | {"TMPDIR": str(parent)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    killed = Path(done.stdout.strip())
    assert killed.parent == parent
    foreign = parent / "warpsmith-data"
    foreign.mkdir()
    sweep(parent)
    assert killed.exists(), "a new folder is left alone: its owner may not have locked it yet"
    aged(killed), aged(mine.path)
    sweep(parent)
    assert [folder.exists() for folder in (killed, mine.path, foreign)] == [False, True, True]
    mine.remove()
    assert not mine.path.exists()
