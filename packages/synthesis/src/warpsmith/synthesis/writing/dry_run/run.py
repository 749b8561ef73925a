"""A kernel's code -> why it should not be kept, if there is a reason."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from types import CodeType
from typing import Any

from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.synthesis.writing.dry_run.arrays import Array, Output
from warpsmith.synthesis.writing.dry_run.functions import FUNCTIONS
from warpsmith.synthesis.writing.dry_run.vectors import WRAPS

_PYTHON = {"float": float, "int": int, "bool": bool, "range": range}


def make_arguments(launch: Launch, identity: str) -> dict[str, Any]:
    """Return what a trial calls a kernel with, by name: the values that a judge gives it, which follow from the pair's id."""
    values = make_inputs(launch, identity)
    return {argument.name: _argument(argument, values[argument.name]) for argument in launch.args}


def rejection_reason(
    code: CodeType, kernel_name: str, dim: tuple[int, ...], given: dict[str, Any], *, ties: bool = False
) -> str | None:
    """Return why a kernel shows nothing when it runs with these `arguments`, or None if it does.

    Threads run one after the other until every output has shown something.

    Args:
        code: of the file that the generator wrote; it is executed.
        kernel_name: the kernel in it.
        dim: how many threads, in each dimension.
        given: its arguments.
        ties: whether several threads may leave the same extreme.
    """
    wp = _StandIn()
    kernel = _loaded(code, wp).pop(kernel_name)  # popped, it is freed at once: nothing it refers to refers back
    outputs = {name: argument for name, argument in given.items() if isinstance(argument, Output)}
    try:
        for wp.thread in _threads(dim):
            kernel(*given.values())
            if all(output.shown for output in outputs.values()):
                return None
    except (ArithmeticError, LookupError, ValueError) as error:  # any other would be a gap in the stand-in
        return f"{type(error).__name__}: {error}"
    return next((f"{name} {problem}" for name, output in outputs.items() if (problem := output.problem(ties))), None)


class _StandIn:
    """What a kernel has for ``wp``; ``thread`` is the one whose turn it is."""

    def __init__(self) -> None:
        self.thread: Any = 0
        vars(self).update(FUNCTIONS)

    def tid(self) -> Any:
        """Its index, or its indices."""
        return self.thread


def _loaded(code: CodeType, wp: _StandIn) -> dict[str, Any]:
    """Execute a file to which Warp is ``wp``."""
    names: dict[str, Any] = {"__builtins__": _PYTHON | {"__import__": lambda *_: wp}}
    exec(code, names)  # noqa: S102 - the generator's own text
    return names


def _argument(argument: Argument, values: Values) -> Any:
    if argument.role != "input":
        return Output(argument.shape, values, kept=argument.role == "inout")
    if argument.kind == "array":
        return Array(argument.shape, values)
    wrap = WRAPS[values.ndim]
    return wrap(values.tolist()) if wrap else values.item()


def _threads(dim: tuple[int, ...]) -> Iterable[Any]:
    """What ``wp.tid()`` returns to each thread."""
    return range(dim[0]) if len(dim) == 1 else product(*map(range, dim))
