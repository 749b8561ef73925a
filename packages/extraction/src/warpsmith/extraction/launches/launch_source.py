"""Launches for kernels that were not run: from the user's file, or guessed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Origin, Pair
from warpsmith.extraction.launches.guessed_launch import guessed_launch
from warpsmith.extraction.launches.launch_file import LaunchFile, read_launch_file
from warpsmith.extraction.launches.snapshot import NotExpressible
from warpsmith.extraction.launches.struct_names import with_names_of_file
from warpsmith.extraction.warp.live_arguments import parameters_of


@dataclass(frozen=True, slots=True)
class LaunchSource:
    """Where the launches of kernels come from.

    Attributes:
        file: the user's file, if there is one.
        guess: whether kernels that the file lacks get a guessed launch.
    """

    file: LaunchFile | None = None
    guess: bool = False

    @classmethod
    def read(cls, path: Path | None, guess: bool, kernels: Sequence[Any]) -> LaunchSource:
        """Return the source with the file at a path, if there is one.

        Args:
            path: the file; None for none.
            guess: see `LaunchSource`.
            kernels: all kernels that the file may name.

        Raises:
            WarpsmithError: if the file cannot be read, or does not fit the kernels.
        """
        if path is None:
            return cls(None, guess)
        file = read_launch_file(path)
        file.check(kernels)
        return cls(file, guess)

    def added_to(self, pair: Pair, kernel: Any, origin: Origin) -> Pair:
        """Return the pair with its origin and with a launch; if there is none, the origin says why.

        Raises:
            WarpsmithError: if the entry of the file does not fit the kernel.
        """
        if self.file is not None and (given := self.file.launch(pair, kernel)) is not None:
            return _placed(pair, given, replace(origin, launch="given"))
        if not self.guess:
            return _placed(pair, None, origin)
        try:
            guessed = guessed_launch(pair, parameters_of(kernel))
        except NotExpressible as error:
            return _placed(pair, None, replace(origin, reason="; ".join(filter(None, (origin.reason, str(error))))))
        return _placed(pair, guessed, replace(origin, launch="guessed"))


def _placed(pair: Pair, launch: Launch | None, origin: Origin) -> Pair:
    if launch is not None:
        launch = with_names_of_file(launch, pair.python_source, pair.metadata.kernel_name)
    return replace(pair, metadata=replace(pair.metadata, launch=launch, origin=origin))
