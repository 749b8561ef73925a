"""A CUDA source with its launches, arguments and expected results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent

Dimensions = int | tuple[int, ...]


@dataclass(frozen=True)
class Output:
    """An array that the launches change.

    Attributes:
        initial: its elements before the first launch.
        expected: its elements after the last launch, or None for a scratch array.
        tolerance: the largest relative and absolute error; 0 compares exactly.
    """

    initial: np.ndarray
    expected: np.ndarray | None
    tolerance: float


def becomes(initial: Any, expected: Any, tolerance: float | None = None) -> Output:
    """Return an array with its elements in the end; without a tolerance floats may differ by 1e-5 and integers not at all."""
    initial = np.asarray(initial)
    if tolerance is None:
        tolerance = 1e-5 if initial.dtype.kind == "f" else 0.0
    return Output(initial, np.broadcast_to(np.asarray(expected), initial.shape), tolerance)


def scratch(initial: Any) -> Output:
    """Return an array whose elements in the end do not matter."""
    return Output(np.asarray(initial), None, 0.0)


@dataclass(frozen=True)
class Launch:
    """A launch of a kernel.

    Attributes:
        grid: the number of blocks.
        block: the number of threads.
        kernel: the name of the kernel; empty for the only one.
        takes: the numbers of the arguments, by default all.
        shared: the bytes of dynamic shared memory.
    """

    grid: Dimensions
    block: Dimensions
    kernel: str = ""
    takes: tuple[int, ...] | None = None
    shared: int = 0


@dataclass(frozen=True)
class Case:
    """A source with its launches.

    Attributes:
        source: the path of the CUDA source below the folder of the corpus.
        launches: the launches, one after the other.
        make: returns the arguments for a random generator; arrays that change are an `Output`.
        headers: whether the source includes CUDA's own headers.
        slow: whether NVRTC or the compilation of the operations needs seconds.
        printed: what the kernel prints, by sorted lines.
    """

    source: str
    launches: tuple[Launch, ...]
    make: Callable[[np.random.Generator], Iterable[Any]]
    headers: bool = False
    slow: bool = False
    printed: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        return FOLDER / self.source

    def arguments(self) -> list[Any]:
        """Return the arguments, always the same."""
        return list(self.make(np.random.default_rng(20240607)))


class Table:
    """The cases of a module, by the name of the function that makes the arguments."""

    def __init__(self, folder: str) -> None:
        """Start an empty table of sources below `folder`."""
        self.folder = folder
        self.cases: dict[str, Case] = {}

    def case(
        self,
        grid: Dimensions = 1,
        block: Dimensions = 32,
        *,
        shared: int = 0,
        launches: tuple[Launch, ...] = (),
        **options: Any,
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Add the case of a function, whose source is named after it.

        Args:
            grid: the number of blocks of the only launch.
            block: its number of threads.
            shared: its bytes of dynamic shared memory.
            launches: all launches, if there are several.
            options: further attributes of `Case`.
        """

        def add(make: Callable[..., Any]) -> Callable[..., Any]:
            source = f"{self.folder}/{make.__name__}.cu"
            self.cases[make.__name__] = Case(source, launches or (Launch(grid, block, shared=shared),), make, **options)
            return make

        return add
