"""A module whose launches return what a test states, with the interface of `warpsmith.simt.launches.module`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, ClassVar

SIZES = {"u8": 1, "u16": 2, "u32": 4, "f32": 4, "u64": 8, "f64": 8, "b8": 1}


@dataclass(frozen=True)
class FakeFinding:
    kind: str
    message: str
    file: str
    line: int
    ptx_line: int = 1
    block: tuple[int, int, int] = (0, 0, 0)
    thread: tuple[int, int, int] = (0, 0, 0)
    argument: int = -1
    element: int = -1
    other: Any = None
    count: int = 1


@dataclass(frozen=True)
class FakeCounts:
    instructions: dict[str, int] = field(default_factory=lambda: {"integer": 40, "float32": 10})
    thread_instructions: dict[str, int] = field(default_factory=lambda: {"integer": 640, "float32": 160})
    warp_efficiency: float = 0.5
    branches: int = 4
    divergent_branches: int = 1
    global_requests: int = 6
    global_sectors: int = 24
    shared_requests: int = 0
    shared_passes: int = 0
    local_requests: int = 0
    atomic_requests: int = 0
    atomic_conflicts: int = 0
    barriers: int = 0
    steps: int = 60


@dataclass(frozen=True)
class FakeRun:
    arrays: list[Any]
    findings: tuple[FakeFinding, ...] = ()
    counts: FakeCounts = field(default_factory=FakeCounts)
    printed: str = ""


@dataclass(frozen=True)
class FakeParameter:
    name: str
    size: int
    alignment: int


@dataclass(frozen=True)
class FakeKernel:
    name: str
    parameters: tuple[FakeParameter, ...]
    max_threads: int = 0


class FakeModule:
    """A module that reads its kernels from the PTX and returns `findings`."""

    findings: tuple[FakeFinding, ...] = ()
    printed = ""
    launched: ClassVar[list[dict[str, Any]]] = []

    def __init__(self, ptx: str) -> None:
        self.kernels = {}
        for name, text in re.findall(r"\.entry (\w+)\s*\(([^)]*)\)", ptx):
            sizes = [SIZES[kind] for kind in re.findall(r"\.param (?:\.align \d+ )?\.(\w+)", text)]
            parameters = tuple(FakeParameter(f"{name}_param_{index}", size, size) for index, size in enumerate(sizes))
            self.kernels[name] = FakeKernel(name, parameters)
        for name in re.findall(r"\.entry (\w+)\s*\{", ptx):
            self.kernels[name] = FakeKernel(name, ())

    def launch(self, name: str, grid: Any, block: Any, arguments: list[Any], **options: Any) -> FakeRun:
        """Double the arrays."""
        self.launched.append({"name": name, "grid": grid, "block": block, "arguments": arguments, **options})
        arrays = [2 * value if getattr(value, "ndim", 0) else None for value in arguments]
        return FakeRun(arrays, self.findings, printed=self.printed)
