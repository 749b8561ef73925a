"""Helpers that several levels use: whether a pair can be checked at all, its inputs, its launch and its entry points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import warp as wp

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import Finding, skipped
from warpsmith.validation.running.prepared_launch import EntryPoints


def unsupported(line: Line) -> Finding | None:
    """Return a finding if the line is no record, or a record made with another Warp; otherwise None."""
    if line.pair is None:
        return skipped("not a record")
    version, installed = line.pair.metadata.warp_version, str(wp.__version__)
    return None if version == installed else skipped(f"made with Warp {version}, installed is {installed}")


def is_extracted(line: Line) -> bool:
    """Return whether a pair's kernel was extracted from real code, whose author did not write it to be checked.

    Such kernels race on purpose, change arrays in place, and leave outputs as they were. Checks fail them only where the
    generated code is at fault.
    """
    return line.pair is not None and line.pair.is_extracted


def inputs_of(line: Line) -> dict[str, Values] | Finding:
    """Return the values that a pair is run with, or a finding if it cannot be run."""
    if line.pair is None:
        return skipped("not a record")
    if line.pair.metadata.launch is None:
        return skipped("the pair does not say how to launch it")
    try:
        return make_inputs(line.pair.metadata.launch, line.pair.id)
    except WarpsmithError as error:
        return skipped(str(error))


def launch_of(line: Line) -> tuple[Launch, bool]:
    """Return the launch of a pair that `inputs_of` made values for, and whether the pair has a backward pass."""
    if line.pair is None or line.pair.metadata.launch is None:
        raise ValueError("a pair that is not launched")
    return line.pair.metadata.launch, line.pair.metadata.has_backward


SINGLE = {"cpu": "cpp", "cuda": "emulated"}
DOUBLE = {"cpu": "double_cpp", "cuda": "double"}
"""The types of units that run a text on the CPU in single and in double precision, by target."""


def repeated_kernel(line: Line, context: BatchContext, unit_types: Mapping[str, str]) -> tuple[UnitPart, EntryPoints] | None:
    """Return the text whose launches are repeated in another precision or with other inputs, and its entry points.

    The C++ text is compiled faster than the emulated CUDA text; of extracted kernels the CUDA text decides.

    Args:
        line: the pair.
        context: the state of the batch.
        unit_types: `SINGLE` or `DOUBLE`.
    """
    part = context.unit_part(line, "cpu")
    if part is None or not part.has_grid_entry or is_extracted(line):
        part = context.unit_part(line, "cuda")
    if part is None:
        return None
    library = context.library(unit_types[part.target], [part])[part.key]
    if part.key in library.errors:
        return None
    kernel = entry_points(library, part, takes_grid=part.target == "cuda")
    return part, replace(kernel, backward_rewrites_arrays=False)


def entry_points(library: Library, part: UnitPart, takes_grid: bool) -> EntryPoints:
    """Return the entry points of ``part`` in ``library``: those that run a grid of blocks, or those of Warp's CPU launcher."""
    forward, backward = (
        library.address(part, direction, "_grid" if takes_grid else "") for direction in ("forward", "backward")
    )
    runner = library.runner(part, takes_grid)
    return EntryPoints(forward, backward, part.dimensions, takes_grid, part.backward_rewrites_arrays, runner)


def lines_with_code(lines: Sequence[Line], context: BatchContext, target: str) -> list[tuple[Line, UnitPart]]:
    """Return the lines that have code for ``target``, each with that code.

    Code of another release of Warp is left out: level `regenerate` has not compared it with the Python.
    """
    return [
        (line, part) for line in lines if unsupported(line) is None and (part := context.unit_part(line, target)) is not None
    ]
