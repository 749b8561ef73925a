"""Entry point of `warpsmith-extract`: the hash seed is pinned before anything else is loaded."""

from __future__ import annotations

from warpsmith.core.execution import hash_seed


def main() -> None:
    """Pin the hash seed, which may restart the process, then run the command and exit."""
    hash_seed.pin()

    from warpsmith.extraction.cli import main as run

    run()
