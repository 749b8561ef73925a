"""Outputs that are unchanged, constant or infinite, or depend on what they contained: right code may leave them, and so may
wrong code.

The oracle decides: where it leaves the same, the Python says so.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

import numpy as np

from warpsmith.core.inputs.values import Values, leaves, reachable
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.validation.levels.finding import PASS, Finding, fail
from warpsmith.validation.levels.level_results import LaunchResult
from warpsmith.validation.oracle.interpreter.interpret import interpret
from warpsmith.validation.oracle.values.agreement import disagreement
from warpsmith.validation.oracle.values.interpretation_errors import Exhausted, Undefined, Unsupported

_THREAD = re.compile(r"^ +([\w, ]+) = wp\.tid\(\)", re.MULTILINE)
_COMPARED = re.compile(r"\b(\w+) *(?:>=|<=|<|>) *(\w+)")


def doubt(launch: Launch, before: Mapping[str, Values], after: Mapping[str, Values]) -> str | None:
    """Return the first output that is constant or infinite after a launch, as a sentence, or None."""
    written = (leaf for leaf in leaves(launch) if leaf.role != "input" and leaf.kind != "value")
    doubts = (_of_output(leaf, reachable(leaf, before, after[leaf.name])) for leaf in written)
    return next((sentence for sentence in doubts if sentence), None)


def _of_output(argument: Argument, after: Values) -> str | None:
    if not bool(np.all(np.isfinite(after))):
        return f"{argument.name} is not finite"
    rows = after.reshape(math.prod(after.shape[: len(argument.shape)]), -1)
    if len(rows) > 1 and bool(np.all(rows == rows[0])):
        return f"{argument.name} is {'all zero' if not rows.any() else 'constant'}"
    return None


def resolved(pair: Pair, result: LaunchResult, reason: str, unknown: Callable[[str], Finding]) -> Finding:
    """Return the finding on a launch with doubtful results.

    Args:
        pair: the pair.
        result: the launch and its results.
        reason: what is doubtful.
        unknown: makes the finding where the oracle does not support the kernel.
    """
    try:
        outputs = interpret(pair.python_source, pair.metadata.kernel_name, result.launch, result.values)
    except (Unsupported, Undefined, Exhausted):
        return unknown(f"{reason}, and the oracle does not support the kernel")
    return fail(reason) if disagreement(outputs, result.outputs.arrays) else PASS


def writes(text: str, name: str) -> bool:
    """Return whether a forward text stores elements of an argument, or changes them by an atomic function."""
    return re.search(rf"\b(?:array_store|(?:tile_)?atomic_\w+)\(var_{re.escape(name)}\b", text) is not None


def supports(pair: Pair, launch: Launch, values: Mapping[str, Values]) -> bool:
    """Return whether the Python supports a launch: the oracle runs it without an index beyond an array."""
    try:
        interpret(pair.python_source, pair.metadata.kernel_name, launch, values)
    except (Unsupported, Undefined, Exhausted):
        return False
    return True


def guards_threads(pair: Pair) -> bool:
    """Return whether the Python compares the number of a thread, as kernels do that support wider launches."""
    names = {name.strip() for match in _THREAD.finditer(pair.python_source) for name in match[1].split(",")}
    return any(name in names for match in _COMPARED.finditer(pair.python_source) for name in match.groups())
