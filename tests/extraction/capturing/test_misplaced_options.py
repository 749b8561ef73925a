"""Options of `warpsmith-extract` after `--run` belong to the program; a warning names the command that was meant."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import click
import pytest

from warpsmith.extraction.capturing.capture_command import misplaced_options
from warpsmith.extraction.cli import cli

PROGRAM = "import sys\nprint('received', *sys.argv[1:])\n"


def advice(monkeypatch: pytest.MonkeyPatch, line: str) -> str:
    """Return the warning about a command line."""
    words = shlex.split(line)
    monkeypatch.setattr("sys.argv", ["warpsmith-extract", *words])
    with cli.make_context("warpsmith-extract", list(words)) as context:
        program = context.meta["warpsmith.program"]
        first = 2 if program[0] in ("-m", "--") else 1
        return misplaced_options(program[first:], context)


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("--run sim.py -d both -b -o pairs.jsonl", "-d both -b -o pairs.jsonl --run sim.py"),
        ("-d both --run sim.py --frames 3 -b --output=p.jsonl", "-d both -b --output=p.jsonl --run sim.py --frames 3"),
        ("--run -m package.module --only package", "--only package --run -m package.module"),
        ("--run -- pytest -q --device cuda tests", "--device cuda --run -- pytest -q tests"),
        ("--run sim.py --no-accelerate", "--no-accelerate --run sim.py"),
        ("--run sim.py -o", "-o --run sim.py"),
    ],
)
def test_the_right_command_is_named(monkeypatch: pytest.MonkeyPatch, line: str, right: str) -> None:
    assert advice(monkeypatch, line).endswith(f"if they are meant for it: warpsmith-extract {right}")


@pytest.mark.parametrize(
    "line",
    [
        "--run sim.py",
        "--run sim.py --frames 10 out.npz",
        "-d both -b -o pairs.jsonl --run sim.py -o out.npz -d gpu -b",
        "--run -- pytest -q -v -k name --json --version",
        "--run sim.py -- d",
    ],
)
def test_other_arguments_are_no_reason_for_a_warning(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    assert advice(monkeypatch, line) == ""


def test_the_program_still_receives_them(run: Any, tmp_path: Path) -> None:
    (tmp_path / "sim.py").write_text(PROGRAM)
    done = run("extraction", "--run", "sim.py", "-b", "-o", "pairs.jsonl", cwd=tmp_path)
    assert "received -b -o pairs.jsonl" in done.stderr
    assert "warning: the program receives -b -o pairs.jsonl" in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "pairs.jsonl").exists()


def test_only_options_of_the_command_are_listed() -> None:
    """Every option of the command is one that programs may share, or one that leads to the warning."""
    with cli.make_context("warpsmith-extract", ["--run", "x.py"]) as context:
        for option in (one for one in cli.params if isinstance(one, click.Option)):
            for name in option.opts:
                context.meta["warpsmith.program"] = ["x.py", name]
                assert bool(misplaced_options([name], context)) is (name not in json.loads(SHARED) and name != "--run"), name


SHARED = '["-h", "--help", "-q", "--quiet", "-v", "--verbose", "--version", "--json", "-k", "--kernel"]'
