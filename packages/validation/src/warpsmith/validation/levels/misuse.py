"""Definite faults of a program at its own launch: an index beyond an array or a tile, a variable read before it has a value.

They are definite only if the record contains every value of the launch. Where values are drawn again, such as those of large
arrays, an index may leave an array that it does not leave in the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch
from warpsmith.validation.levels.common import is_extracted
from warpsmith.validation.levels.finding import Finding, inconclusive, memory_error
from warpsmith.validation.oracle.interpreter.interpret import interpret
from warpsmith.validation.oracle.values.interpretation_errors import Misuse, Unsupported
from warpsmith.validation.running.fork_runner import SLOW
from warpsmith.validation.running.outputs import LaunchOutputs, difference

STEPS = 250_000
"""The number of statements that an interpreted launch may run."""

_EXACT = ("stored", "fill")
"""The domains that contain the values of the program themselves."""


def is_of_program(line: Line, launch: Launch) -> bool:
    """Return whether a launch is one of a program, with the values that the program passed."""
    origin = line.pair.metadata.origin if line.pair is not None else None
    return origin is not None and origin.launch != "guessed" and all(
        leaf.domain is None or leaf.domain.kind in _EXACT for leaf in leaves(launch)
    )  # fmt: skip


def misuse(line: Line, launch: Launch, values: Mapping[str, Values]) -> str | None:
    """Return the fault that the interpreter of the Python finds in a launch of a program, or None."""
    return _fault(line, launch, values) if is_of_program(line, launch) else None


def _fault(line: Line, launch: Launch, values: Mapping[str, Values]) -> str | None:
    if line.pair is None:
        return None
    try:
        interpret(line.pair.python_source, line.pair.metadata.kernel_name, launch, values, STEPS)
    except Misuse as reason:
        return str(reason)
    except Unsupported:
        return None
    return None


def stopped_forward(line: Line, launch: Launch, values: Mapping[str, Values], reason: str) -> Finding:
    """Return the finding on a kernel of a project whose forward pass stops."""
    text = f"the kernel stops at this launch: {reason}"
    if SLOW in reason or not is_of_program(line, launch):
        return inconclusive(text)
    found = misuse(line, launch, values)
    return memory_error(f"{text} ({found})" if found else text)


def repeated(line: Line, launch: Launch, values: Mapping[str, Values], finding: Finding) -> Finding:
    """Return the finding on a kernel of a project that leaves something else when it runs again."""
    found = misuse(line, launch, values)
    return memory_error(f"{finding.reason}: {found}") if found else finding


def without_value(
    line: Line,
    launch: Launch,
    values: Mapping[str, Values],
    results: tuple[LaunchOutputs, LaunchOutputs],
    repetition: Iterator[LaunchOutputs | None],
) -> Finding | None:
    """Return the finding on a kernel whose results depend on variables without a value, or None.

    Args:
        line: the pair.
        launch: the launch.
        values: the inputs.
        results: the results with each of two contents of these variables.
        repetition: repeats the launch with the first contents when it is iterated; yields None if the launch stops.
    """
    first, second = results
    name = difference(first, second)
    if name is None or (is_extracted(line) and not is_of_program(line, launch)):
        return None
    again = next(repetition)
    if again is None or difference(first, again) is not None:
        return None
    reader = "adjoint" if name.startswith("the gradient of ") else "kernel"
    found = _fault(line, launch, values)
    where = f" ({found})" if found else ""
    return memory_error(f"the {reader} reads a variable that has no value: {name} depends on it{where}")
