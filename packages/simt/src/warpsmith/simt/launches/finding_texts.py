"""Findings as users read them: the place in the source, the element of an array, and a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from warpsmith.simt.launches.device_memory import VARIABLE_GAP, Region
from warpsmith.simt.launches.launch_results import KINDS, Finding, Thread
from warpsmith.simt.lowering.instruction_encoding import INVALID_TEXTS, WINDOWS
from warpsmith.simt.lowering.lowered_program import Program
from warpsmith.simt.machine.layout import RawFinding, RawLaunch
from warpsmith.simt.ptx.source_locations import Location
from warpsmith.simt.ptx.syntax import ModuleSyntax, Variable

_NOWHERE = 0xFFFFFFFF
_ACCESSES = ("reads", "writes", "updates atomically")


def describe_findings(
    module: ModuleSyntax,
    program: Program,
    findings: Sequence[RawFinding],
    regions: Sequence[Region],
    launch: RawLaunch,
    arrays: Sequence[Any],
    variables: Mapping[str, int] | None = None,
    names: Sequence[str] | None = None,
) -> tuple[Finding, ...]:
    """Return the findings of a launch with their places.

    Args:
        module: the module.
        program: the program that ran.
        findings: as the machine reported them.
        regions: the arrays of the launch.
        launch: the launch.
        arrays: the arguments, whose element sizes are used.
        variables: the addresses of the module's variables.
        names: what the messages call the arguments; messages with names have no addresses, which differ between processes.
    """
    known = [(address, module.variables[name]) for name, address in (variables or {}).items()]
    return tuple(_describe(module, program, finding, regions, launch, arrays, known, names) for finding in findings)


def _describe(
    module: ModuleSyntax,
    program: Program,
    raw: RawFinding,
    regions: Sequence[Region],
    launch: RawLaunch,
    arrays: Sequence[Any],
    variables: Sequence[tuple[int, Variable]],
    names: Sequence[str] | None,
) -> Finding:
    kind = KINDS[raw.kind]
    location = program.location(raw.position)
    file, line = _source(module, location)
    argument, element, where = _element(raw, regions, arrays, variables, names)
    block, thread = _coordinates(raw.block, list(launch.grid)), _coordinates(raw.thread, list(launch.block))
    other = None
    if raw.other_position != _NOWHERE:
        _, other_line = _source(module, program.location(raw.other_position))
        other = Thread(
            _coordinates(raw.other_block, list(launch.grid)),
            _coordinates(raw.other_thread, list(launch.block)),
            other_line,
            module.line(program.code.offsets[raw.other_position]),
        )
    return Finding(
        kind,
        _message(kind, raw, where, other),
        file,
        line,
        module.line(program.code.offsets[raw.position]),
        block,
        thread,
        argument,
        element,
        other,
        int(raw.count),
        f"{module.files.get(location.file, '')}:{location.line}" if location.line else "",
    )


def _source(module: ModuleSyntax, location: Location) -> tuple[str, int]:
    """Return file and line of a location; of code that a header contains, those of the call in the first file of the module.

    NVRTC numbers the file of the text first.
    """
    place: Location | None = location
    while place is not None and place.file != 1:
        place = place.caller
    place = place or location
    return module.files.get(place.file, ""), place.line


def _coordinates(number: int, sizes: list[int]) -> tuple[int, int, int]:
    return number % sizes[0], number // sizes[0] % sizes[1], number // (sizes[0] * sizes[1])


def _element(
    raw: RawFinding,
    regions: Sequence[Region],
    arrays: Sequence[Any],
    variables: Sequence[tuple[int, Variable]],
    names: Sequence[str] | None,
) -> tuple[int, int, str]:
    """Return argument, element and a description of an address; for addresses outside, those of the closest array before."""
    address = int(raw.address)
    for space in ("shared", "local", "param"):
        if address >> 56 == WINDOWS[space] >> 56:
            return -1, -1, f"byte {address & 0xFFFFFFFF} of {space} memory"
    for start, variable in variables:
        if start <= address < start + variable.size + VARIABLE_GAP:
            return -1, -1, f"byte {address - start} of variable {variable.name}"
    near = None
    for region in regions:
        if region.address - 4096 < address < region.address + region.memory.size + 4096 and region.argument >= 0:
            distance = max(region.address - address, address - region.address - region.memory.size, 0)
            near = min(near or (distance, region), (distance, region), key=lambda found: found[0])
    if near is None:
        return -1, -1, f"address {address:#x}" if names is None else "an address outside of all arrays"
    region = near[1]
    array = arrays[region.argument] if region.argument < len(arrays) else None
    size = array.dtype.itemsize if array is not None and hasattr(array, "dtype") else 1
    element = (address - region.address) // size
    name = f"argument {region.argument}" if names is None else names[region.argument]
    return region.argument, element, f"element {element} of {name}"


def _message(kind: str, raw: RawFinding, where: str, other: Thread | None) -> str:
    """Return the sentence of a finding."""
    verb = "writes" if raw.detail else "reads"
    if kind == "out_of_bounds":
        return f"a thread {verb} {raw.size} bytes outside of its memory, at {where}"
    if kind == "misaligned":
        return f"a thread {verb} {raw.size} bytes at an address that is no multiple of {raw.size}, at {where}"
    if kind in ("shared_race", "global_race") and other is not None:
        return (
            f"a thread {_ACCESSES[min(raw.detail, 2)]} {where}, which thread {other.thread} of block {other.block} accesses at "
            f"line {other.line} without an order between them"
        )
    if kind in ("unwritten_shared", "unwritten_local"):
        return f"a thread reads {where}, which nothing has written"
    if kind == "divergent_barrier":
        if other is not None:
            return f"threads of a block wait at different barriers, here and at line {other.line}"
        return f"{raw.detail} threads of the block have ended without reaching the barrier"
    if kind == "absent_lane":
        if raw.detail == 32:
            return "a thread is not in its own member mask"
        if raw.size:
            return f"a shuffle reads an undefined value from lane {raw.detail}, which does not take part in it"
        return f"an exchange within a warp needs lane {raw.detail}, which does not take part in it"
    sentences = {
        "divided_by_zero": "an integer division by zero",
        "trap": "the kernel executes trap",
        "assertion": f"an assertion at line {raw.detail} does not hold",
        "step_limit": "the launch has more instructions than its limit",
        "deadlock": "the threads of the block wait for each other forever",
        "stack_overflow": f"calls need more than the stack, at a depth of {raw.detail}",
        "invalid": INVALID_TEXTS[raw.detail] if raw.detail < len(INVALID_TEXTS) else "an invalid instruction",
    }
    return sentences[kind]
