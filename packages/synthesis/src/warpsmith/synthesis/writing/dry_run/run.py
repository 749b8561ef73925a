"""The dry run: a kernel's file -> why the kernel is rejected, if there is a reason."""

from __future__ import annotations

import builtins
import math
import re
import typing
from collections.abc import Iterable, Iterator
from itertools import islice, product
from types import SimpleNamespace
from typing import Any

from warpsmith.core.inputs.values import Values, generator, leaves, make_inputs
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.synthesis.writing.dry_run.arrays import Array, Output
from warpsmith.synthesis.writing.dry_run.branches import Branches
from warpsmith.synthesis.writing.dry_run.functions import FUNCTIONS
from warpsmith.synthesis.writing.dry_run.rotations import wrap_of

TRIALS = 4
"""The number of launches in which a branch must go both ways: the pair's own and others, half of them with planted numbers."""

MOST_THREADS = (96, 24)
"""How many threads run at most in the first launch and in the others, evenly spread over the launch."""

_PYTHON = {
    name: getattr(builtins, name)
    for name in ("float", "int", "bool", "range", "min", "max", "abs", "len", "round", "__build_class__")
} | {"print": lambda *_: None}
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_GAPS = (AttributeError, TypeError, NotImplementedError, NameError)
"""The errors of code that the stand-in for Warp does not support."""


def rejection_reason(source: str, kernel_name: str, launch: Launch, identity: str, *, ties: bool = False) -> str | None:
    """Run a kernel and return why it is rejected, or None.

    It is rejected if an output shows no result for the values that validation uses, or if a test goes one way in all
    `TRIALS` launches. Threads run one after the other until both are decided. A kernel that the stand-in for Warp does not
    support is not rejected.

    Args:
        source: the file that the generator wrote; it is executed.
        kernel_name: the name of the kernel in the file.
        launch: its launch.
        identity: the pair's id, which determines the values.
        ties: whether several threads may offer the same extreme.
    """
    if "wp.tile" in source:  # the threads of a block work together
        return None
    branches, wp = Branches(source), _StandIn()
    try:
        kernel = _load(branches, wp).pop(kernel_name)  # popped: a function in its own globals is a reference cycle
        for number, values in enumerate(_trials(launch, identity, source)):
            arguments = {argument.name: _make_argument(argument, values) for argument in launch.args}
            outputs = (
                {name: argument for name, argument in arguments.items() if isinstance(argument, Output)} if not number else {}
            )
            for wp.thread in _threads(launch.dim, MOST_THREADS[min(number, 1)]):
                kernel(*arguments.values())
                if branches.all_turned and all(output.shown for output in outputs.values()):
                    return None
            whole = math.prod(launch.dim) <= MOST_THREADS[0]
            for name, output in outputs.items():
                problem = output.find_problem(ties, whole)
                if problem and not ("constant" in problem and output.is_written and _is_filled(name, source, launch)):
                    return f"{name} {problem}"
            if branches.all_turned:
                return None
    except (ArithmeticError, LookupError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    except _GAPS:
        return None
    return "a branch goes one way"


def _is_filled(name: str, source: str, launch: Launch) -> bool:
    """Return whether all values that the kernel stores in an array are literals, module constants or plain arguments."""
    plain = "|".join(argument.name for argument in launch.args if argument.kind == "value")
    value = re.compile(
        rf"-?\d[\d.e-]*|True|False|[A-Z][A-Z_0-9]*|wp\.\w+\([\d., -]*\)|\w+\(-?[\d.]+\){f'|{plain}' if plain else ''}"
    )
    stored = re.findall(rf"\b{name}\[[^\n]*\] = (.*)", source)
    return bool(stored) and all(value.fullmatch(text) for text in stored)


def _trials(launch: Launch, identity: str, source: str) -> Iterator[dict[str, Values]]:
    """Yield the values of the launches: the pair's own, and others, every second one with numbers of the source planted."""
    yield make_inputs(launch, identity)
    numbers = sorted({float(number) for number in _NUMBER.findall(source)})
    for trial in range(1, TRIALS):
        values = make_inputs(launch, f"{identity}/trial/{trial}")
        if trial % 2:
            _plant(values, launch, numbers, f"{identity}/plant/{trial}")
        yield values


def _plant(values: dict[str, Values], launch: Launch, numbers: list[float], key: str) -> None:
    """Put numbers of the source, which a kernel may compare with, into half of the elements of each input."""
    random = generator(key)
    for leaf in leaves(launch):
        domain = leaf.domain
        if domain is None or domain.kind != "uniform" or leaf.role != "input" or values[leaf.name].dtype.kind not in "fiu":
            continue
        whole = values[leaf.name].dtype.kind in "iu"
        inside = [number for number in numbers if domain.low <= number <= domain.high and (not whole or number.is_integer())]
        if inside:
            flat = values[leaf.name].reshape(-1)
            chosen = random.random(flat.size) < 0.5
            planted = random.choice(inside, flat.size)
            values[leaf.name] = _replaced(flat, chosen, planted).reshape(values[leaf.name].shape)


def _replaced(flat: Values, chosen: Values, planted: Values) -> Values:
    changed: Values = flat.copy()
    changed[chosen] = planted[chosen]
    return changed


class _StandIn:
    """The stand-in for the module ``wp``; ``thread`` is the index of the current thread."""

    def __init__(self) -> None:
        self.thread: Any = 0
        vars(self).update(FUNCTIONS)

    def static(self, value: Any) -> Any:
        """Return the value."""
        return value

    def printf(self, *_: Any) -> None:
        """Print nothing."""

    def tid(self) -> Any:
        """Return the index of the current thread, or its indices."""
        return self.thread


def _load(branches: Branches, wp: _StandIn) -> dict[str, Any]:
    """Execute a file with ``wp`` in place of Warp; return its names."""
    names: dict[str, Any] = {
        "__builtins__": _PYTHON | {"__import__": lambda name, *_: typing if name == "typing" else wp},
        "__name__": "kernel",
        "_test": branches.note,
        "_step": branches.step,
    }
    exec(compile(branches.source, "kernel.py", "exec", dont_inherit=True), names)  # noqa: S102 - the generator's own text
    return names


def _make_argument(argument: Argument, values: dict[str, Values], prefix: str = "") -> Any:
    name = prefix + argument.name
    if argument.kind == "struct":
        return SimpleNamespace(**{field.name: _make_argument(field, values, f"{name}.") for field in argument.fields})
    if argument.kind not in ("array", "value") or argument.fields:
        raise NotImplementedError(argument.kind)
    wrap = wrap_of(argument.dtype, values[name].ndim - len(argument.shape))
    if argument.role != "input":
        return Output(argument.shape, values[name], wrap, kept=argument.role == "inout")
    if argument.kind == "array":
        return Array(argument.shape, values[name], wrap)
    return wrap(values[name].tolist()) if wrap else values[name].item()


def _threads(dim: tuple[int, ...], most: int) -> Iterable[Any]:
    """Return the value of ``wp.tid()`` for at most ``most`` threads of a launch."""
    threads: Iterable[Any] = range(dim[0]) if len(dim) == 1 else product(*map(range, dim))
    stride = -(-math.prod(dim) // most)
    return islice(threads, 0, None, stride | 1 if stride > 1 else 1)
