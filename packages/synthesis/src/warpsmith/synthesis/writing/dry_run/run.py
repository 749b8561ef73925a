"""The dry run: a kernel's compiled file -> why the kernel is rejected, if there is a reason."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from types import CodeType
from typing import Any

from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.synthesis.programs.dry_run.functions import FUNCTIONS
from warpsmith.synthesis.programs.dry_run.vectors import WRAPS
from warpsmith.synthesis.writing.dry_run.arrays import Array, Output

_PYTHON = {"float": float, "int": int, "bool": bool, "range": range}


def make_arguments(launch: Launch, identity: str) -> dict[str, Any]:
    """Return the arguments of a dry run by name: the values that validation uses, which follow from the pair's id."""
    values = make_inputs(launch, identity)
    return {argument.name: _make_argument(argument, values[argument.name]) for argument in launch.args}


def rejection_reason(
    code: CodeType, kernel_name: str, dim: tuple[int, ...], arguments: dict[str, Any], *, ties: bool = False
) -> str | None:
    """Run a kernel and return why it shows no result, or None if it does.

    Threads run one after the other until every output shows a result.

    Args:
        code: the compiled file that the generator wrote; it is executed.
        kernel_name: the name of the kernel in the file.
        dim: the number of threads in each dimension.
        arguments: the arguments by name, see `make_arguments`.
        ties: whether several threads may offer the same extreme.
    """
    wp = _StandIn()
    kernel = _load(code, wp).pop(kernel_name)  # popped: a function in its own globals is a reference cycle
    outputs = {name: argument for name, argument in arguments.items() if isinstance(argument, Output)}
    try:
        for wp.thread in _threads(dim):
            kernel(*arguments.values())
            if all(output.shown for output in outputs.values()):
                return None
    except (ArithmeticError, LookupError, ValueError) as error:  # another exception is a gap in the stand-in, and propagates
        return f"{type(error).__name__}: {error}"
    return next((f"{name} {problem}" for name, output in outputs.items() if (problem := output.find_problem(ties))), None)


class _StandIn:
    """The stand-in for the module ``wp``; ``thread`` is the index of the current thread."""

    def __init__(self) -> None:
        self.thread: Any = 0
        vars(self).update(FUNCTIONS)

    def tid(self) -> Any:
        """Return the index of the current thread, or its indices."""
        return self.thread


def _load(code: CodeType, wp: _StandIn) -> dict[str, Any]:
    """Execute a file with ``wp`` in place of Warp; return its names."""
    names: dict[str, Any] = {"__builtins__": _PYTHON | {"__import__": lambda *_: wp}}
    exec(code, names)  # noqa: S102 - the generator's own text
    return names


def _make_argument(argument: Argument, values: Values) -> Any:
    if argument.role != "input":
        return Output(argument.shape, values, kept=argument.role == "inout")
    if argument.kind == "array":
        return Array(argument.shape, values)
    wrap = WRAPS[values.ndim]
    return wrap(values.tolist()) if wrap else values.item()


def _threads(dim: tuple[int, ...]) -> Iterable[Any]:
    """Return the value of ``wp.tid()`` for each thread."""
    return range(dim[0]) if len(dim) == 1 else product(*map(range, dim))
