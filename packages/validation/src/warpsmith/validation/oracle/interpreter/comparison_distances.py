"""Interprets a kernel to see how far apart the operands of its comparisons are."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Launch
from warpsmith.validation.oracle.interpreter.interpret import BLOCK, STEPS, compiler_of, parameters_of
from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.operand_distances import Watch
from warpsmith.validation.oracle.values.thread_accesses import Accesses


def watch(source: str, kernel_name: str, launch: Launch, values: Mapping[str, Values], steps: int = STEPS) -> Watch:
    """Run a kernel whose threads can run together, and return its comparisons; see `interpret` for the arguments.

    The comparisons are incomplete where a run ends early.

    Raises:
        Unsupported: if the kernel is not supported, or if its threads cannot run together.
    """
    compiler, count = compiler_of(source), math.prod(launch.dim)
    node = compiler.module.kernels.get(kernel_name)
    if node is None or parameters_of(node) != [spec.name for spec in launch.args] or not compiler.may_run_together(node):
        raise Unsupported("a kernel whose threads cannot run together")
    run, found = compiler.run, Watch(count)
    CHOICES.start()
    run.watch = found
    try:
        with np.errstate(all="ignore"):
            accesses = Accesses(np.arange(count))
            found.arrays = compiler.results(node, launch, values, steps, BLOCK, accesses)
            found.accesses = accesses
    except Exception:  # noqa: BLE001, S110 - such as an index beyond an array; what was compared before still counts
        pass
    finally:
        run.watch = None
    return found
