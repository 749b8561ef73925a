"""The state of a search, which a later run continues: counts, what was seen together, and clusters."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.files.atomic import write_atomic
from warpsmith.validation.fuzz.fault_clusters import Cluster

STATE = "state.json"
"""The file of the state in the folder of a search."""


class FuzzState(msgspec.Struct):
    """A search so far.

    Attributes:
        seed: its seed.
        warp: the version of Warp.
        batches: the number of batches that are done.
        seconds: the time that they took.
        statuses: the number of kernels by the status of their result.
        pairs: the number of metamorphic pairs.
        compared: the number of elements of gradients that were compared with differences.
        forms: the distinct forms, as lines.
        seen: what was seen together, see `form_draws`.
        clusters: the clusters, in the order in which they were found.
        postponed: forms with faults that are to be reduced in a later batch, each with the form that means the same or nothing.
        timeline: for each batch the time, and the numbers of kernels, forms and clusters.
    """

    seed: int
    warp: str
    batches: int = 0
    seconds: float = 0.0
    statuses: dict[str, int] = {}
    pairs: int = 0
    compared: int = 0
    forms: set[str] = set()
    seen: set[tuple[str, str]] = set()
    clusters: list[Cluster] = []
    postponed: list[tuple[str, str]] = []
    timeline: list[tuple[float, int, int, int]] = []

    @property
    def kernels(self) -> int:
        """The number of kernels that Warp was given."""
        return sum(self.statuses.values())

    @property
    def accepted(self) -> float:
        """The share of kernels that Warp does not reject with a message."""
        return 1.0 - self.statuses.get("rejected", 0) / max(self.kernels, 1)

    def count(self, statuses: list[str]) -> None:
        """Add the statuses of results."""
        self.statuses = dict(Counter(self.statuses) + Counter(statuses))


def read_state(folder: Path, seed: int, warp: str) -> FuzzState:
    """Return the state in a folder, or a new one.

    Raises:
        WarpsmithError: if the folder contains the search of another seed or release.
    """
    path = folder / STATE
    if not path.exists():
        return FuzzState(seed, warp)
    try:
        state = msgspec.json.decode(path.read_bytes(), type=FuzzState)
    except msgspec.MsgspecError as error:
        raise WarpsmithError(f"{path} is no state of a search: {error}") from error
    if (state.seed, state.warp) != (seed, warp):
        raise WarpsmithError(
            f"{path} has seed {state.seed} and Warp {state.warp}, not seed {seed} and Warp {warp}: "
            "choose another folder with -o"
        )
    return state


def write_state(folder: Path, state: FuzzState) -> None:
    """Write the state into its folder."""
    write_atomic(folder / STATE, msgspec.json.encode(state, order="deterministic"))
