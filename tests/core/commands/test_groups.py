"""What every command has: its version, ``--quiet``, and completion by the shell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

START = "import sys; sys.argv[0] = 'warpsmith-dataset'; from warpsmith.core.commands.dataset import main; main()"


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", START, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **variables})


def test_the_version_is_printed() -> None:
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("warpsmith-dataset, version ")


def test_a_sub_command_has_the_version_and_prints_its_help_without_arguments() -> None:
    assert run("show", "--version").stdout.startswith("warpsmith-dataset, version ")
    done = run("show")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Usage: warpsmith-dataset show")
    assert "Examples:" in done.stderr


@pytest.mark.parametrize(("typed", "meant"), [("exprot", "export"), ("stast", "stats")])
def test_a_typo_names_the_command_that_was_meant(typed: str, meant: str) -> None:
    done = run(typed)
    assert done.returncode == 2
    assert f"Did you mean '{meant}'?" in done.stderr


@pytest.mark.parametrize("arguments", [("--help",), ("filter", "--help"), ("export", "--help")])
def test_every_command_has_the_options_of_output(arguments: tuple[str, ...]) -> None:
    shown = run(*arguments).stdout
    assert "--quiet" in shown
    assert "--verbose" in shown


def test_quiet_commands_print_errors(tmp_path: Path) -> None:
    done = run("show", str(tmp_path / "missing"), "x", "--quiet")
    assert done.returncode == 2
    assert "no such dataset" in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_obtains_its_script(shell: str) -> None:
    assert "warpsmith-dataset" in run(_WARPSMITH_DATASET_COMPLETE=f"{shell}_source").stdout


def test_completion_names_sub_commands_and_runs_nothing() -> None:
    done = run(_WARPSMITH_DATASET_COMPLETE="bash_complete", COMP_WORDS="warpsmith-dataset s", COMP_CWORD="1")
    assert done.stdout.split() == ["plain,show", "plain,stats"]
