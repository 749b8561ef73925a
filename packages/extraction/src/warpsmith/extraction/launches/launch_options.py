"""The options of `warpsmith-extract` for launches of kernels that were not run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click


@dataclass(frozen=True, slots=True)
class LaunchRequest:
    """The options for launches.

    Attributes:
        path: the file with launches; None for none.
        guess: whether the other kernels get a guessed launch.
    """

    path: Path | None = None
    guess: bool = False

    def reject(self) -> None:
        """Refuse the options beside ``--run``.

        Raises:
            click.UsageError: if one of them is set.
        """
        if self.path is not None or self.guess:
            raise click.UsageError("--launches and --guess-launches are for targets; --run captures the real launches")


def launch_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options for launches, which the command receives as ``launches``."""

    @wraps(command)
    def with_launches(*, launches: Path | None, guess_launches: bool, **settings: Any) -> int:
        return command(launches=LaunchRequest(launches, guess_launches), **settings)

    for option in reversed(_OPTIONS):
        with_launches = option(with_launches)
    return with_launches


_OPTIONS = (
    click.option(
        "--launches",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Read how to launch the kernels of TARGET from a JSON file; notes/real_projects.md shows one.",
    ),
    click.option(
        "--guess-launches",
        is_flag=True,
        help="Guess how to launch kernels of TARGET without a launch otherwise; metadata.origin.launch of the pairs says so.",
    ),
)
