"""Mutants that no input tells from the original: at many inputs, no element differs by more than a ten-thousandth of itself.

Both texts run in double precision if they can be compiled in it. Half of the launches have random inputs; the others are those
of `launch_variants`, with other seeds than those of the levels: numbers of the Python, equal numbers, ends of domains, smaller
counts and wider launches. Terms that cancel, bounds and branches that the inputs cannot reach, and contributions that are zero
have this effect. Where the texts differ with a probability of one in ten thousand at an input, the test notices it in all but
one of a hundred cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from mutants.mutate import FAMILIES, FIELDS, Mutant, apply
from warpsmith.core.inputs.values import Values, generator, leaves, make_inputs, objects
from warpsmith.core.records.ir import Code
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.levels.common import entry_points
from warpsmith.validation.running.entry_calls import in_order, on_fibers
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.launch_variants import launch_variants
from warpsmith.validation.running.prepared_launch import PreparedLaunch, prepare_launch
from warpsmith.validation.running.shared_arguments import promoted
from warpsmith.validation.running.shared_memory import Arena

INPUTS = 50_000
"""The number of threads, which all have different inputs."""

MOST = 1_000
"""The most launches of a pair with few threads."""

PORTION = 50
"""How many launches run in one fork."""

APART = 1.0e-4
"""The difference that tells a mutant from the original, relative to the element."""

ROUNDING = 1.0e-12
"""The difference that another order of sums may cause, relative to the largest number of the array."""


def agrees(pair: Pair, mutant: Mutant, scratch: Path) -> bool:
    """Return whether a mutant leaves what the original leaves; False where that cannot be told."""
    if pair.metadata.launch is None:
        return False
    # In double precision, half precision is read as double precision, too.
    narrow = bool(objects(pair.metadata.launch)) or "float16" in (mutant.after or "")
    for in_double in (False,) if narrow else (True, False):
        texts = _texts(pair, mutant, in_double)
        library = Library("emulated", texts, scratch)
        try:
            if not library.errors:
                backward = FAMILIES[mutant.family][0] == "backward"
                runs = [_results(pair, library, part, backward) for part in texts]
                return all(_equal(one, other) for one, other in zip(*runs, strict=True))
        finally:
            library.close()
    return False


def _texts(pair: Pair, mutant: Mutant, in_double: bool) -> list[UnitPart]:
    """Return the CUDA texts of the original and of the mutant."""
    direction = FAMILIES[mutant.family][0]
    changed = apply(mutant, pair)[FIELDS["cuda", direction]]
    forward, backward = pair.code("cuda")
    both = (changed, backward) if direction == "forward" else (forward or "", changed)
    options = tuple(sorted(pair.metadata.module_options.items()))
    codes = {"K1": Code(pair.metadata.kernel_name, forward or "", backward), "K2": Code(pair.metadata.kernel_name, *both)}
    return [UnitPart(key, "cuda", code, options, in_double=in_double) for key, code in codes.items()]


def _results(pair: Pair, library: Library, part: UnitPart, backward: bool) -> Iterator[dict[str, Values] | None]:
    """Yield what each launch leaves, or None if it stops."""
    kernel, arena, launches = entry_points(library, part, takes_grid=True), Arena(), enumerate(_launches(pair, part))
    while portion := list(islice(launches, PORTION)):
        arena.clear()
        prepared = []
        for number, (launch, values) in portion:
            shape = on_fibers(launch, part.block_dim) if part.synchronizes else in_order(launch, part.strides)[0]
            inputs, seeds = _values(launch, values, part.in_double, f"{pair.id}/trial {number}")
            made = prepare_launch(kernel, launch, inputs, arena, backward=backward, shape=shape, seeds=seeds)
            prepared.append(made)
        problems = run_forked([one.calls for one in prepared], 60.0)
        for one, problem in zip(prepared, problems, strict=True):
            yield None if problem is not None else _left(one)


def _launches(pair: Pair, part: UnitPart) -> Iterator[tuple[Launch, dict[str, Values]]]:
    """Yield launches and the values of their arguments: random ones and variants in turn."""
    launch = pair.metadata.launch
    assert launch is not None
    count = min(-(-INPUTS // int(np.prod(launch.dim))), MOST)
    block, number = part.block_dim if part.synchronizes else 0, 0
    while number < count:
        for variant in launch_variants(launch, f"{pair.id}/trial {number}", pair.python_source, block):
            yield launch, make_inputs(launch, f"{pair.id}/trial {number}")
            yield variant
            number += 2


def _values(
    launch: Launch, values: dict[str, Values], in_double: bool, key: str
) -> tuple[dict[str, Values], dict[str, Values]]:
    """Return the values of a launch, with random numbers in outputs of floats, and random gradients of outputs."""
    inputs = {name: promoted(value) for name, value in values.items()} if in_double else dict(values)
    seeds = {}
    for leaf in leaves(launch):
        value, random = inputs[leaf.name], generator(f"{key}/{leaf.name}")
        numbers = random.uniform(-1.0, 1.0, (2, *value.shape))
        if leaf.role != "input":
            seeds[leaf.name] = numbers[1].astype(value.dtype) if value.dtype.kind == "f" else np.zeros_like(value)
        if leaf.role == "output" and leaf.kind == "array" and value.dtype.kind == "f":
            inputs[leaf.name] = numbers[0].astype(value.dtype)
    return inputs, seeds


def _left(launch: PreparedLaunch) -> dict[str, Values]:
    left = launch.outputs()
    gradients = {f"gradient of {name}": array for name, array in left.gradients.items()}
    plain = {f"gradient of {name}": one.copy() for name, one in launch.arguments.value_adjoints.items()}
    return left.arrays | gradients | plain


def _equal(one: dict[str, Values] | None, other: dict[str, Values] | None) -> bool:
    """Return whether a mutant leaves the same as the original; an original that stops at a launch shows nothing."""
    if one is None or other is None:
        return one is None
    return all(_close(one[name], other[name]) for name in one)


def _close(one: Values, other: Values) -> bool:
    """Return whether no element differs; an element that is not finite in the original shows nothing."""
    if one.dtype.kind != "f":
        return bool(np.array_equal(one, other))
    finite = np.isfinite(one)
    known, changed = one[finite].astype(np.float64), other[finite].astype(np.float64)
    allowed = np.maximum(APART * np.abs(known), ROUNDING * np.abs(known).max(initial=0.0))
    return bool(np.all(np.abs(known - changed) <= allowed))
