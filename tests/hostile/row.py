"""One row of the corpus: a hostile record, made from harmless ones; and the records that the rows start from."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import warp as wp

from warpsmith.core.records.encoding import encode
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel

Record = dict[str, Any]

SAMPLES = Path(__file__).parents[2] / "data" / "samples"

KERNEL = """
@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i] + 1.0
"""

HARMLESS = f"import warp as wp\n\n{KERNEL}"

LAUNCH = Launch(
    dim=(8,),
    args=(
        Argument(
            name="x",
            kind="array",
            dtype="float32",
            role="inout",
            shape=(8,),
            domain=Domain(kind="uniform", low=0.0, high=1.0),
        ),
    ),
)
"""The launch of `KERNEL`."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The surroundings of a hostile record.

    Attributes:
        marker: a path outside of all writable folders, which a successful attack creates.
        neighbours: the records of the harmless pairs in the same shard.
    """

    marker: Path
    neighbours: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A hostile record.

    Attributes:
        name: the name; the id of the record is ``hostile-`` and the name, unless the attack is in the id.
        attempts: the description of the attack.
        content: returns the bytes of the record, usually one line.
        level: the level by which the pair fails at the latest. None: the record need not fail; it must do no harm.
        lines: the number of lines in the content.
    """

    name: str
    attempts: str
    content: Callable[[Setting], bytes]
    level: str | None
    lines: int = 1

    @property
    def identity(self) -> str:
        """The usual id of the record."""
        return f"hostile-{self.name}"


@functools.cache
def _pair(source: str, launch: Launch | None, name: str) -> bytes:
    with loaded_kernel(source, name) as kernel:
        ir = extract_ir(kernel, "both", include_backward=True)
    pair = Pair.from_ir(
        ir, identity="good", python_source=source, category="test", warp_version=wp.__version__, generator_version="1",
        launch=launch, description="A test.",
    )  # fmt: skip
    return encode(pair)


def record_of(source: str = HARMLESS, launch: Launch | None = LAUNCH, name: str = "hostile") -> Record:
    """Return the record of a kernel; Warp loads the source in this process, so only compiled code of it may be hostile."""
    record: Record = json.loads(_pair(source, launch, name))
    return record


def to_line(record: Record) -> bytes:
    """Return a record as one line, also if its values are not valid."""
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def edited(name: str, attempts: str, edit: Callable[[Record], object], level: str | None, base: Callable[[], Record]) -> Row:
    """Return a row whose record is that of ``base`` after an edit, which may also return another record."""

    def content(_: Setting) -> bytes:
        record = deepcopy(base())
        record["id"] = f"hostile-{name}"
        record = result if isinstance(result := edit(record), dict) else record
        return to_line(record)

    return Row(name, attempts, content, level)


def neighbours(count: int) -> list[bytes]:
    """Return the lines of harmless pairs: the first ones of each category of the samples."""
    by_category: dict[str, list[bytes]] = {}
    for shard in sorted(SAMPLES.glob("pairs-*.jsonl")):
        for raw in shard.read_bytes().splitlines(keepends=True):
            by_category.setdefault(json.loads(raw)["metadata"]["category"], []).append(raw)
    every = [line for turn in zip(*by_category.values(), strict=True) for line in turn]
    return every[:count]
