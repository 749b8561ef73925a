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
        for instruction in plan.instructions:
            starts.append(len(pointers))
            if instruction.kind == RUN:
                for place in instruction.places:
                    if place.linked:
                        links.append((len(pointers), place.offset))
                    pointers.append(frame + place.offset)
        self._pointers = np.asarray(pointers or [0], np.uint64)
        base = self._pointers.ctypes.data
        self._steps = np.zeros((len(plan.instructions), 4), np.uint64)
        first = self._steps.ctypes.data
        rows = []
        for instruction, start in zip(plan.instructions, starts, strict=True):
            a = b = 0
            if instruction.kind == RUN and instruction.signature is not None:
                a, b = calls[instruction.signature], base + 8 * start
            elif instruction.kind == COPY:
                a = frame + instruction.places[0].offset
                source = instruction.places[1]
                b = image + source.offset - plan.local if source.type == IMAGE else frame + source.offset
            elif instruction.kind != END:
                a = first + 32 * plan.labels[instruction.label]
                b = frame + instruction.places[0].offset if instruction.places else 0
            rows.append((instruction.kind, a, b, instruction.size))
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
