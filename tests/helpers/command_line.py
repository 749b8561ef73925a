"""How tests start the commands: the Python code of a process."""

from __future__ import annotations

DATASET_COMMANDS = {
    "stats": "warpsmith.validation.statistics.stats_command",
    "report": "warpsmith.validation.report.report_command",
}
"""Modules of the commands of `warpsmith-dataset` that validation registers; tests run them without installed entry points."""


def start_code(tool: str) -> str:
    """Return code that runs a command: a package with a `cli` module, or one of `DATASET_COMMANDS`."""
    if tool not in DATASET_COMMANDS:
        module = "core.commands.dataset" if tool == "core" else f"{tool}.cli"
        return f"from warpsmith.{module} import main; main()"
    module = DATASET_COMMANDS[tool]
    return (
        f"import sys; from warpsmith.core.commands import options; from {module} import {tool}; sys.exit(options.run({tool}))"
    )
