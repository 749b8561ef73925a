"""Fixtures for tests of GPU checks: lines of the samples, and pairs made from source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import warp as wp

from warpsmith.core.records.encoding import encode
from warpsmith.core.records.ir import Device
from warpsmith.core.records.jsonl import Line, decode, read_lines
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel

MakeLine = Callable[..., Line]


@pytest.fixture(scope="session")
def sample_lines(root: Path) -> list[Line]:
    """Return the first four samples, of four categories."""
    return list(read_lines(root / "data" / "samples" / "pairs-00000.jsonl"))[:4]


@pytest.fixture(scope="session")
def make_line() -> MakeLine:
    """Return a function that creates the line of a pair from the Python source of a kernel."""

    def make(
        source: str, launch: Launch, identity: str = "", device: Device = "both", options: dict[str, Any] | None = None
    ) -> Line:
        with loaded_kernel(source, module_options=options) as kernel:
            ir = extract_ir(kernel, device)
        pair = Pair.from_ir(
            ir, identity=identity or ir.kernel_name, python_source=source, category="test", warp_version=wp.__version__,
            generator_version="1", module_options=options, launch=launch, description="A test.",
        )  # fmt: skip
        return decode(encode(pair), Path("pairs-00000.jsonl"), 1)

    return make
