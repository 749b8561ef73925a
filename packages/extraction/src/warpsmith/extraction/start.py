"""Entry point of the command: what may start the process anew comes before all that takes time to load."""

from __future__ import annotations

from warpsmith.core.execution import hash_seed


def main() -> None:
    """Run the command, with the hash seed pinned, and exit with its code."""
    hash_seed.pin()

    from warpsmith.extraction.cli import main as run

    run()
