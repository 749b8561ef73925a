"""Findings on the launches of extracted kernels: an unusual effect of real code says nothing against the generated code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from warpsmith.core.inputs.values import Values, leaves, reachable
from warpsmith.core.records import text_format
from warpsmith.core.records.ir import Code
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.verdict import BACKWARD_STOPS
from warpsmith.validation.levels.finding import PASS, Finding, fail, inconclusive, memory_error
from warpsmith.validation.running.fork_runner import SLOW
from warpsmith.validation.running.outputs import LaunchOutputs

FEWER = 64
"""How many times fewer threads a launch has that takes too long."""

_WHILE = re.compile(r"\bstart_while_(\d+):;.*?\bend_while_\1:;", re.DOTALL)
_RETURN = re.compile(r"\blabel\d+:;")
"""The adjoint of a ``return``. After one in a ``while``, the adjoint goes to the start of the loop with unchanged values."""


@dataclass(frozen=True, slots=True)
class Effects:
    """The contents of arrays before and after the launches of level `execute`.

    Attributes:
        launch: the launch.
        before: contents before the launch.
        first: contents and gradients after it.
        second: contents and gradients after it, again.
        marked: contents after the launch with marked outputs.
        marks: these outputs before it.
    """

    launch: Launch
    before: Mapping[str, Values]
    first: LaunchOutputs
    second: LaunchOutputs
    marked: Mapping[str, Values]
    marks: Mapping[str, Values]

    def finding(self) -> Finding:
        """Return a finding, which is inconclusive where the launch leaves open what the kernel does."""
        arrays = [leaf for leaf in leaves(self.launch) if leaf.kind != "value"]
        written = [leaf.name for leaf in arrays if leaf.role != "input"]
        if not written and not any(map(self._is_changed, arrays)):
            return Finding("not_applicable", "the kernel writes no array")
        if not any(map(self._has_effect, arrays)):
            return inconclusive(f"nothing is written at this launch; outputs are {', '.join(written)}")
        return next(self._problems(arrays), PASS)

    def _problems(self, arrays: list[Argument]) -> Iterator[Finding]:
        for leaf in arrays:
            if leaf.role == "input" and self._is_changed(leaf):
                yield inconclusive(f"{leaf.name} is an input in the record and was changed")
        for leaf in arrays:
            after = reachable(leaf, self.before, self.first.arrays[leaf.name])
            if np.any(np.isfinite(reachable(leaf, self.before, self.before[leaf.name])) & ~np.isfinite(after)):
                yield inconclusive(f"{leaf.name} is not finite after this launch")
        for name, values in self.first.gradients.items():
            if values.tobytes() != self.second.gradients[name].tobytes():
                reason = "the backward pass reads memory without contents"
                yield inconclusive(f"the gradient of {name} is not the same when it is run twice: {reason}")

    def _is_changed(self, leaf: Argument) -> bool:
        return self.before[leaf.name].tobytes() != self.first.arrays[leaf.name].tobytes()

    def _has_effect(self, leaf: Argument) -> bool:
        """Return whether a launch changes an array; stores of values that are there already show in the marked outputs."""
        marks = self.marks.get(leaf.name)
        return self._is_changed(leaf) or (marks is not None and marks.tobytes() != self.marked[leaf.name].tobytes())


def fewer_threads(launch: Launch, block: int) -> Launch | None:
    """Return a launch of the first threads, or None if there are few already.

    Args:
        launch: the launch.
        block: the threads of a block that wait for each other, or 0. Blocks stay whole.
    """
    first, *inner = launch.dim
    if first < FEWER or (block and not inner):
        return None
    return replace(launch, dim=(first // FEWER, *inner))


def repetition_finding(first: LaunchOutputs, second: LaunchOutputs) -> Finding | None:
    """Return the finding on a kernel that leaves something else when it runs again, or None: it may read any memory."""
    for name, values in first.arrays.items():
        if values.tobytes() != second.arrays[name].tobytes():
            return inconclusive(f"{name} is not the same when it is run twice: the kernel reads memory without contents")
    return None


def stopped_backward(launch: Launch, before: Mapping[str, Values], after: LaunchOutputs, problem: str, code: Code) -> Finding:
    """Return the finding on a kernel whose backward pass stops, although its forward pass does not.

    Args:
        launch: the launch.
        before: contents of the arrays before it.
        after: contents of the arrays after the forward pass.
        problem: why the backward pass stops.
        code: the code of the kernel.
    """
    if not any(leaf.kind != "value" and before[leaf.name].dtype.kind == "f" for leaf in leaves(launch)):
        return PASS  # no array has a gradient, so that nobody runs the backward pass
    for leaf in leaves(launch):
        is_array_of_integers = leaf.kind != "value" and before[leaf.name].dtype.kind in "iu"
        if is_array_of_integers and before[leaf.name].tobytes() != after.arrays[leaf.name].tobytes():
            return inconclusive(f"the backward pass stops, which reads {leaf.name} after it was changed: {problem}")
    text = f"{BACKWARD_STOPS}{problem}{_cause(problem, code.backward_code or '')}"
    return fail(text) if SLOW in problem else memory_error(text)


def _cause(problem: str, backward_code: str) -> str:
    """Return what may be the reason why a backward pass stops, as the rest of a sentence."""
    if SLOW in problem and any(_RETURN.search(loop[0]) for loop in _WHILE.finditer(backward_code)):
        return ", perhaps at a return in a while: the adjoint goes back to the start of the loop for ever"
    if text_format.ADJOINT_SHAPE_CLEARED.search(backward_code):
        return ", perhaps at a negative index of an array whose shape is read later: its adjoint clears the shape"
    return ""


def adds_infinities(reference: LaunchOutputs, other: LaunchOutputs) -> bool:
    """Return whether a launch leaves numbers that are not finite in arrays that another launch left finite."""
    return any(
        np.isfinite(reference.arrays[name]).all() and not np.isfinite(values).all() for name, values in other.arrays.items()
    )
