"""Programs in the memory that ``machine.cpp`` runs: steps with addresses instead of places."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from warpsmith.validation.calls.program_plan import COPY, END, IMAGE, RUN, Plan
from warpsmith.validation.calls.statement_table import Signature


class Program:
    """A program in memory; `address` is what ``machine.cpp`` receives."""

    def __init__(self, plan: Plan, calls: Mapping[Signature, int], frame: int) -> None:
        self._images = [np.frombuffer(bytes(image) or b"\0", np.uint8) for image in plan.images]
        self._image = self._images[0].copy()
        image = self._image.ctypes.data
        pointers: list[int] = []
        starts: list[int] = []
        links: list[tuple[int, int]] = []
        for one in plan.instructions:
            starts.append(len(pointers))
            if one.kind == RUN:
                for place in one.places:
                    if place.linked:
                        links.append((len(pointers), place.offset))
                    pointers.append(frame + place.offset)
        self._pointers = np.asarray(pointers or [0], np.uint64)
        base = self._pointers.ctypes.data
        self._steps = np.zeros((len(plan.instructions), 4), np.uint64)
        first = self._steps.ctypes.data
        rows = []
        for one, start in zip(plan.instructions, starts, strict=True):
            a = b = 0
            if one.kind == RUN and one.signature is not None:
                a, b = calls[one.signature], base + 8 * start
            elif one.kind == COPY:
                a = frame + one.places[0].offset
                source = one.places[1]
                b = image + source.offset - plan.local if source.type == IMAGE else frame + source.offset
            elif one.kind != END:
                a = first + 32 * plan.labels[one.label]
                b = frame + one.places[0].offset if one.places else 0
            rows.append((one.kind, a, b, one.size))
        self._steps[...] = rows
        self._links = np.asarray([(base + 8 * number, offset) for number, offset in links] or [(0, 0)], np.uint64)
        self._header = np.asarray(
            [
                first, image, plan.local, len(plan.images[0]), plan.arguments_size, len(plan.kernel.fields), plan.adjoint_start,
                plan.adjoint_size, plan.kernel.dimensions, plan.bounds.offset, plan.bounds_size, plan.index.offset,
                self._links.ctypes.data, len(links),
            ],
            np.uint64,
        )  # fmt: skip

    def fill(self, pattern: int) -> None:
        """Set what variables without a value contain, by a number in `PATTERNS`."""
        self._image[...] = self._images[pattern]

    @property
    def address(self) -> int:
        """The address of the program."""
        return int(self._header.ctypes.data)
