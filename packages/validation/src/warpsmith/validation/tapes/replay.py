"""The launches of a recording once more in double precision, from inputs that are moved along a direction.

Unlike the chain of derivatives, which takes each launch at its recorded contents, a replay carries the difference from launch
to launch: it is a third opinion on the derivative of the whole program, and shares neither steps nor derivatives with the
others.
"""

from __future__ import annotations

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.tape_recording import Event
from warpsmith.validation.running.shared_arguments import promoted
from warpsmith.validation.tapes.launch_tangents import DoubleText
from warpsmith.validation.tapes.tangent_chain import Change, Step, TangentChain

STEP = 2.0**-13
"""The step, relative to the size of what moves."""


class Replay:
    """Replays a recording.

    Args:
        chain: the chain of its derivatives.
        text: the generated code in double precision.
    """

    def __init__(self, chain: TangentChain, text: DoubleText) -> None:
        self._chain, self._text, self._tape = chain, text, chain.tape

    def derivative(self, row: int, seeds: Values) -> float | None:
        """Return the derivative of the seeded sum along a direction of the chain by central differences, or None.

        There is none if a launch cannot be repeated.

        Args:
            row: the number of the direction.
            seeds: the seeds, by slot of the gradients.
        """
        moved = np.zeros((2, self._tape.data.size))
        for step in self._chain.steps:
            if step.problem or not self._is_replayed(step, row, moved):
                return None
        difference = (moved[0] - moved[1]) / (2.0 * STEP)
        return float(difference[self._tape.numbers] @ seeds[self._tape.grads])

    def _is_replayed(self, step: Step, row: int, moved: Values) -> bool:
        """Carry the differences over an event; return whether that is possible."""
        if step.moved is not None:
            moved[:, step.moved.slots] = STEP * np.stack([step.moved.after[row], -step.moved.after[row]])
        event, change = step.event, step.change
        if change is None:
            return True
        if event.name == "wp.copy":
            by_leaf = {access.leaf: self._tape.slots(access).ravel() for access in event.accesses}
            moved[:, by_leaf["dest"]] = moved[:, by_leaf["src"]]
        elif not any(np.any(moved[:, self._tape.slots(access)]) for access in self._tape.floats(event)):
            moved[:, change.slots] = 0.0
        elif (found := self._launched(event, moved)) is not None:
            self._take(event, change, found, moved)
        else:
            return False
        moved[:, ~self._tape.has_gradient] = 0.0
        return True

    def _launched(self, event: Event, moved: Values) -> list[dict[str, Values]] | None:
        values = {name: promoted(value) for name, value in self._tape.values(event).items()}
        slots = {access.leaf: self._tape.slots(access) for access in self._tape.floats(event)}
        points = [values, *(values | {leaf: values[leaf] + row[place] for leaf, place in slots.items()} for row in moved)]
        found = self._text.outputs(self._chain.lines[event.pair], self._chain.launch(event), points)
        return None if isinstance(found, str) else found

    def _take(self, event: Event, change: Change, found: list[dict[str, Values]], moved: Values) -> None:
        """Set the differences of what a launch writes."""
        kept = moved.copy()
        for access in self._tape.floats(event):
            slots = self._tape.slots(access).ravel()
            for row in (0, 1):
                kept[row, slots] = (found[row + 1][access.leaf] - found[0][access.leaf]).ravel()
        moved[:, change.slots] = kept[:, change.slots]
