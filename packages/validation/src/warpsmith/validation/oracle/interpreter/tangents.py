"""Interprets a kernel forward in double precision together with the derivative of every array along one direction.

The derivatives are exact: there is no step. Each value that depends on an input which moves is a pair of the value and its
derivative, see `moving_values`, and each builtin has a rule for its derivative, see `moving_rows`. Branches, comparisons and
integers follow the values. The derivative is that of the functions in Python, also where a file defines an adjoint by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from warpsmith.core.inputs.values import Values, objects
from warpsmith.core.records.launch import Launch
from warpsmith.validation.oracle.derivatives.moving_rows import MovingRow
from warpsmith.validation.oracle.interpreter.argument_values import kernel_value, result_arrays
from warpsmith.validation.oracle.interpreter.closures import Run
from warpsmith.validation.oracle.interpreter.file_definitions import read_module
from warpsmith.validation.oracle.interpreter.interpret import BLOCK, STEPS, Compiler, run_kernel
from warpsmith.validation.oracle.values.agreement import disagreement
from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Exhausted, Unsupported
from warpsmith.validation.oracle.values.moving_values import CORNERS, paired, tangent_of, value_of
from warpsmith.validation.oracle.values.thread_accesses import Accesses
from warpsmith.validation.oracle.values.value_types import PRECISION, Value

COST_APART = 25
"""How many steps a statement counts for if threads run one after another, which takes about 40 microseconds a statement."""


@dataclass(frozen=True, slots=True)
class Tangents:
    """An array after a launch.

    Attributes:
        contents: its elements, floats in double precision.
        tangent: the derivative of each element along the direction; zero for integers.
        corners: the operations of the launch at which a value lies exactly on a corner or a jump and moves. The derivative is
            then one of several one-sided ones.
    """

    contents: Values
    tangent: Values
    corners: tuple[str, ...] = ()


def tangents(
    source: str,
    kernel_name: str,
    launch: Launch,
    values: Mapping[str, Values],
    directions: Mapping[str, Values],
    steps: int = STEPS,
    block: int = BLOCK,
    *,
    is_strict: bool = False,
) -> dict[str, Tangents]:
    """Run a kernel forward in double precision, and return each array with its derivative along a direction.

    Args:
        source: a whole Python file that defines the kernel, see `interpret`.
        kernel_name: the name of the kernel.
        launch: the shape and the arguments.
        values: the values of all leaves, see `interpret`; narrower floats are converted to double precision.
        directions: how leaves of floats move, by name: arrays, members of structs, and plain arguments; others do not move.
        steps: the number of statements that all threads together may run, or `COST_APART` times as many as they run one after
            another.
        block: the number of threads that share tiles.
        is_strict: whether the derivative of what does not move is NaN where a slope is infinite, such as that of the root at
            zero; otherwise it is zero.

    Raises:
        Unsupported: naming the first construct that is not supported, or the first builtin without a rule for its derivative
            that receives a value which moves.
        Undefined: if the kernel has behaviour that C leaves undefined, or decomposes a matrix with equal singular values.
        Exhausted: after ``steps`` statements.
    """
    if objects(launch):
        raise Unsupported("the derivative of a kernel with meshes or other objects, which store single precision")
    wide = {name: _double(value) for name, value in values.items()}
    moved = {name: np.zeros_like(value) if value.dtype.kind == "f" else value for name, value in wide.items()}
    moved |= {name: np.asarray(directions[name], np.float64) for name in directions}
    PRECISION.is_double, CORNERS.is_strict = True, is_strict
    try:
        with np.errstate(all="ignore"):
            return _tangents(_compiler_of(source), kernel_name, launch, (wide, moved), steps, block)
    except RecursionError:
        raise Exhausted("calls too deep inside one another") from None
    except (TypeError, AttributeError) as error:  # a construct that receives a value which moves, and has no rule
        raise Unsupported(f"the derivative of a construct: {error}"[:200]) from error
    finally:
        PRECISION.is_double, CORNERS.is_strict = False, False


def _double(value: Values) -> Values:
    return value.astype(np.float64) if value.dtype.kind == "f" else value


def _tangents(
    compiler: TangentCompiler, kernel_name: str, launch: Launch, values: Any, steps: int, block: int
) -> dict[str, Tangents]:
    CHOICES.start()
    results = run_kernel(compiler, kernel_name, launch, values, steps, block)
    if CHOICES.used:
        CHOICES.start(other=True)
        second = run_kernel(compiler, kernel_name, launch, values, steps, block)
        for part in ("contents", "tangent"):
            first, other = ({name: getattr(result, part) for name, result in several.items()} for several in (results, second))
            if disagreement(other, first, CHOICES.roughness):
                raise Unsupported("results that depend on what Warp leaves open, such as the order of a query")
    corners = tuple(CORNERS.found)
    return {name: Tangents(result.contents, result.tangent, corners) for name, result in results.items()}


@lru_cache(maxsize=64)
def _compiler_of(source: str) -> TangentCompiler:
    return TangentCompiler(read_module(source), Run(0, moving=MovingRow), "tile" in source, cost_apart=COST_APART)


@dataclass(slots=True)
class TangentCompiler(Compiler):
    """Compiles each function once, for values that move."""

    def arguments(self, launch: Launch, values: Any, accesses: Accesses | None) -> dict[str, Value]:
        """Return the arguments of a launch, from their values and their derivatives."""
        CORNERS.start()
        wide, moved = values
        return {
            spec.name: paired(
                kernel_value(spec, spec.name, wide, self.module, accesses),
                kernel_value(spec, spec.name, moved, self.module, accesses),
            )
            for spec in launch.args
        }

    def contents(self, launch: Launch, arguments: Mapping[str, Value]) -> dict[str, Value]:
        """Return the arrays of a launch with their derivatives."""
        found = {}
        for spec in launch.args:
            argument = arguments[spec.name]
            moved = dict(result_arrays(spec, spec.name, tangent_of(argument)))
            for name, contents in result_arrays(spec, spec.name, value_of(argument)):
                tangent = moved[name] if contents.dtype.kind == "f" else np.zeros(contents.shape)
                found[name] = Tangents(contents, tangent)
        return found
