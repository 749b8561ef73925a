"""`DryRun`: a kernel's file -> why the kernel is rejected, if there is a reason."""

from __future__ import annotations

import builtins
import enum
import math
import re
import typing
from collections.abc import Iterable, Iterator
from itertools import islice, product
from types import CodeType, SimpleNamespace
from typing import Any, TypeAlias

from warpsmith.core.inputs.values import Values, generator, leaves, make_inputs_series, reachable
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.synthesis.writing.dry_run.arrays import Array, Output
from warpsmith.synthesis.writing.dry_run.branches import Branches
from warpsmith.synthesis.writing.dry_run.builtin_substitutes import FUNCTIONS
from warpsmith.synthesis.writing.dry_run.plain_rotations import wrap_of
from warpsmith.synthesis.writing.dry_run.plain_vectors import Value
from warpsmith.synthesis.writing.policy import LAUNCH_THREADS, PLANTED_SHARE, TRIAL_THREADS, TRIALS

_PYTHON = {
    name: getattr(builtins, name)
    for name in ("float", "int", "bool", "range", "min", "max", "abs", "len", "round", "tuple", "type", "__build_class__")
} | {"print": lambda *_: None}
_MODULES = {"typing": typing, "enum": enum}
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_GAPS = (AttributeError, TypeError, NotImplementedError, NameError)
"""The errors of code that the stand-in for Warp does not support."""


KernelArgument: TypeAlias = Array | Value | SimpleNamespace
"""An argument of a kernel that Python executes; structs are namespaces."""


class DryRun:
    """The dry run of one kernel.

    Args:
        branches: the branches of its file.
        code: the compiled file of ``branches``; it is executed.
        kernel_name: the name of the kernel in the file.
        plain: the file with every statement in one line; that of ``branches`` if it is no other.
    """

    def __init__(self, branches: Branches, code: CodeType, kernel_name: str, plain: str = "") -> None:
        self._branches, self._code, self._kernel_name = branches, code, kernel_name
        self._source = plain or branches.original

    def rejection_reason(self, launch: Launch, identity: str, values: dict[str, Values], *, ties: bool = False) -> str | None:
        """Run the kernel and return why it is rejected, or None.

        It is rejected if an output shows no result for the values that validation uses, or if a test goes one way in all
        `TRIALS` launches. Threads run one after the other until both are decided. A kernel that the stand-in for Warp does
        not support is not rejected.

        Args:
            launch: its launch.
            identity: the pair's id, which determines the values of the other launches.
            values: the values of the pair's own launch.
            ties: whether several threads may offer the same extreme.
        """
        if "wp.tile" in self._source:  # the threads of a block work together
            return None
        try:
            return self._run(launch, identity, values, ties)
        except (ArithmeticError, LookupError, ValueError) as error:
            return f"{type(error).__name__}: {error}"
        except _GAPS:
            return None

    def _run(self, launch: Launch, identity: str, values: dict[str, Values], ties: bool) -> str | None:
        branches, wp = self._branches, StandIn()
        kernel = load(self._code, branches, wp).pop(self._kernel_name)  # popped: it would be in a cycle with its globals
        arguments = make_arguments(launch, values)
        outputs = {name: argument for name, argument in arguments.items() if isinstance(argument, Output)}
        hidden, given = list(outputs.values()), tuple(arguments.values())
        for wp.thread in threads_of(launch.dim, LAUNCH_THREADS):
            kernel(*given)
            while hidden and hidden[-1].shown:
                hidden.pop()
            if not hidden and not branches.open:
                return None
        complete = math.prod(launch.dim) <= LAUNCH_THREADS
        for name, output in outputs.items():
            problem = output.find_problem(ties, complete)
            if problem and not ("constant" in problem and output.is_written and _is_filled(name, self._source, launch)):
                return f"{name} {problem}"
        for trial_values in _trials(launch, identity, self._source) if branches.open else ():
            given = tuple(make_arguments(launch, trial_values).values())
            for wp.thread in threads_of(launch.dim, TRIAL_THREADS):
                kernel(*given)
                if not branches.open:
                    return None
        return "a branch goes one way" if branches.open else None


