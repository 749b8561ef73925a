"""Mutants of adjoints that change gradients of plain arguments only: CUDA passes them by value and discards them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.ir import Code
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.levels.common import entry_points
from warpsmith.validation.running.entry_calls import in_order, on_fibers
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.launch_variants import launch_variants
from warpsmith.validation.running.prepared_launch import prepare_launch
from warpsmith.validation.running.shared_arguments import promoted
from warpsmith.validation.running.shared_memory import Arena

Gradients = list[dict[str, Values] | None]
"""One mapping for each launch; None for a launch that the kernel does not support, such as one wider than its arrays."""


def changes_plain_gradients_only(pair: Pair, backward: str, scratch: Path) -> bool:
    """Return whether another adjoint leaves the same bytes in all arrays, and other gradients of plain arguments.

    The texts run in double precision, where gradients of plain arguments are passed by reference.
    """
    arrays, plain = _gradients(pair, pair.cuda_ir_backward, scratch)
    other_arrays, other_plain = _gradients(pair, backward, scratch)
    return _equal(arrays, other_arrays) and not _equal(plain, other_plain)


def _equal(left: Gradients, right: Gradients) -> bool:
    return all(_equal_launch(one, other) for one, other in zip(left, right, strict=True))


def _equal_launch(one: dict[str, Values] | None, other: dict[str, Values] | None) -> bool:
    if one is None or other is None:
        return one is other
    return all(np.array_equal(one[name], other[name], equal_nan=True) for name in one)


def _gradients(pair: Pair, backward: str | None, scratch: Path) -> tuple[Gradients, Gradients]:
    """Return the contents of arrays and their gradients, and the gradients of plain arguments, after several launches."""
    code = Code(pair.metadata.kernel_name, pair.cuda_ir_forward or "", backward)
    part = UnitPart("K1", "cuda", code, tuple(sorted(pair.metadata.module_options.items())), in_double=True)
    library = Library("emulated", [part], scratch)
    assert library.errors == {}
    kernel = entry_points(library, part, takes_grid=True)
    arrays: Gradients = []
    plain: Gradients = []
    arena = Arena()
    for launch, values in _launches(pair):
        shape = on_fibers(launch, part.block_dim) if part.synchronizes else in_order(launch)[0]
        wide = {name: promoted(value) for name, value in values.items()}
        prepared = prepare_launch(kernel, launch, wide, arena, backward=True, shape=shape)
        [problem] = run_forked([prepared.calls])
        if problem is not None:
            arrays.append(None)
            plain.append(None)
            continue
        left = prepared.arguments
        gradients = {f"gradient of {name}": array.copy() for name, array in left.adjoints.items()}
        arrays.append(gradients | {name: array.copy() for name, array in left.arrays.items()})
        plain.append({name: array.copy() for name, array in left.value_adjoints.items()})
    library.close()
    return arrays, plain


def _launches(pair: Pair) -> Iterator[tuple[Launch, dict[str, Values]]]:
    launch = pair.metadata.launch
    assert launch is not None
    yield launch, make_inputs(launch, pair.id)
    yield from launch_variants(launch, pair.id, pair.python_source)
