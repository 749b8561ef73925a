"""Mutants that no input tells from the original: both texts leave the same at many random inputs, in double precision.

Terms that cancel, bounds and branches that the inputs cannot reach, and contributions that are zero have this effect. Where the
texts differ with a probability of one in ten thousand at a random input, the test notices it in all but one of a hundred cases.
A mutant of a comparison in the forward pass may differ where the operands are equal, which no random input shows: it never
counts as one that agrees. An adjoint has no derivative to agree with there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from mutants.mutate import FAMILIES, FIELDS, Mutant, apply
from warpsmith.core.inputs.values import Values, generator, leaves, make_inputs
from warpsmith.core.records.ir import Code
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.levels.common import entry_points
from warpsmith.validation.running.arguments import promoted
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.launches import in_order
from warpsmith.validation.running.memory import Arena
from warpsmith.validation.running.prepared import PreparedLaunch, prepare_launch

INPUTS = 50_000
"""The number of threads, which all have different inputs."""

PORTION = 50
"""How many launches run in one fork."""

ROUNDING = 1.0e-12
"""The difference that another order of sums may cause, relative to the largest number of the array."""

COMPARES = re.compile(r" (<|>|<=|>=|==|!=) ")
"""A comparison in a statement."""


def agrees(pair: Pair, mutant: Mutant, scratch: Path) -> bool:
    """Return whether a mutant leaves what the original leaves; False where that cannot be told."""
    direction = FAMILIES[mutant.family][0]
    launch = pair.metadata.launch
    if launch is None or (direction == "forward" and mutant.edit == "operator" and COMPARES.search(mutant.before)):
        return False
    changed = apply(mutant, pair).get(FIELDS["cuda", direction])
    forward, backward = pair.code("cuda")
    originals = Code(pair.metadata.kernel_name, forward or "", backward)
    texts = (changed or "", backward) if direction == "forward" else (forward or "", changed)
    mutated = Code(pair.metadata.kernel_name, *texts)
    parts = [
        UnitPart(key, "cuda", code, tuple(sorted(pair.metadata.module_options.items())), in_double=True)
        for key, code in (("K1", originals), ("K2", mutated))
    ]
    if parts[0].synchronizes:
        return False
    libraries = [Library("emulated", [part], scratch) for part in parts]
    try:
        if any(library.errors for library in libraries):
            return False
        runs = [_results(pair, *both, direction) for both in zip(libraries, parts, strict=True)]
        return all(_equal(one, other) for one, other in zip(*runs, strict=True))
    finally:
        for library in libraries:
            library.close()


def _results(pair: Pair, library: Library, part: UnitPart, direction: str) -> Iterator[dict[str, Values] | None]:
    """Yield what each launch leaves, or None if it stops; every other launch is wider than the pair's own."""
    launch = pair.metadata.launch
    assert launch is not None
    kernel, arena = entry_points(library, part, takes_grid=True), Arena()
    count = -(-INPUTS // int(np.prod(launch.dim)))
    for start in range(0, count, PORTION):
        arena.clear()
        prepared = []
        for number in range(start, min(start + PORTION, count)):
            size = replace(launch, dim=tuple(length + 1 for length in launch.dim)) if number % 2 else launch
            values, shape = _values(launch, f"{pair.id}/trial {number}"), in_order(size, part.strides)[0]
            prepared.append(prepare_launch(kernel, size, values, arena, backward=direction == "backward", shape=shape))
        problems = run_forked([one.calls for one in prepared], 60.0)
        for one, problem in zip(prepared, problems, strict=True):
            yield None if problem is not None else _left(one)


def _values(launch: Launch, key: str) -> dict[str, Values]:
    """Return random inputs in double precision; outputs of floats hold random numbers, too."""
    values = {name: promoted(value) for name, value in make_inputs(launch, key).items()}
    for leaf in leaves(launch):
        if leaf.role == "output" and leaf.kind == "array" and values[leaf.name].dtype.kind == "f":
            values[leaf.name] = generator(f"{key}/before {leaf.name}").uniform(-1.0, 1.0, values[leaf.name].shape)
    return values


def _left(launch: PreparedLaunch) -> dict[str, Values]:
    left = launch.outputs()
    gradients = {f"gradient of {name}": array for name, array in left.gradients.items()}
    return (
        left.arrays | gradients | {f"gradient of {name}": one.copy() for name, one in launch.arguments.value_adjoints.items()}
    )


def _equal(one: dict[str, Values] | None, other: dict[str, Values] | None) -> bool:
    """Return whether a mutant leaves the same as the original; an original that stops at a wider launch shows nothing."""
    if one is None or other is None:
        return one is None
    return all(_close(one[name], other[name]) for name in one)


def _close(one: Values, other: Values) -> bool:
    if one.dtype.kind != "f":
        return bool(np.array_equal(one, other))
    scale = float(np.abs(one[np.isfinite(one)]).max(initial=0.0))
    return bool(np.allclose(one, other, rtol=0.0, atol=ROUNDING * scale, equal_nan=True))