def _is_filled(name: str, source: str, launch: Launch) -> bool:
    """Return whether all values that the kernel stores in an array are literals, module constants or plain arguments."""
    plain = "|".join(argument.name for argument in launch.args if argument.kind == "value")
    value = re.compile(
        rf"-?\d[\d.e-]*|True|False|[A-Z][A-Z_0-9]*|wp\.\w+\([\d., -]*\)|\w+\(-?[\d.]+\){f'|{plain}' if plain else ''}"
    )
    stored = re.findall(rf"\b{name}\[[^\n]*\] = (.*)", source)
    return bool(stored) and all(value.fullmatch(text) for text in stored)


def _trials(launch: Launch, identity: str, source: str) -> Iterator[dict[str, Values]]:
    """Yield the values of the other launches, every second one with numbers of the source planted."""
    numbers = sorted({float(number) for number in _NUMBER.findall(source)})
    for trial, values in enumerate(make_inputs_series(launch, f"{identity}/trials", TRIALS - 1)):
        if trial % 2 == 0:
            _plant(values, launch, numbers, f"{identity}/plant/{trial}")
        yield values


def _plant(values: dict[str, Values], launch: Launch, numbers: list[float], key: str) -> None:
    """Put numbers of the source, which a kernel may compare with, into `PLANTED_SHARE` of the elements of each input."""
    random = generator(key)
    for leaf in leaves(launch):
        domain = leaf.domain
        if domain is None or domain.kind != "uniform" or leaf.role != "input" or values[leaf.name].dtype.kind not in "fiu":
            continue
        is_integer = values[leaf.name].dtype.kind in "iu"
        inside = [
            number for number in numbers if domain.low <= number <= domain.high and (not is_integer or number.is_integer())
        ]
        if inside:
            flat = values[leaf.name].reshape(-1)
            chosen = random.random(flat.size) < PLANTED_SHARE
            planted = random.choice(inside, flat.size)
            values[leaf.name] = _replaced(flat, chosen, planted).reshape(values[leaf.name].shape)


def _replaced(flat: Values, chosen: Values, planted: Values) -> Values:
    changed: Values = flat.copy()
    changed[chosen] = planted[chosen]
    return changed


class StandIn:
    """The stand-in for the module ``wp``; ``thread`` is the index of the current thread."""

    def __init__(self) -> None:
        self.thread: Any = 0
        vars(self).update(FUNCTIONS, pi=math.pi)

    def static(self, value: Any) -> Any:
        """Return the value."""
        return value

    def tid(self) -> Any:
        """Return the index of the current thread, or its indices."""
        return self.thread


def load(code: CodeType, branches: Branches, wp: StandIn) -> dict[str, Any]:
    """Execute the compiled file of ``branches`` with ``wp`` in place of Warp; return its names."""
    names = {
        "__builtins__": _PYTHON | {"__import__": lambda name, *_: _MODULES.get(name, wp)},
        "__name__": "kernel",
        "_test": branches.note,
        "_step": branches.step,
    }
    exec(code, names)  # noqa: S102 - the generator's own text
    return names


def make_arguments(launch: Launch, values: dict[str, Values]) -> dict[str, KernelArgument]:
    """Return the arguments of the kernel by name."""
    return {argument.name: _make_argument(argument, values) for argument in launch.args}


def _make_argument(argument: Argument, values: dict[str, Values], prefix: str = "") -> KernelArgument:
    name = prefix + argument.name
    if argument.kind == "struct":
        return SimpleNamespace(**{field.name: _make_argument(field, values, f"{name}.") for field in argument.fields})
    if argument.kind not in ("array", "indexed_array", "value") or argument.fields:
        raise NotImplementedError(argument.kind)
    content = reachable(argument, values, values[name])
    wrap = wrap_of(argument.dtype, content.ndim - len(argument.shape))
    if argument.role != "input":
        return Output(argument.shape, content, wrap, kept=argument.role == "inout")
    if argument.kind != "value":
        return Array(argument.shape, content, wrap)
    if wrap:
        return wrap(content.tolist())
    number: float = content.item()
    return number


def threads_of(dim: tuple[int, ...], max_threads: int) -> Iterable[Any]:
    """Return the value of ``wp.tid()`` for at most ``max_threads`` threads of a launch."""
    threads: Iterable[Any] = range(dim[0]) if len(dim) == 1 else product(*map(range, dim))
    stride = -(-math.prod(dim) // max_threads)
    return islice(threads, 0, None, stride | 1 if stride > 1 else 1)
