"""The eight commands: help without arguments, a quick start, and Warp in workers only."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from command_line import DATASET_COMMANDS
from warpsmith.core.commands import options

COMMANDS = {
    "warpsmith-dataset": "core.commands.dataset",
    "warpsmith-extract": "extraction.cli",
    "warpsmith-synthesize": "synthesis.cli",
    "warpsmith-simt": "simt.cli",
    "warpsmith-validate": "validation.cli",
    "warpsmith-fuzz": "validation.fuzz.cli",
    "warpsmith-score": "scoring.cli",
    "warpsmith-gpu": "gpu_checks.cli",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_without_arguments_prints_its_help(command: str) -> None:
    code = f"import sys; sys.argv = ['{command}']; from warpsmith.{COMMANDS[command]} import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Examples:" in done.stdout + done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_help_does_not_wait_for_warp(command: str) -> None:
    code = (
        f"import sys, warpsmith.{COMMANDS[command]} as command; command.cli.main(['--help'], standalone_mode=False); "
        "sys.exit('warp' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Examples:" in done.stdout


def sub_commands(command: click.Command) -> list[click.Command]:
    """Return the sub-commands of a group, those of other distributions included."""
    if not isinstance(command, click.Group):
        return []
    context = click.Context(command)
    return [found for name in command.list_commands(context) if (found := command.get_command(context, name))]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_sub_command_has_examples(command: str) -> None:
    group = importlib.import_module(f"warpsmith.{COMMANDS[command]}").cli
    for sub_command in (group, *sub_commands(group)):
        assert f"Examples:\n  {command}" in (sub_command.epilog or ""), sub_command.name
        assert "Exit codes: 0" in sub_command.epilog, sub_command.name


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_starts_a_job_without_arguments(command: str) -> None:
    group = importlib.import_module(f"warpsmith.{COMMANDS[command]}").cli
    for one in (group, *sub_commands(group)):
        if one.name != "smoke":  # which tests the machine
            assert one.no_args_is_help, one.name
            with pytest.raises(click.exceptions.NoArgsIsHelpError):
                one.make_context(str(one.name), [])


def options_of(command: click.Command) -> Iterator[tuple[str, click.Parameter]]:
    """Yield the options of a command and of its sub-commands."""
    for parameter in command.params:
        yield f"{command.name} {parameter.name}", parameter
    for sub_command in sub_commands(command):
        yield from options_of(sub_command)


@pytest.mark.parametrize("module", [*COMMANDS.values(), *DATASET_COMMANDS.values()])
def test_numbers_in_arguments_are_bounded(module: str) -> None:
    loaded = importlib.import_module(f"warpsmith.{module.removeprefix('warpsmith.')}")
    name = next((name for name, path in DATASET_COMMANDS.items() if path == module), "cli")
    for described, parameter in options_of(getattr(loaded, name)):
        if isinstance(parameter.type, click.types.IntParamType):
            largest = getattr(parameter.type, "max", None)
            assert largest is not None, described
            assert largest <= options.LARGEST, described


def test_commands_on_datasets_leave_warp_to_their_workers(tmp_path: Path) -> None:
    code = (
        "import sys, importlib; c = importlib.import_module(f'warpsmith.{sys.argv[1]}.cli'); "
        "c.cli.main(sys.argv[2:], standalone_mode=False); "
        "sys.exit('loaded: ' + ' '.join(sorted({'warp', 'numpy'} & set(sys.modules))))"
    )

    folder = tmp_path / "made"
    for command, printed in (
        (f"synthesis make -n 3 -d both -b --workers 1 -o {folder}", "1 worker"),
        (f"synthesis verify {folder} --sample all --workers 1", "1 shards and 3 pairs compared: no differences"),
        (f"validation run {folder} --level regenerate --workers 1", "verdicts on 3 pairs"),
    ):
        done = subprocess.run([sys.executable, "-c", code, *command.split()], capture_output=True, text=True, check=False)
        assert done.stderr.splitlines()[-1] == "loaded: "
        assert printed in done.stdout
