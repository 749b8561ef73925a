"""Results that one level hands on to later levels; each key names the level that produces them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from warpsmith.core.records.ir import Code, KernelIR
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch

if TYPE_CHECKING:  # these load NumPy and Warp: `schema` and `parse` run without them
    from warpsmith.core.inputs.values import Values
    from warpsmith.validation.running.outputs import LaunchOutputs

T = TypeVar("T")

LineKey: TypeAlias = tuple[Path, int]
"""The file and number of a line, which identify it even among lines with the same id."""


def line_key(line: Line) -> LineKey:
    """Return the key of a line."""
    return line.path, line.number


@dataclass(frozen=True, slots=True)
class ResultKey(Generic[T]):
    """The key of one level's results, of type ``T`` for each line; see `BatchContext.results`.

    Attributes:
        level: the name of the level that produces them.
        name: what they are; keys of different results differ.
    """

    level: str
    name: str


@dataclass(frozen=True, slots=True)
class LaunchResult:
    """One launch of a kernel, the values of its arguments, and what the arrays contain afterwards.

    Attributes:
        launch: the launch.
        values: the values of the arguments.
        outputs: what the arrays contain afterwards.
        stopped: why there are no results of the backward pass of a kernel that has one; empty if there are.
        is_directed: see `Variant`.
    """

    launch: Launch
    values: dict[str, Values]
    outputs: LaunchOutputs
    stopped: str = ""
    is_directed: bool = False

    @property
    def nbytes(self) -> int:
        """The bytes of the arguments."""
        return sum(value.nbytes for value in self.values.values())


LAUNCHES: ResultKey[list[LaunchResult]] = ResultKey("execute", "launches")
"""The results of a kernel's launches: its own launch first, then those of `variants_of`."""

INFINITE: ResultKey[list[LaunchResult]] = ResultKey("execute", "infinite")
"""Further launches of synthesized kernels, whose results or gradients are infinite or NaN although those of the own launch are
not."""

MARKED: ResultKey[LaunchResult] = ResultKey("execute", "marked")
"""The results of a kernel's own launch with marked outputs, see `marks`; absent where only the forward pass runs."""

REFERENCE: ResultKey[Code] = ResultKey("regenerate", "reference")
"""The C++ code that Warp generates, for pairs that contain CUDA code only."""

REGENERATED: ResultKey[KernelIR | None] = ResultKey("regenerate", "regenerated")
"""The code that Warp generates, loaded together with other pairs; None for pairs that have to be loaded alone."""
