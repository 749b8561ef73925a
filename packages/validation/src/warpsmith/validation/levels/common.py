"""Why a level cannot say anything about a line: findings that several levels share."""

from __future__ import annotations

from functools import cache

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch
from warpsmith.validation.levels.finding import Finding, skipped


def unsupported(line: Line) -> Finding | None:
    """A finding where the line is no record, or one of another Warp."""
    if line.pair is None:
        return skipped("not a record")
    made, installed = line.pair.metadata.warp_version, _installed_warp()
    return None if made == installed else skipped(f"made with Warp {made}, installed is {installed}")


@cache
def _installed_warp() -> str:
    import warp as wp

    return str(wp.__version__)


def inputs_of(line: Line) -> dict[str, Values] | Finding:
    """The values that a pair is run with, or a finding where it cannot be run."""
    if line.pair is None:
        return skipped("not a record")
    if line.pair.metadata.launch is None:
        return skipped("the pair does not say how to launch it")
    try:
        return make_inputs(line.pair.metadata.launch, line.pair.id)
    except WarpsmithError as error:
        return skipped(str(error))


def launch_of(line: Line) -> tuple[Launch, bool]:
    """How a pair that `inputs_of` made values for is launched, and whether backward, too."""
    if line.pair is None or line.pair.metadata.launch is None:
        raise ValueError("a pair that is not launched")
    return line.pair.metadata.launch, line.pair.metadata.has_backward
