"""The base of commands: errors of the machine and of the input are one line, and faults of the program are reported as such."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from warpsmith.core.commands import options

START = "import sys; from warpsmith.core.commands.dataset import main; main()"


def run(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> int:
    """Run a command that raises an error."""

    @click.group()
    def group() -> None:
        pass

    @group.command("work")
    def work() -> None:
        raise error

    monkeypatch.setattr(sys, "argv", ["tool", "work"])
    return options.run(group)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(28, "No space left on device", "/data/x"), "work stopped: No space left on device: /data/x"),
        (PermissionError(13, "Permission denied"), "work stopped: Permission denied"),
        (OSError("odd"), "work stopped: OSError: odd"),
        (MemoryError(), "work stopped: not enough memory"),
        (RecursionError("maximum recursion depth exceeded"), "work stopped: the input is nested too deeply"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), "invalid start byte"),
    ],
)
def test_errors_of_the_machine_and_the_input_are_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception, message: str
) -> None:
    assert run(monkeypatch, error) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("error: ")
    assert message in shown
    assert shown.count("\n") == 1


def test_a_fault_of_the_program_shows_its_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, KeyError("forgotten")) == 70
    shown = capsys.readouterr().err
    assert "Traceback (most recent call last)" in shown
    assert "please report it" in shown.splitlines()[-1]


def test_without_its_working_directory_a_command_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    # Started with `python -c`, Python 3.13.0 would import from the folder that is gone, and fail.
    command = [Path(sys.executable).with_name("warpsmith-dataset"), "export", "x", "--format", "chat"]
    done = subprocess.run(
        ["sh", "-c", 'rmdir "$PWD" && exec "$@"', "sh", *command], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "the working directory does not exist" in done.stderr


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
def test_closed_standard_streams_are_not_reused_by_files(small: Path, closed: tuple[int, ...]) -> None:
    shell = f'exec "$@" {" ".join(f"{number}>&-" for number in closed)}'
    command = ["sh", "-c", shell, "sh", sys.executable, "-c", START, "show", str(small), "--index", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == ""
    assert ("def " in done.stdout) == (1 not in closed)


def test_a_full_disk_behind_stdout_is_one_line(small: Path) -> None:
    with Path(os.devnull).with_name("full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", START, "show", str(small), "--index", "0"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "No space left on device" in done.stderr


@pytest.mark.parametrize("workers", ["0", "-1", "many", "1025", "9" * 5000, "1e3", ""])
def test_an_absurd_number_of_workers_is_refused(workers: str) -> None:
    with pytest.raises(options.WarpsmithError, match="--workers is a number from 1 to 1024") as caught:
        options.processes(workers)
    assert len(str(caught.value)) < 200


def test_json_contains_any_number_and_any_name(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    value = {"count": 10**30, "name": os.fsdecode(b"\xff")}
    options.print_json(value)
    sys.stdout.flush()
    assert json.loads(capfdbinary.readouterr().out) == value
