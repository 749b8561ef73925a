"""What is wrong at the launch where a tape goes wrong, and whether a second opinion agrees."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.tape_recording import Access, Adjoint, Event
from warpsmith.validation.running.shared_arguments import promoted
from warpsmith.validation.tapes.fault_causes import Causes
from warpsmith.validation.tapes.gradient_chain import Parting, Walk
from warpsmith.validation.tapes.launch_tangents import DoubleText, Tangents
from warpsmith.validation.tapes.tangent_chain import TangentChain
from warpsmith.validation.tapes.tape_answer import WITHOUT_CONTENTS, TapeFault

AGREEMENT = 1.0e-4
"""The difference of two opinions on a derivative, relative to the larger one, up to which they agree."""

SINGLE = 100.0
"""How many times the tolerance single precision may change a gradient that is right in double precision."""

MARKS = (1.0, 3.0)
"""What an array without contents may contain."""


class _Doubt(NamedTuple):
    """A doubt about the derivative of a launch.

    Attributes:
        text: the reason.
        is_open: whether any gradient of the launch may be right; otherwise only its own adjoint is in doubt.
    """

    text: str
    is_open: bool


class Diagnosis:
    """Explains the partings of a walk over a recording.

    Args:
        chain: the derivatives of the recording.
        walk: what a walk over its backward pass found.
        text: the generated code in double precision.
    """

    def __init__(self, chain: TangentChain, walk: Walk, text: DoubleText) -> None:
        self._chain, self._walk, self._text, self._tape = chain, walk, text, chain.tape
        self._events = self._tape.recording.events
        self._causes = Causes(chain)
        self._adjoints = {adjoint.event: adjoint for adjoint in self._tape.recording.adjoints}

    def faults(self) -> Iterator[TapeFault]:
        """Yield what is wrong, in the order of the backward pass; arrays without contents come first."""
        yield from self._without_contents()
        for parting in self._walk.partings:
            if (fault := self._fault(parting)) is not None:
                yield fault
        yield from self._stopped()

    def _without_contents(self) -> Iterator[TapeFault]:
        """Yield launches whose results depend on memory that nothing has written."""
        for number, event in enumerate(self._events):
            roles = self._chain.roles(event)
            for access in self._tape.floats(event):
                if access.fresh and roles.get(access.leaf) == "inout" and event.on_tape and self._depends_on(event, access):
                    text = f"adds to `{access.leaf}`, which wp.empty made and nothing has set: it may contain anything"
                    yield self._at(number, WITHOUT_CONTENTS, text, "fail")

    def _depends_on(self, event: Event, access: Access) -> bool:
        """Return whether what a launch computes depends on what an array contains before; elements that stay do not count."""
        if event.pair < 0 or event.launch < 0:
            return False
        values = {name: promoted(value) for name, value in self._tape.values(event).items()}
        points = [values | {access.leaf: np.full_like(values[access.leaf], number)} for number in MARKS]
        found = self._text.outputs(self._chain.lines[event.pair], self._chain.launch(event), points)
        if isinstance(found, str):
            return False
        for name, first in found[0].items():
            differs = first != found[1][name]
            if name == access.leaf:
                differs &= (first != MARKS[0]) | (found[1][name] != MARKS[1])
            if np.any(differs):
                return True
        return False

    def _stopped(self) -> Iterator[TapeFault]:
        """Yield arrays without gradients on the way to the loss that a later launch reads."""
        for number, step in enumerate(self._chain.steps):
            for access in step.event.accesses:
                if access.leaf in step.stopped and (reader := self._reader(number, access)) is not None:
                    text = (
                        f"writes `{access.leaf}`, which depends on what has a gradient and has none itself (requires_grad), "
                        f"and {reader.name} at {reader.place} reads it: the derivative stops there"
                    )
                    yield self._at(number, "stops", text, "inconclusive")

    def _reader(self, number: int, written: Access) -> Event | None:
        for event in self._events[number + 1 :]:
            roles = self._chain.roles(event)
            for access in event.accesses:
                same = access.before == written.after and access.memory == written.memory
                if event.on_tape and same and roles.get(access.leaf) in ("input", "inout"):
                    return event
        return None

    def _fault(self, parting: Parting) -> TapeFault | None:
        if parting.kind == "start":
            return self._at_start(parting)
        if parting.kind == "host":
            text = self._causes.set_by_program(parting.number)
            return self._at(parting.number, "overwritten by the program", text, "fail", parting)
        event, adjoint = self._events[parting.number], self._adjoints.get(parting.number)
        if adjoint is None:
            return self._without_adjoint(parting, event)
        doubt = self._doubt(parting, event)
        if doubt is not None and doubt.is_open:
            return self._at(parting.number, "doubtful", doubt.text, "inconclusive", parting)
        if (shared := self._causes.shared(event)) is not None:
            return self._at(parting.number, "shared gradient", shared, "fail", parting)
        return self._of_adjoint(parting, event, adjoint, doubt)

    def _at_start(self, parting: Parting) -> TapeFault:
        names = []
        left = parting.gradient_before != parting.gradient_after
        for state in self._tape.recording.gradients:
            if state.memory.is_float and state.seed < 0:
                slots = self._tape.gradients.slots(state.memory).ravel()
                if np.any(left[slots]) and np.any(self._tape.content(state.start) != 0.0):
                    names.append(state.name)
        arrays = ", ".join(f"`{name}`" for name in dict.fromkeys(names)) or "an array"
        text = f"starts while the gradient of {arrays} is not zero: call tape.zero() after the backward pass before"
        return TapeFault(
            kind="gradient not zeroed",
            place=self._tape.recording.place,
            kernel="backward",
            text=text,
            status="fail",
            got=parting.before,
            expected=parting.after,
        )

    def _without_adjoint(self, parting: Parting, event: Event) -> TapeFault:
        if event.on_tape:
            text = "is on the tape, and its backward pass is switched off (enable_backward=False)"
            return self._at(parting.number, "no backward pass", text, "fail", parting)
        what = "copies what" if event.name == "wp.copy" else "writes what"
        text = f"{what} the loss depends on, and is not on the tape: no gradient passes it"
        return self._at(parting.number, "not on the tape", text, "fail", parting)

    def _doubt(self, parting: Parting, event: Event) -> _Doubt | None:
        """Return why the derivatives of a launch are in doubt; None if all methods agree, and there are at least two."""
        if event.pair < 0:
            return None
        found, missing = [], []
        for opinion in self._chain.opinions(event, parting.tangents[parting.row], all_sources=True):
            if opinion.corners:
                text = f"lies exactly on a corner ({opinion.corners[0]}), where one of several derivatives is right"
                return _Doubt(text, is_open=True)
            if opinion.problem:
                missing.append(opinion.problem)
            elif opinion.method:
                found.append((opinion.method, *self._product_after(parting, event, opinion)))
        size = max([abs(parting.after), *(abs(after) for _, after, _ in found)])
        for method, after, error in found:
            if abs(after - parting.after) > AGREEMENT * size + parting.tolerance + error:
                return _Doubt(f"has two derivatives: {parting.after:.9g}, and {after:.9g} by {method}", is_open=True)
        if sum(error <= AGREEMENT * size for _, _, error in found) < len(self._chain.sources):
            reasons = "; ".join(missing) or "the other one is not exact enough"
            return _Doubt(f"has a derivative by one method only: {reasons}", is_open=False)
        return None

    def _product_after(self, parting: Parting, event: Event, opinion: Tangents) -> tuple[float, float]:
        """Return the product after a launch by an opinion, and how far it can be wrong."""
        tangents, errors = parting.tangents[parting.row].copy(), np.zeros(self._tape.data.size)
        roles = self._chain.roles(event)
        for access in self._tape.floats(event):
            if access.leaf in opinion.values and roles.get(access.leaf) != "input":
                slots = self._tape.slots(access).ravel()
                tangents[slots] = np.where(self._tape.has_gradient[slots], opinion.values[access.leaf].ravel(), 0.0)
                errors[slots] = np.where(self._tape.has_gradient[slots], opinion.errors[access.leaf].ravel(), 0.0)
        gradient = np.abs(parting.gradient_after)[self._tape.grads]
        used = gradient > 0.0
        error = float((errors[self._tape.numbers[used]] * gradient[used]).sum())
        return float(self._tape.product(parting.gradient_after, tangents[None])[0]), error

    def _of_adjoint(self, parting: Parting, event: Event, adjoint: Adjoint, doubt: _Doubt | None) -> TapeFault | None:
        """Return the fault of a launch with an adjoint: of contents that changed, an array used twice, rounding, or itself."""
        right = self._repeated(parting, event, self._tape.values(event))
        if isinstance(right, str):
            text = f"has another gradient than its derivative, and its adjoint cannot be repeated: {right}"
            return self._at(parting.number, "doubtful", text, "inconclusive", parting)
        if (overwritten := self._causes.overwritten(parting.number, event, adjoint)) is not None:
            now = {
                access.leaf: self._tape.content(number) for access, number in zip(event.accesses, adjoint.contents, strict=True)
            }
            other = self._repeated(parting, event, self._tape.values(event) | now)
            if isinstance(other, float) and _is_nearer(parting.before, other, right):
                text, is_covered = overwritten
                if is_covered:
                    self._walk.unknown[parting.number] = f"it {text}, and a function of the program stands for that"
                    return None
                return self._at(parting.number, "overwritten", text, "fail", parting)
        if not math.isfinite(right):
            text = "has an adjoint that gives no finite number at its inputs, as that of a square root does at 0"
            return self._at(parting.number, "not finite", text, "inconclusive", parting)
        stale = self._stale(parting, event)
        if stale and abs(parting.before - stale[1] - parting.after) <= parting.tolerance:
            text = (
                f"writes `{stale[0]}` over contents that an earlier launch wrote, and the gradient of the new contents stays: "
                "it reaches the earlier launch, too; use another array for each"
            )
            return self._at(parting.number, "array used twice", text, "fail", parting)
        if abs(right - parting.after) > parting.tolerance and doubt is not None:
            return self._at(parting.number, "doubtful", f"may have a wrong adjoint, and {doubt.text}", "inconclusive", parting)
        if abs(right - parting.after) > parting.tolerance:
            return self._at(parting.number, "wrong adjoint", "has an adjoint that is not its derivative", "fail", parting)
        if abs(parting.before - parting.after) <= SINGLE * parting.tolerance:
            return None
        text = f"has a gradient that is right in double precision: {right:.9g}; single precision gives {parting.before:.9g}"
        return self._at(parting.number, "precision", text, "inconclusive", parting)

    def _repeated(self, parting: Parting, event: Event, values: Mapping[str, Values]) -> float | str:
        """Return the product before an event with the gradients of its adjoint in double precision, or a problem."""
        gradients = {
            access.leaf: parting.gradient_after[self._tape.gradients.slots(access.gradient)]
            for access in self._tape.floats(event)
            if access.gradient is not None
        }
        if event.pair < 0:
            return "it is a copy"
        repeated = self._text.backward(self._chain.lines[event.pair], self._chain.launch(event), values, gradients)
        if isinstance(repeated, str):
            return repeated
        gradient = parting.gradient_after.copy()
        for access in self._tape.floats(event):
            if access.gradient is not None and access.leaf in repeated:
                gradient[self._tape.gradients.slots(access.gradient).ravel()] = repeated[access.leaf].ravel()
        return float(self._tape.product(gradient, parting.tangents[parting.row][None])[0])

    def _stale(self, parting: Parting, event: Event) -> tuple[str, float] | None:
        roles = self._chain.roles(event)
        for access in self._tape.floats(event):
            if roles.get(access.leaf) == "output" and access.gradient is not None:
                tangents = parting.tangents[parting.row][self._tape.slots(access)]
                product = float((tangents * parting.gradient_before[self._tape.gradients.slots(access.gradient)]).sum())
                if product:
                    return access.leaf, product
        return None

    def _at(
        self, number: int, kind: str, text: str, status: Literal["fail", "inconclusive"], parting: Parting | None = None
    ) -> TapeFault:
        event = self._events[number]
        got, expected = (parting.before, parting.after) if parting is not None else (0.0, 0.0)
        return TapeFault(kind=kind, place=event.place, kernel=event.name, text=text, status=status, got=got, expected=expected)


def _is_nearer(value: float, a: float, b: float) -> bool:
    """Return whether a value is nearer to ``a`` than to ``b``; what is not finite is near to what is not finite."""
    if not math.isfinite(value):
        return math.isfinite(b) and not math.isfinite(a)
    return abs(value - a) < abs(value - b)
