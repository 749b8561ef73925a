"""The receiver of all launches of a generated program: their order, their arguments, and what arrays contain at the end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from warpsmith.core.records.program_record import ProgramArgument, ProgramLaunch, ProgramResult
from warpsmith.extraction.capturing.launch_selection import Kept, Selection
from warpsmith.extraction.capturing.recorder import ObservedLaunch, RecordedCall, Recorder
from warpsmith.extraction.capturing.tapes.live_leaves import array_leaves, snapshot_leaves
from warpsmith.extraction.launches.argument_accesses import Accesses
from warpsmith.extraction.warp import live_arguments
from warpsmith.extraction.warp.live_arguments import Parameter
from warpsmith.extraction.warp.objects import parameter_types, registered_name

SIGNIFICANT_DIGITS = 4
"""The digits of results: compilers of other machines may round the last digits of a float in another way."""

_KINDS: dict[str, Literal["value", "array", "struct", "object"]] = {"value": "value", "struct": "struct"}


@dataclass(frozen=True, slots=True)
class _LastLaunch:
    """The arguments of the last launch of a kernel."""

    parameters: tuple[Parameter, ...]
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Replacement:
    """A launch that takes the place of an earlier one: the arguments, and the launches that were kept before."""

    call: RecordedCall
    earlier: list[Kept[ObservedLaunch]]


@dataclass
class ProgramRecorder(Recorder):
    """The `warpsmith.extraction.warp.launch_hooks.TapeObserver` of a generated program.

    Attributes:
        launches: the different launches.
        order: the positions of all launches in ``launches``.
        backward_passes: how many times ``Tape.backward`` was called.
    """

    launches: dict[ProgramLaunch, int] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    backward_passes: int = 0
    _last: dict[str, _LastLaunch] = field(default_factory=dict)
    _replacements: dict[int, _Replacement] = field(default_factory=dict)

    def _receive(self, kernel: Any, dim: tuple[int, ...], values: list[Any], device: Any, block_dim: int | None) -> object:
        kept = super()._receive(kernel, dim, values, device, block_dim)
        if 0 not in dim and len(values) == len(parameter_types(kernel)):
            self._add(kernel, dim, values, block_dim if block_dim and block_dim > 1 else None)
        return kept

    def _add(self, kernel: Any, dim: tuple[int, ...], values: list[Any], block_dim: int | None) -> None:
        parameters = live_arguments.parameters_of(live_arguments.overload_for(kernel, values))
        name = registered_name(kernel)
        arguments = tuple(_argument(parameter, value) for parameter, value in zip(parameters, values, strict=True))
        launch = ProgramLaunch(kernel=name, dim=tuple(dim), block_dim=block_dim, args=arguments)
        self.order.append(self.launches.setdefault(launch, len(self.launches)))
        self._last[name] = _LastLaunch(parameters, tuple(values))

    def _keep(
        self, call: RecordedCall, selection: Selection[ObservedLaunch], replaces: bool | None, is_capturing: bool
    ) -> object:
        earlier = list(selection.kept)
        token = super()._keep(call, selection, replaces, is_capturing)
        if token is not None and earlier:
            self._replacements[id(selection)] = _Replacement(call, earlier)
        return token

    def results(self, kernel: str, accesses: Accesses) -> Iterator[ProgramResult]:
        """Yield what the arrays contain now that the last launch of a kernel writes."""
        last = self._last[kernel]
        for leaf in array_leaves(last.parameters, last.values):
            if accesses.role(leaf.name) != "input":
                yield summarize(kernel, leaf.name, leaf.read())

    # --------------------------------------------------------------------------------------------- what happens to gradients

    def adjoint_launched(self, _: Sequence[Any], __: Any) -> object:
        """Receive an adjoint launch."""
        return None

    def completed(self, token: object) -> None:
        """Receive a launch or copy after it ran.

        A launch that changes no array, such as the last one of an iteration that converged, does not replace an earlier one.
        """
        if not isinstance(token, tuple):
            return
        selection, launch = token
        replacement = self._replacements.pop(id(selection), None)
        if replacement is None or launch.arguments is None:
            return
        after = self._copy(replacement.call, is_capturing=False)
        self.held -= after.nbytes
        if after.arguments is not None and _contents(after) == _contents(launch):
            self.held += sum(kept.item.nbytes for kept in replacement.earlier) - sum(
                kept.item.nbytes for kept in selection.kept
            )
            selection.kept = replacement.earlier

    def entered(self, _: Any) -> None:
        """Receive a tape before it records."""

    def backward_started(self, _: Any, __: Any, ___: Any) -> object:
        """Count a backward pass."""
        self.backward_passes += 1
        return None

    def backward_finished(self, _: object) -> None:
        """Receive a backward pass after it ran."""

    def copied(self, *_: Any) -> object:
        """Receive a copy."""
        return None

    def adjoint_copied(self, *_: Any) -> object:
        """Receive the adjoint of a copy."""
        return None

    def created(self, array: Any) -> Any:
        """Return an array of ``wp.empty``."""
        return array

    def exposed(self, _: Any) -> None:
        """Receive an array that the program sets, or may set."""


def _contents(launch: ObservedLaunch) -> list[bytes]:
    return [values.tobytes() for _, values in snapshot_leaves(launch.arguments or ())]


def _argument(parameter: Parameter, value: Any) -> ProgramArgument:
    is_array = parameter.kind in ("array", "indexed_array")
    shape = tuple(int(length) for length in value.shape) if is_array and value is not None else ()
    kind = "array" if is_array else _KINDS.get(parameter.kind, "object")
    return ProgramArgument(name=parameter.name, kind=kind, dtype=parameter.dtype, shape=shape)


def summarize(kernel: str, argument: str, values: npt.NDArray[Any]) -> ProgramResult:
    """Return the range and the mean of the numbers of an array."""
    numbers = values[np.isfinite(values)] if values.dtype.kind == "f" else values
    low, high, mean = (numbers.min(), numbers.max(), numbers.mean(dtype=np.float64)) if numbers.size else (0, 0, 0)
    scale = max(abs(float(low)), abs(float(high)))
    return ProgramResult(
        kernel=kernel,
        argument=argument,
        dtype=values.dtype.name,
        shape=tuple(values.shape),
        low=rounded(float(low), scale),
        high=rounded(float(high), scale),
        mean=rounded(float(mean), scale),
    )


def rounded(value: float, scale: float) -> float:
    """Return a number rounded to a few significant digits of the largest number beside it; infinite numbers become 0.

    Examples:
        >>> rounded(1234.5678, 1234.5678), rounded(-0.000123456, 1.0), rounded(0.0, 0.0)
        (1235.0, -0.0001, 0.0)
    """
    if not value or not math.isfinite(value):
        return 0.0
    return round(value, SIGNIFICANT_DIGITS - 1 - math.floor(math.log10(scale))) + 0.0
