"""The pair: one Python kernel and the code Warp generates for it, as one line of JSON.

The dataclasses below are the schema: field order is the order on disk, types are checked on reading, and nothing else may
stand in a line. `notes/schema.md` explains every field for the users of a dataset.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

import msgspec

from warpsmith.core.errors import RecordError
from warpsmith.core.records.launch import Launch

SCHEMA_VERSION = 1

Device = Literal["cpu", "cuda", "both"]
IrType = Literal["cpp", "cuda", "both"]

IR_TYPE: dict[Device, IrType] = {"cpu": "cpp", "cuda": "cuda", "both": "both"}
TARGETS: dict[Device, tuple[str, ...]] = {"cpu": ("cpu",), "cuda": ("cuda",), "both": ("cpu", "cuda")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What is known about a pair; see `notes/schema.md` for each field."""

    kernel_name: str
    category: str
    device: Device
    ir_type: IrType
    has_backward: bool
    codegen_only: bool
    cuda_available: bool
    seed: int | None
    index: int | None
    launch: Launch | None
    features: tuple[str, ...]
    description: str
    structure: str | None
    module_options: dict[str, bool | int | float | str | None]
    warp_version: str
    generator_version: str
    schema_version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A Python kernel and its generated code; a text that the device or direction does not have is null."""

    id: str
    python_source: str
    cpp_forward: str | None
    cpp_backward: str | None
    cuda_ir_forward: str | None
    cuda_ir_backward: str | None
    metadata: Metadata

    def code(self, target: str) -> tuple[str | None, str | None]:
        """Return (forward, backward) for ``target`` ``"cpu"`` or ``"cuda"``."""
        if target == "cpu":
            return self.cpp_forward, self.cpp_backward
        return self.cuda_ir_forward, self.cuda_ir_backward


@dataclass(frozen=True, slots=True, kw_only=True)
class Reject:
    """A pair that could not be made: which, at what stage and why. One line of `rejects.jsonl`."""

    id: str
    seed: int | None
    index: int | None
    stage: str
    error: str


def to_dict(pair: Pair) -> dict[str, Any]:
    """Return the pair as plain JSON-like values, tuples as lists."""
    plain: dict[str, Any] = msgspec.to_builtins(pair)
    for argument in (plain["metadata"]["launch"] or {"args": ()})["args"]:
        _drop_empty_build(argument)
    return plain


def _drop_empty_build(argument: dict[str, Any]) -> None:
    """Most arguments are no objects, and their records are older than objects."""
    if argument["build"] is None:
        del argument["build"]
    for member in argument["fields"]:
        _drop_empty_build(member)


def from_dict(raw: object) -> Pair:
    """Check ``raw``, one decoded line, and return it as a Pair.

    Raises:
        RecordError: naming the path of the first field that is missing, unknown or of a wrong type.
    """
    try:
        pair = msgspec.convert(raw, Pair)
    except msgspec.ValidationError as error:
        raise RecordError(str(error)) from None
    if isinstance(raw, dict) and (unknown := _unknown_field(raw, asdict(pair), "$")):
        raise RecordError(f"Unknown field {unknown}")
    return pair


def _unknown_field(raw: dict[str, Any], known: dict[str, Any], path: str) -> str | None:
    """Return the path of the first key of ``raw`` that ``known`` lacks; msgspec passes over such keys in dataclasses."""
    for key, value in raw.items():
        if key not in known:
            return f"{path}.{key}"
        pairs = [(value, known[key])]
        if isinstance(value, list):
            pairs = list(zip(value, known[key], strict=True))
        for inner, inner_known in pairs:
            if isinstance(inner, dict) and (found := _unknown_field(inner, inner_known, f"{path}.{key}")):
                return found
    return None
