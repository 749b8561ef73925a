"""Marked outputs, and the findings on outputs that follow from launches with and without marks.

Outputs are zero before a launch, where an addition leaves what a store leaves. A second launch starts with marks in the
outputs: an element that is written must not depend on its mark, and an element that keeps its mark is not written.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from warpsmith.core.inputs.values import Values, generator, leaves, reachable
from warpsmith.core.records.launch import Argument, Launch

_MARKS = {"f": (-31337.25, 31337.25), "i": (119, -119), "u": (119, 1), "b": (True, True)}
"""Values of neighbouring elements by kind of number; no kernel writes them by chance. One is below most results and the other
above, because a minimum or a maximum shows only one of them."""


def outputs_of(launch: Launch) -> list[Argument]:
    """Return the leaves that a kernel writes and does not read."""
    return [leaf for leaf in leaves(launch) if leaf.role == "output" and leaf.kind != "value"]


def marks_of(launch: Launch, values: Mapping[str, Values]) -> dict[str, Values]:
    """Return marks for all outputs."""
    return {leaf.name: _marks(values[leaf.name]) for leaf in outputs_of(launch)}


def scaled_marks(launch: Launch, values: Mapping[str, Values], after: Mapping[str, Values], key: str) -> dict[str, Values]:
    """Return marks that do not exceed what the outputs contain after another launch, so that no tolerance grows.

    Args:
        launch: the launch.
        values: the values of its arguments.
        after: what the arrays contain after the other launch.
        key: determines the marks.
    """
    marks = {}
    for leaf in outputs_of(launch):
        value = values[leaf.name]
        largest = float(np.abs(after[leaf.name].astype(np.float64)).max(initial=0.0))
        signs = (-1.0, 1.0) if value.dtype.kind in "fi" else (1.0,)
        random = generator(f"{key}/mark {leaf.name}")
        size = largest * random.uniform(0.25, 1.0, value.shape) * random.choice(signs, value.shape)
        marks[leaf.name] = np.asarray(size, value.dtype)
    return marks


def output_problem(
    launch: Launch,
    before: Mapping[str, Values],
    after: Mapping[str, Values],
    marks: Mapping[str, Values],
    marked: Mapping[str, Values],
) -> str | None:
    """Return what is wrong with the effect of a launch, or None.

    Args:
        launch: the launch.
        before: contents of the arrays before it.
        after: contents of the arrays after it.
        marks: contents of the outputs before another launch with the same inputs.
        marked: contents of the arrays after the other launch.
    """
    for argument in leaves(launch):
        name = argument.name
        if argument.kind == "value":
            continue
        if argument.role == "input":
            if before[name].tobytes() != after[name].tobytes():
                return f"{name} is an input and was changed"
            continue
        visible = [reachable(argument, before, contents[name]) for contents in (before, after)]
        problem = _content_problem(argument, visible[1])
        if problem is None and argument.role == "output":
            other = [reachable(argument, before, contents[name]) for contents in (marks, marked)]
            problem = _mark_problem(name, *visible, *other)
        if problem is not None:
            return problem
    return None


def dependence(
    launch: Launch,
    before: Mapping[str, Values],
    after: Mapping[str, Values],
    marks: Mapping[str, Values],
    marked: Mapping[str, Values],
) -> str | None:
    """Return the first output with elements that are written and depend on their mark, as a sentence, or None."""
    for leaf in outputs_of(launch):
        old, new, mark, result = (reachable(leaf, before, contents[leaf.name]) for contents in (before, after, marks, marked))
        untouched = (result == mark) & (new == old)
        if bool(np.any(~untouched & (result != new))):
            return f"{leaf.name} is an output, but what the kernel writes depends on what the array contained"
    return None


def unchanged(launch: Launch, before: Mapping[str, Values], after: Mapping[str, Values]) -> Argument | None:
    """Return the first array that a kernel reads and writes, and that a launch leaves as it was, or None."""
    for leaf in leaves(launch):
        if leaf.role == "inout" and leaf.kind != "value":
            old, new = (reachable(leaf, before, contents[leaf.name]) for contents in (before, after))
            if old.tobytes() == new.tobytes():
                return leaf
    return None


def _content_problem(argument: Argument, after: Values) -> str | None:
    if after.dtype.kind == "f" and bool(np.any(np.isnan(after))):
        return f"{argument.name} is not finite"
    return None


def _mark_problem(name: str, before: Values, after: Values, marks: Values, marked: Values) -> str | None:
    # A kernel may write the mark itself into an array of booleans; the other launch then shows the write.
    untouched = (marked == marks) & (after == before)
    return f"{name} is never written" if bool(np.all(untouched)) else None


def _marks(values: Values) -> Values:
    pattern = np.asarray(_MARKS[values.dtype.kind], values.dtype)
    return np.asarray(np.resize(pattern, values.size).reshape(values.shape))
