"""Level 5: the kernel runs on the CPU, as Warp builds it from the Python, and does something."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from warpsmith.core.inputs.values import Values, leaves, seen
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.levels.common import inputs_of, launch_of, unsupported
from warpsmith.validation.levels.context import BatchContext, LaunchResult, Place, place, standing
from warpsmith.validation.levels.finding import PASS, Finding, fail, skipped
from warpsmith.validation.running.launch_variants import launch_variants

if TYPE_CHECKING:
    from warpsmith.validation.compiling.clang import Library
    from warpsmith.validation.compiling.unit import Part
    from warpsmith.validation.running.arguments import Arguments
    from warpsmith.validation.running.launches import Call, Results


def check(lines: Sequence[Line], context: BatchContext) -> list[Finding]:
    """Launch the C++ code of every pair; what it leaves stays on the bench."""
    from warpsmith.validation.running.fork_runner import run_forked

    parts = {place(line): part for line, part in standing(lines, context, "cpu")}
    built = context.library("cpp", parts.values())
    context.arena.clear()
    findings: dict[Place, Finding] = {}
    trials: list[_Trial] = []
    for line in lines:
        part, values = parts.get(place(line)), inputs_of(line)
        if part is None:
            findings[place(line)] = unsupported(line) or skipped("there is no C++ code of this pair")
        elif part.key in built[part.key].errors:
            findings[place(line)] = fail(f"cpu: {built[part.key].errors[part.key]}")
        elif isinstance(values, Finding):
            findings[place(line)] = values
        else:
            trials.append(_Trial(line, values, built[part.key], part, context))
    for trial, problem in zip(trials, run_forked([trial.calls for trial in trials]), strict=True):
        findings[trial.place] = fail(problem) if problem else trial.judge(context)
    _vary([trial for trial in trials if trial.place in context.drawn], context)
    return [findings[place(line)] for line in lines]


def _vary(trials: Sequence[_Trial], context: BatchContext) -> None:
    """Launch what ran well in other ways, for the levels to come; a launch that a kernel is not made for says nothing.

    Many kernels are not made for a launch that is wider than their arrays. Each stop costs a fork: whatever stops at the first
    wider launch is not launched wider again, but in its own width with the same values.
    """
    varied = [(trial, *variation) for trial in trials for variation in trial.launch_variants()]
    first = {trial.place: (trial, how, values) for trial, how, values in reversed(varied) if how is not trial.how}
    stopped = {place for place, left in zip(first, _left_by(list(first.values()), context), strict=True) if left is None}
    varied = [(trial, trial.how if trial.place in stopped else how, values) for trial, how, values in varied]
    for (trial, how, values), left in zip(varied, _left_by(varied, context), strict=True):
        if left is not None and all(map(_finite, (*left.arrays.values(), *left.gradients.values()))):
            context.drawn[trial.place].append(LaunchResult(how, values, left))


def _left_by(varied: Sequence[tuple[_Trial, Launch, dict[str, Values]]], context: BatchContext) -> Iterator[Results | None]:
    """What each launch leaves, None for those that stop."""
    from warpsmith.validation.running.fork_runner import run_forked
    from warpsmith.validation.running.launches import results

    runs = [trial.launch(how, values, context) for trial, how, values in varied]
    problems = run_forked([calls for _, calls in runs])
    for (trial, _, _), (arguments, _), problem in zip(varied, runs, problems, strict=True):
        yield results(arguments, trial.backward) if problem is None else None


class _Trial:
    """The launches of one pair: twice the same, and once into outputs that hold a mark."""

    def __init__(self, line: Line, values: dict[str, Values], library: Library, part: Part, context: BatchContext) -> None:
        self.place = place(line)
        self.how, self.backward = launch_of(line)
        self._line, self._values = line, values
        self._dimensions, self._replays = part.dimensions, part.replays_writes
        self._block = part.block_dim if part.waits else 0
        self._entries = [library.address(part, direction) for direction in ("forward", "backward")]
        marked = values | {leaf.name: _marked(values[leaf.name]) for leaf in leaves(self.how) if leaf.role == "output"}
        launched = [self.launch(self.how, given, context) for given in (values, values, marked)]
        self._runs = [arguments for arguments, _ in launched]
        self.calls = [call for _, calls in launched for call in calls]

    def launch(self, how: Launch, values: dict[str, Values], context: BatchContext) -> tuple[Arguments, list[Call]]:
        """Prepare a launch, forward and, if there is one, backward."""
        from warpsmith.validation.running.arguments import prepare
        from warpsmith.validation.running.launches import cpp_backward, cpp_forward, give_seeds

        arguments = prepare(how, values, context.arena)
        calls = [cpp_forward(self._entries[0], how, self._dimensions, arguments)]
        if self.backward:
            give_seeds(how, arguments)
            if self._replays:
                calls.append(arguments.keep(context.arena))
            calls.append(cpp_backward(self._entries[1], how, self._dimensions, arguments))
        return arguments, calls

    def launch_variants(self) -> Iterator[tuple[Launch, dict[str, Values]]]:
        """Other launches of the kernel, see `launch_variants`."""
        if self._line.pair is not None:
            yield from launch_variants(self.how, self._line.pair.id, self._line.pair.python_source, self._block)

    def judge(self, context: BatchContext) -> Finding:
        """Look at what the launches left, and put it on the bench if it is well."""
        from warpsmith.validation.running.launches import results

        first, second, marked = self._runs
        left, again = (results(arguments, self.backward) for arguments in (first, second))
        problem = (
            _problem(self.how, self._values, left.arrays, marked.arrays)
            or _not_the_same(left, again)
            or next(
                (f"the gradient of {name} is not finite" for name in left.gradients if not _finite(left.gradients[name])), None
            )
        )
        if problem is not None:
            return fail(problem)
        context.drawn[self.place] = [LaunchResult(self.how, self._values, left)]
        return PASS


def _not_the_same(left: Results, again: Results) -> str | None:
    for what, ours, theirs in (("", left.arrays, again.arrays), ("the gradient of ", left.gradients, again.gradients)):
        for name in ours:
            if ours[name].tobytes() != theirs[name].tobytes():
                return f"{what}{name} is not the same when it is run twice"
    return None


def _marked(values: Values) -> Values:
    """Values for an output that no kernel would leave there by chance."""
    return np.full_like(values, 119 if values.dtype.kind in "iub" else -31337.25)


def _problem(how: Launch, values: dict[str, Values], left: dict[str, Values], marked: dict[str, Values]) -> str | None:
    for argument in leaves(how):
        if argument.kind == "value":
            continue
        before, after = values[argument.name], left[argument.name]
        if argument.role == "input":
            if before.tobytes() != after.tobytes():
                return f"{argument.name} is an input and was changed"
            continue
        reached = (seen(argument, values, content) for content in (before, after, marked[argument.name]))
        if (problem := _output_problem(argument, *reached)) is not None:
            return problem
    return None


def _output_problem(argument: Argument, before: Values, after: Values, marked: Values) -> str | None:
    if not _finite(after):
        return f"{argument.name} is not finite"
    if argument.role == "output":
        untouched = (marked == _marked_value(marked)) & (after == before)  # a boolean may well be what it is marked with
        if bool(np.all(untouched)):
            return f"{argument.name} is never written"
    elif before.tobytes() == after.tobytes():
        return f"{argument.name} is left as it was"
    rows = after.reshape(math.prod(after.shape[: len(argument.shape)]), -1)
    if len(rows) > 1 and bool(np.all(rows == rows[0])):
        return f"{argument.name} is {'all zero' if not rows.any() else 'constant'}"
    return None


def _marked_value(marked: Values) -> Values:
    return np.full((), 119 if marked.dtype.kind in "iub" else -31337.25, marked.dtype)


def _finite(array: Values) -> bool:
    return bool(np.all(np.isfinite(array)))
