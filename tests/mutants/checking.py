"""Check mutants by the levels from `parse` to `gradient`, without `regenerate`: it compares bytes and would catch every one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from mutants.equivalent import UNCHECKED, prove
from mutants.mutate import FAMILIES, Mutant, apply
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.core.records.pair import Pair, to_dict
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.levels.registry import LEVELS as ALL_LEVELS
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.sandbox.supervisor import Supervisor

LEVELS: tuple[Level, ...] = tuple(
    level for level in ALL_LEVELS if level.name in ("parse", "compile", "execute", "emulate", "oracle", "gradient")
)
"""The levels that check mutants."""

BATCH = 50

UNPROVED = ("dropped jump", "other jump", "doubled adjoint", "half adjoint", "half rounding")
"""The kinds of edits that proofs do not cover: jumps, and statements within others."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result for one mutant.

    Attributes:
        mutant: the edit.
        pair: the original pair.
        proof: the reason why the mutant is equivalent; None if there is no proof.
        verdicts: the verdict of each level.
        agrees: whether no random input tells the mutant from the original, see `agreement`.
    """

    mutant: Mutant
    pair: Pair
    proof: str | None
    verdicts: tuple[Verdict, ...]
    agrees: bool = False

    @property
    def caught(self) -> str | None:
        """The first level that caught the mutant."""
        return next((verdict.level for verdict in self.verdicts if verdict.status == "fail"), None)

    @property
    def state(self) -> str:
        """``equivalent``, ``caught``, ``agrees`` or ``slipped``; ``disproved`` if a mutant with a proof was caught."""
        if self.proof and not (self.caught and self.proof == UNCHECKED):
            return "disproved" if self.caught else "equivalent"
        return "caught" if self.caught else "agrees" if self.agrees else "slipped"


def proof(mutant: Mutant, pair: Pair) -> str | None:
    """Return the reason why a mutant is equivalent, see `equivalent.prove`."""
    forward, backward = pair.code("cuda")
    if mutant.exchanges or mutant.edit in UNPROVED:
        return None
    if FAMILIES[mutant.family][0] == "forward":
        return prove(forward or "", mutant.line - 1, mutant.after, launch=pair.metadata.launch)
    return prove(backward or "", mutant.line - 1, mutant.after, forward or "", pair.metadata.launch)


def check_mutants(
    mutated: Sequence[tuple[Pair, Mutant]], workers: int, advance: Callable[[int], None] = lambda _: None
) -> Iterator[Outcome]:
    """Check mutants in several sandboxed workers."""
    lines = [mutant_line(pair, mutant, number) for number, (pair, mutant) in enumerate(mutated, start=1)]
    for (pair, mutant), verdicts in zip(mutated, check_lines(lines, workers, advance), strict=True):
        yield Outcome(mutant, pair, proof(mutant, pair), verdicts)


def check_lines(
    lines: Sequence[Line], workers: int, advance: Callable[[int], None] = lambda _: None
) -> Iterator[tuple[Verdict, ...]]:
    """Yield the verdicts on each line, in order."""
    batches = [lines[start : start + BATCH] for start in range(0, len(lines), BATCH)]
    free: SimpleQueue[Supervisor] = SimpleQueue()
    with ExitStack() as stack, ThreadPoolExecutor(workers) as threads:
        for _ in range(workers):
            free.put(stack.enter_context(Supervisor(LEVELS)))

        def check(batch: Sequence[Line]) -> list[list[Verdict]]:
            supervisor = free.get()
            try:
                return supervisor.check(batch)
            finally:
                free.put(supervisor)

        for batch, verdicts in zip(batches, threads.map(check, batches), strict=True):
            advance(len(batch))
            yield from map(tuple, verdicts)


def mutant_line(pair: Pair, mutant: Mutant | None, number: int) -> Line:
    """Return a pair as a line, changed by a mutant or unchanged for None."""
    changed = apply(mutant, pair) if mutant else {}
    return decode(encode(to_dict(pair) | changed), Path("mutants.jsonl"), number)


def failing_pairs(
    pairs: Iterable[Pair], workers: int, advance: Callable[[int], None] = lambda _: None
) -> list[tuple[Pair, Verdict]]:
    """Return the unchanged pairs that fail, with the verdict; their mutants would not test the levels."""
    whole = list(pairs)
    lines = [mutant_line(pair, None, number) for number, pair in enumerate(whole, start=1)]
    found = zip(whole, check_lines(lines, workers, advance), strict=True)
    return [(pair, verdict) for pair, verdicts in found for verdict in verdicts if verdict.status == "fail"]
