"""The help of every command, for `notes/reference/commands.md`.

`python tests/golden/command_reference.py` rewrites the part of the page below the marker; `--check` reports an outdated page.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

PAGE = Path(__file__).parents[2] / "notes" / "reference" / "commands.md"
MARKER = "<!-- written by tests/golden/command_reference.py -->\n"
WIDTH = 110

COMMANDS = {
    "warpsmith-synthesize": "synthesis.cli",
    "warpsmith-extract": "extraction.cli",
    "warpsmith-validate": "validation.cli",
    "warpsmith-fuzz": "validation.fuzz.cli",
    "warpsmith-dataset": "core.commands.dataset",
    "warpsmith-simt": "simt.cli",
    "warpsmith-score": "scoring.cli",
    "warpsmith-gpu": "gpu_checks.cli",
}


def commands(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[tuple[str, str]]:
    """Yield the name and the help of a command, or of each of its sub-commands."""
    context = click.Context(command, info_name=name, parent=parent, max_content_width=WIDTH, terminal_width=WIDTH)
    if not isinstance(command, click.Group):
        yield context.command_path, command.get_help(context)
        return
    for sub_command in command.list_commands(context):
        found = command.get_command(context, sub_command)
        assert found is not None
        yield from commands(found, sub_command, context)


def stripped(text: str) -> str:
    """Return a help text without white space at the ends of lines."""
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE).rstrip()


def reference() -> str:
    """Return the sections of all commands."""
    sections = []
    for name, module in COMMANDS.items():
        for path, text in commands(importlib.import_module(f"warpsmith.{module}").cli, name):
            sections.append(f"\n## {path}\n\n```text\n{stripped(text)}\n```\n")
    return "".join(sections)


if __name__ == "__main__":
    head, marker, written = PAGE.read_text().partition(MARKER)
    if "--check" in sys.argv:
        same = marker and written == reference()
        sys.exit(0 if same else f"{PAGE.name} is outdated: run python tests/golden/command_reference.py")
    PAGE.write_text(head + MARKER + reference())
