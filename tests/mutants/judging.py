"""Judges mutants by the ladder without `regenerate`, which compares bytes and would catch every one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from mutants.equivalent import UNCHECKED, prove
from mutants.mutate import Mutant, apply
from warpsmith.core.records.jsonl import Line, decode, encode
from warpsmith.core.records.pair import Pair, to_dict
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.levels.registry import LEVELS as ALL_LEVELS
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.sandbox.supervisor import Supervisor

LEVELS: tuple[Level, ...] = tuple(level for level in ALL_LEVELS if level.name in ("compile", "execute", "emulate", "gradient"))
"""What judges here."""

BATCH = 50


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mutant.

    Attributes:
        mutant: the edit.
        pair: what was broken.
        proof: why it is equivalent; None where that is not known.
        verdicts: of each level.
    """

    mutant: Mutant
    pair: Pair
    proof: str | None
    verdicts: tuple[Verdict, ...]

    @property
    def caught(self) -> str | None:
        """The level that caught it."""
        return next((verdict.level for verdict in self.verdicts if verdict.status == "fail"), None)

    @property
    def state(self) -> str:
        """In one word: ``equivalent``, ``caught`` or ``slipped``; ``disproved`` where something equivalent was caught."""
        if self.proof and not (self.caught and self.proof == UNCHECKED):
            return "disproved" if self.caught else "equivalent"
        return "caught" if self.caught else "slipped"


def proof(mutant: Mutant, pair: Pair) -> str | None:
    """Why a mutant is equivalent, see `equivalent.prove`."""
    forward, backward = pair.code("cuda")
    if mutant.family == "forward":
        return prove(forward or "", mutant.line - 1, mutant.after, launch=pair.metadata.launch)
    return prove(backward or "", mutant.line - 1, mutant.after, forward or "", pair.metadata.launch)


def judge(
    broken: Sequence[tuple[Pair, Mutant]], workers: int, advance: Callable[[int], None] = lambda _: None
) -> Iterator[Outcome]:
    """Judge mutants, several limited children side by side."""
    lines = [mutant_line(pair, mutant, number) for number, (pair, mutant) in enumerate(broken, start=1)]
    for (pair, mutant), verdicts in zip(broken, judge_lines(lines, workers, advance), strict=True):
        yield Outcome(mutant, pair, proof(mutant, pair), verdicts)


def judge_lines(
    lines: Sequence[Line], workers: int, advance: Callable[[int], None] = lambda _: None
) -> Iterator[tuple[Verdict, ...]]:
    """The verdicts of each line, in order."""
    batches = [lines[start : start + BATCH] for start in range(0, len(lines), BATCH)]
    free: SimpleQueue[Supervisor] = SimpleQueue()
    with ExitStack() as stack, ThreadPoolExecutor(workers) as threads:
        for _ in range(workers):
            free.put(stack.enter_context(Supervisor(LEVELS)))

        def ask(batch: Sequence[Line]) -> list[Verdict]:
            child = free.get()
            try:
                return child.verdicts(batch)
            finally:
                free.put(child)

        for batch, verdicts in zip(batches, threads.map(ask, batches), strict=True):
            advance(len(batch))
            for place in range(len(batch)):
                yield tuple(verdicts[place * len(LEVELS) : (place + 1) * len(LEVELS)])


def mutant_line(pair: Pair, mutant: Mutant | None, number: int) -> Line:
    """A pair, broken or for None whole, as a line of a file that is nowhere."""
    changed = apply(mutant, pair) if mutant else {}
    return decode(encode(to_dict(pair) | changed), Path("mutants.jsonl"), number)


def control(pairs: Iterable[Pair], workers: int, advance: Callable[[int], None] = lambda _: None) -> list[tuple[Pair, Verdict]]:
    """The pairs that fail as they are, with the verdict: what is made of them says nothing."""
    whole = list(pairs)
    lines = [mutant_line(pair, None, number) for number, pair in enumerate(whole, start=1)]
    found = zip(whole, judge_lines(lines, workers, advance), strict=True)
    return [(pair, verdict) for pair, verdicts in found for verdict in verdicts if verdict.status == "fail"]
