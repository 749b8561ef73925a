"""`warpsmith-validate`: exit codes state the outcome, errors are one line with a remedy, and results go to stdout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import click
import pytest

from command_line import start_code
from warpsmith.core.commands.dataset import ENTRY_POINTS
from warpsmith.validation.levels.registry import LEVELS


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["run", "{missing}"], "no such dataset"),
        (["run", "{empty}"], "holds no pairs-*.jsonl"),
        (["run", "{dataset}", "--level", "perfect"], ", ".join(level.name for level in LEVELS)),
        (["run", "{dataset}", "--workers", "0"], "from 1 to 1024 or 'auto'"),
        (["run", "{dataset}", "--workers", "-2"], "from 1 to 1024 or 'auto'"),
        (["run", "{dataset}", "--workers", "many"], "from 1 to 1024 or 'auto'"),
        (["run", "{dataset}", "--workers", "\u00b2"], "from 1 to 1024 or 'auto'"),
        (["run", "{dataset}", "--sample", "0"], "--sample 0 selects no pair"),
        (["run", "{dataset}", "--sample", "half"], "--sample is a number of pairs"),
        (["run", "{dataset}", "--colour"], "No such option"),
        (["run", "--json"], "Missing argument"),
        (["run", "{dataset}", "{dataset}"], "unexpected extra argument"),
    ],
)
def test_bad_arguments_exit_with_2_and_a_remedy(
    run_in_process: Any, small: Path, tmp_path: Path, arguments: list[str], expected: str
) -> None:
    (tmp_path / "empty").mkdir()
    paths = {"missing": tmp_path / "missing", "empty": tmp_path / "empty", "dataset": small}
    code, stdout, stderr = run_in_process(*(argument.format(**paths) for argument in arguments))
    assert code == 2
    assert expected in stderr
    assert len([line for line in stderr.splitlines() if line.lower().startswith("error")]) == 1
    assert stdout == ""
    assert not list(small.glob("verdicts*"))


def test_a_bad_argument_exits_the_process_with_2(run: Any, tmp_path: Path) -> None:
    done = run("validation", "run", tmp_path / "missing", expect=2)
    (error,) = done.stderr.splitlines()
    assert "no such dataset" in error
    assert done.stdout == ""


def test_help_shows_examples_levels_and_exit_codes(run: Any) -> None:
    for option in ("--help", "-h"):
        shown = run("validation", option).stdout
        assert "Examples:" in shown
        assert "warpsmith-validate run data/both --level gradient" in shown
        assert all(f"\n    {level.name} " in shown for level in LEVELS)
        assert "Exit codes: 0" in shown


def test_no_arguments_show_the_help(run: Any) -> None:
    done = run("validation", expect=2)
    assert done.stdout == ""
    assert "Usage:" in done.stderr
    assert "reduce" in done.stderr
    assert "Examples:" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_commands_on_datasets_are_registered(root: Path) -> None:
    text = (root / "packages" / "validation" / "pyproject.toml").read_text()
    section = text.partition(f'[project.entry-points."{ENTRY_POINTS}"]\n')[2].partition("\n\n")[0]
    for line in section.splitlines():
        name, _, value = line.partition(" = ")
        command = EntryPoint(name, value.strip('"'), ENTRY_POINTS).load()
        assert isinstance(command, click.Command)
        assert command.name == name
        assert f"Examples:\n  warpsmith-dataset {name}" in (command.epilog or "")
    assert [line.partition(" ")[0] for line in section.splitlines()] == ["stats", "report"]


def test_options_may_precede_the_dataset(run: Any, own_small: Path) -> None:
    after = json.loads(run("validation", "run", own_small, "--workers", 1, "--level", "schema", "--json").stdout)
    before = json.loads(run("validation", "run", "--level", "schema", "--workers", 1, own_small, "--json").stdout)
    assert (before.pop("reused"), after.pop("reused")) == (40, 0)
    assert (before.pop("sandbox"), after.pop("sandbox")["seccomp"]) == ({}, True)
    assert before == after


def test_a_valid_dataset_exits_with_0_and_prints_a_table(run: Any, own_small: Path) -> None:
    done = run("validation", "run", own_small)
    assert "verdicts on 40 pairs" in done.stdout
    assert "parse" in done.stdout
    assert "fail:" not in done.stderr


def test_an_invalid_pair_exits_with_1_and_is_named(run: Any, own_small: Path) -> None:
    shard = own_small / "pairs-00000.jsonl"
    raw = shard.read_bytes().splitlines(keepends=True)
    raw[4] = raw[4].replace(b"@wp.kernel", b"@wp.func")
    raw[5] = b"{\n"
    shard.write_bytes(b"".join(raw))
    done = run("validation", "run", "--workers", 1, own_small, expect=1)
    errors = done.stderr.splitlines()
    assert f"fail: {json.loads(raw[4])['id']}: parse: the Python defines 0 kernels instead of one" in errors
    assert any(line.startswith("fail: pairs-00000.jsonl:6: schema: not JSON") for line in errors)
    assert any("pairs-00000.jsonl is not the file that was made" in line for line in errors)


def test_only_the_first_failures_are_printed(run: Any, own_small: Path) -> None:
    for shard in own_small.glob("pairs-*.jsonl"):
        shard.write_bytes(shard.read_bytes().replace(b"@wp.kernel", b"@wp.func"))
    done = run("validation", "run", "--workers", 1, own_small, expect=1)
    assert done.stderr.count("fail: ") == 20
    assert "and 20 more, see verdicts-*.jsonl" in done.stderr


def test_json_is_one_object_on_stdout(run: Any, own_small: Path) -> None:
    done = run("validation", "run", "--workers", 1, own_small, "--json", "--level", "schema")
    assert done.stdout.count("\n") == 1
    result = json.loads(done.stdout)
    assert (result["pairs"], result["problems"], result["failures"]) == (40, [], [])
    assert result["levels"] == {"schema": {"pass": 40}}


def test_a_limit_on_the_size_of_files_is_reported_in_one_line(own_small: Path) -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); "
        "from warpsmith.validation.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code, "run", own_small], capture_output=True, check=False, text=True)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "error: the sandbox does not work on this machine: the size of files is limited to 1000" in done.stderr
    assert done.stderr.rstrip().endswith("see ulimit")
    assert not [path for path in own_small.iterdir() if path.name.startswith((".", "verdicts"))]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "command",
    [
        ["core", "show", "{dataset}", "{identity}"],
        ["validation", "run", "{dataset}", "--workers", "1", "--level", "schema"],
        ["validation", "run", "{dataset}", "--workers", "1", "--json"],
        ["validation", "run", "--help"],
        ["stats", "{dataset}", "--workers", "1"],
    ],
)
@pytest.mark.parametrize("reads", [True, False], ids=["reads a line", "reads nothing"])
def test_a_closed_pipe_is_not_an_error(own_small: Path, command: list[str], reads: bool) -> None:
    identity = json.loads((own_small / "pairs-00000.jsonl").read_text().partition("\n")[0])["id"]
    tool, *arguments = (argument.format(dataset=own_small, identity=identity) for argument in command)
    with subprocess.Popen(
        [sys.executable, "-c", start_code(tool), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "COLUMNS": "200"},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        if reads:
            assert process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read().decode()
    assert process.returncode == 0
    assert "Traceback" not in errors
    assert "BrokenPipe" not in errors
