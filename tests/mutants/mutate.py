"""Mutants of pairs: a line of the generated text is changed, removed, or exchanged with the next; the Python stays the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from mutants import adjoint_operators, operators
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.mutants.cuda_edits import BACKWARD, FORWARD, REPLAYED, LineEdit, line_edits, replaced_line

FIELDS = {
    ("cpu", "forward"): "cpp_forward",
    ("cpu", "backward"): "cpp_backward",
    ("cuda", "forward"): "cuda_ir_forward",
    ("cuda", "backward"): "cuda_ir_backward",
}

FAMILIES = {
    # name: (direction, targets)
    "forward": ("forward", ("cuda",)),
    "backward": ("backward", ("cuda",)),
    "compiler": ("backward", ("cuda", "cpu")),
    "common": ("forward", ("cuda", "cpu")),
}
"""The texts that change: the CUDA text alone, or the C++ and CUDA texts in the same way, as a wrong compiler would."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One edit.

    Attributes:
        pair: the id of the pair.
        family: one of `FAMILIES`.
        kind: a key of `FORWARD` or `BACKWARD`, `REPLAYED`, or one of the ``KINDS`` of `operators` and `adjoint_operators`.
        edit: the kind of edit to a replayed line; otherwise equal to ``kind``.
        line: the number of the line in the CUDA text, from 1.
        before: the line.
        after: the new line; None if the line is removed.
    """

    pair: str
    family: str
    kind: str
    edit: str
    line: int
    before: str
    after: str | None

    @property
    def exchanges(self) -> bool:
        """Whether the edit exchanges two lines; ``after`` contains both."""
        return self.edit in (operators.SWAPPED, adjoint_operators.SWAPPED_LINES)

    @property
    def rank(self) -> bytes:
        """A pseudorandom sort key that selects mutants, the same in every run."""
        return hashlib.sha256(f"{self.pair}/{self.family}/{self.edit}/{self.line}/{self.after}".encode()).digest()


def mutants(pair: Pair, families: tuple[str, ...] = tuple(FAMILIES)) -> list[Mutant]:
    """Return every mutant of a pair."""
    return [one for family in families for one in _of_family(pair, family)]


def _of_family(pair: Pair, family: str) -> Iterator[Mutant]:
    direction, targets = FAMILIES[family]
    text = getattr(pair, FIELDS["cuda", direction]) or ""
    distinct: dict[tuple[int, str | None], LineEdit] = {}
    for one in (*line_edits(text, direction == "backward"), *_more(text, direction)):
        distinct.setdefault((one.line, one.after), one)
    for one in distinct.values():
        mutant = Mutant(pair.id, family, one.kind, one.edit, one.line + 1, one.before, one.after)
        if one.after != one.before and ("cpu" not in targets or _cpp_line(pair, mutant) is not None):
            yield mutant


def _more(text: str, direction: str) -> Iterator[LineEdit]:
    """Yield the edits of this package: of the forward pass, of its lines that the reverse pass runs again, and of adjoints."""
    for one in operators.edits_of(text):
        yield replace(one, kind=REPLAYED) if direction == "backward" else one
    if direction == "backward":
        yield from adjoint_operators.edits_of(text)


def apply(mutant: Mutant, pair: Pair) -> dict[str, str]:
    """Return the texts that a mutant changes, by the names of their fields."""
    direction, targets = FAMILIES[mutant.family]
    lines = {"cuda": mutant.line - 1, "cpu": _cpp_line(pair, mutant) if "cpu" in targets else None}
    changed = {}
    for target in targets:
        name = FIELDS[target, direction]
        number = lines[target]
        if number is None:
            raise ValueError(f"the C++ text has no such line: {mutant.before}")
        text = getattr(pair, name)
        if mutant.exchanges:
            first, second = (mutant.after or "").split("\n")
            changed[name] = replaced_line(replaced_line(text, number, first), number + 1, second)
        else:
            changed[name] = replaced_line(text, number, mutant.after)
    return changed


def _cpp_line(pair: Pair, mutant: Mutant) -> int | None:
    """Return the position of the line in the C++ text, if both texts contain the line, and its next one, equally often."""
    direction = FAMILIES[mutant.family][0]
    texts = (getattr(pair, FIELDS[target, direction]) or "" for target in ("cuda", "cpu"))
    cuda, cpp = map(_common_lines, texts)
    line = _common(mutant.before)
    before = cuda[: mutant.line - 1].count(line)
    positions = [number for number, one in enumerate(cpp) if one == line]
    if len(positions) != cuda.count(line):
        return None
    position = positions[before]
    return position if not mutant.exchanges or cpp[position + 1] == cuda[mutant.line] else None


@lru_cache(maxsize=8)
def _common_lines(text: str) -> list[str]:
    return [_common(line) for line in text.split("\n")]


def _common(line: str) -> str:
    """Return what a line is in both texts: a kernel returns in C++, and continues with the thread's next element in CUDA."""
    return "return;" if line.strip() == "continue;" else line.strip()


def choose_mutants(pair: Pair, family: str, count: int, turn: int) -> list[Mutant]:
    """Return some mutants of a family, spread evenly over the kinds, which take turns from one pair to the next.

    Args:
        pair: the pair to mutate.
        family: the family of the mutants.
        count: the number of mutants.
        turn: the number of the pair.
    """
    by_kind: dict[str, list[Mutant]] = {}
    for one in mutants(pair, (family,)):
        by_kind.setdefault(one.kind, []).append(one)
    adjoints = [*BACKWARD, *adjoint_operators.KINDS, REPLAYED]
    kinds = [*FORWARD, *operators.KINDS] if FAMILIES[family][0] == "forward" else adjoints
    order = [kinds[(turn * count + position) % len(kinds)] for position in range(len(kinds))]
    left = {kind: sorted(by_kind[kind], key=lambda one: one.rank) for kind in order if kind in by_kind}
    taken: list[Mutant] = []
    while left and len(taken) < count:
        for kind in list(left):
            if len(taken) < count:
                taken.append(left[kind].pop(0))
            if not left[kind]:
                del left[kind]
    return taken
