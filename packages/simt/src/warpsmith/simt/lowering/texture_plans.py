"""Plans of `tex` and `txq` with handles of textures."""

from __future__ import annotations

from warpsmith.simt.lowering.function_lowering import FunctionLowering, Plan
from warpsmith.simt.lowering.instruction_encoding import NONE, kind_of
from warpsmith.simt.ptx.statements import members, split_operands
from warpsmith.simt.ptx.syntax import UnsupportedPtx

_DIMENSIONS = {"1d": 1, "2d": 2, "3d": 3}
_QUERIES = ("width", "height", "depth", "num_mipmap_levels", "normalized_coords")
_CHANNELS = 4


def plan_texture(opcode: str) -> Plan:
    """Return the plan of ``tex``; without a level, the first one is sampled."""
    parts = opcode.split(".")
    has_level = "level" in parts
    dimensions, result, coordinate = parts[1 + has_level], parts[-2], parts[-1]
    accepted = parts[2 + has_level] == "v4" and len(parts) == 5 + has_level
    if not accepted or dimensions not in _DIMENSIONS or result not in ("f32", "s32", "u32") or coordinate not in ("f32", "s32"):
        raise UnsupportedPtx(opcode)
    count = _DIMENSIONS[dimensions]

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        source = split_operands(operands[1][1:-1])
        if len(source) != 2 or len(operands) != 2 + has_level or source[0] in lowering.symbols:
            raise UnsupportedPtx(f"{opcode} with a sampler, an offset or a named texture")
        targets = tuple(NONE if name == "_" else lowering.slot(name) for name in members(operands[0]))
        places = tuple(lowering.source(name, coordinate) for name in members(source[1])[:count])
        if len(targets) != _CHANNELS or len(places) != count:
            raise ValueError
        level = lowering.source(operands[2], coordinate) if has_level else NONE
        slots = (*targets, lowering.source(source[0]), *places)
        lowering.emit("texture", slots, "load", level, count=count, kind=kind_of(result), mode=int(coordinate == "s32"))

    return encode


def plan_query(opcode: str) -> Plan:
    """Return the plan of ``txq``."""
    parts = opcode.split(".")
    query = _QUERIES.index(parts[-2])

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        level = lowering.source(operands[2]) if len(operands) > 2 else NONE
        slots = (lowering.slot(operands[0]), NONE, NONE, NONE, lowering.source(operands[1][1:-1]), level)
        lowering.emit("texture_query", slots, "other", mode=query)

    return encode
