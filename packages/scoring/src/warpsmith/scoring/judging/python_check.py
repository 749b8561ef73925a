"""Whether the Python of a kernel allows a launch, by the interpreter of level `oracle`.

Threads run together where they can, which is fast. A launch is rejected if any thread does something undefined, even if a
thread before it would end the launch: the caller has other launches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Launch
from warpsmith.validation.oracle.interpreter.interpret import BLOCK, compiler_of
from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Exhausted, Undefined
from warpsmith.validation.oracle.values.lanes import FEWEST
from warpsmith.validation.oracle.values.thread_accesses import Accesses

STEPS = 100_000
"""How many statements all threads of a launch run at most if they run together, which takes less than 0.1 s."""

STEPS_IN_ORDER = 6_000
"""The same for threads that run one after another, at 15 µs for a statement."""

ALL_STEPS_IN_ORDER = 30_000
"""The same for all launches of a kernel that are checked with one `PythonCheck`."""


@dataclass(slots=True)
class PythonCheck:
    """Checks launches of one kernel.

    Attributes:
        source: the Python file that defines the kernel.
        name: the name of the kernel.
        wraps: whether indices may be negative, and count from the end of an array.
        runs_in_order: whether threads run one after another, because they could not run together.
        remaining: how many statements may still run one after another.
    """

    source: str
    name: str
    wraps: bool = False
    runs_in_order: bool = False
    remaining: int = ALL_STEPS_IN_ORDER

    def allows(self, launch: Launch, values: Mapping[str, Values], *, nan: bool = True) -> bool:
        """Return whether the kernel's Python allows a launch.

        Args:
            launch: the launch.
            values: the values of its arguments.
            nan: whether results may be NaN.

        Raises:
            Exhausted: if the launch takes too long.
            Unsupported: if the interpreter does not support the kernel.
        """
        try:
            results = self._results(launch, values)
        except Undefined:
            return False
        return (self.wraps or not CHOICES.wrapped) and (nan or not any(map(_has_nan, results.values())))

    def _results(self, launch: Launch, values: Mapping[str, Values]) -> dict[str, Values]:
        compiler, count = compiler_of(self.source), int(np.prod(launch.dim))
        node = compiler.module.kernels.get(self.name)
        if node is None or count > STEPS:
            raise Exhausted(f"a launch of shape {launch.dim}")
        with np.errstate(all="ignore"):
            if count >= FEWEST and not self.runs_in_order and compiler.may_run_together(node):
                CHOICES.start()
                try:
                    return compiler.results(node, launch, values, STEPS, BLOCK, Accesses(np.arange(count)))
                except (Undefined, Exhausted):
                    raise
                except Exception:  # noqa: BLE001 - the threads run in their order, which raises every error again
                    self.runs_in_order = True
            CHOICES.start()
            steps = min(STEPS_IN_ORDER, self.remaining)
            try:
                return compiler.results(node, launch, values, steps, BLOCK)
            except RecursionError:
                raise Exhausted("calls too deep inside one another") from None
            finally:
                self.remaining -= steps - max(compiler.run.steps, 0)


def _has_nan(values: Values) -> bool:
    names = values.dtype.names
    if names:
        return any(_has_nan(values[name]) for name in names)
    return values.dtype.kind == "f" and bool(np.isnan(values).any())
