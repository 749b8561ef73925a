"""Cuts: runs of statements that can become functions, and how good a function each of them makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.outlining.data_flow import Block, Flow, Item
from warpsmith.synthesis.writing.ideas.outlining.idea_lines import read_line
from warpsmith.synthesis.writing.ideas.tree import walk

MAX_STATEMENTS = 24
"""The largest number of lines of a function."""

MAX_INPUTS = 9
"""The largest number of locals and parameters that a function reads."""

MAX_RESULTS = 1
"""The largest number of results of a function."""

REPEAT_SCORE = 3.0
"""The score of a cut whose statements occur twice."""

MIN_WEIGHT = 4
"""The least number of operators and calls of a function; a single expression has one more."""


class Cut(Struct, frozen=True, gc=False):
    """A run of statements of one block.

    Attributes:
        block: the block.
        begin: the first statement.
        end: the statement after the last one.
        inputs: the locals that it reads, as bits.
        outputs: the locals that it assigns and that are read after it.
        changed: the locals that it assigns or changes.
        parameters: the keys of the parameters that it reads.
        statements: the number of its lines.
        weight: the number of its operators and calls.
        score: how good a function it makes.
    """

    block: Block
    begin: int
    end: int
    inputs: int
    outputs: int
    changed: int
    parameters: frozenset[str]
    statements: int
    weight: int
    score: float

    @property
    def items(self) -> list[Item]:
        """The statements."""
        return self.block.items[self.begin : self.end]


def find_cuts(flow: Flow, arguments: Callable[[frozenset[str]], int], target: int, rng: RandomStream) -> list[Cut]:
    """Return the possible cuts of a kernel or function, the best one first.

    Args:
        flow: the data flow.
        arguments: the number of arguments of the kernel among parameters.
        target: the preferred number of lines.
        rng: the randomness of the kernel.
    """
    found = [cut for block in flow.top.walk() for cut in _cuts_of(block, arguments, target)]
    repeated = _repeated(found, flow)
    scored = [
        (cut.score + rng.below(256) / 200.0 + (REPEAT_SCORE if number in repeated else 0.0), -number, cut)
        for number, cut in enumerate(found)
    ]
    return [cut for _, _, cut in sorted(scored, key=lambda entry: entry[:2], reverse=True)]


def _cuts_of(block: Block, arguments: Callable[[frozenset[str]], int], target: int) -> Iterator[Cut]:
    items = block.items
    for end in range(len(items), 0, -1):
        if not items[end - 1].pure or items[end - 1].jumps:
            continue
        exposed = changed = looped = always = weight = statements = 0
        overwritten = _changed_after(items, end)
        parameters: frozenset[str] = frozenset()
        live = items[end - 1].live
        for begin in range(end - 1, -1, -1):
            item = items[begin]
            statements += item.statements
            if not item.pure or item.jumps or statements > MAX_STATEMENTS:
                break
            exposed = item.exposed | (exposed & ~item.always)
            changed |= item.changed
            looped |= item.looped
            always |= item.always
            weight += item.weight
            parameters |= item.parameters
            outputs = changed & live
            results = outputs.bit_count()
            in_place = exposed & changed
            if not results or results > MAX_RESULTS or outputs & ~(always | in_place):
                continue
            carried = ~_assigned_before(items, begin) if block.in_loop and in_place else looped
            if in_place & (carried | looped | ~outputs):  # a parameter of a function is no variable of a loop
                continue
            if not outputs & items[end - 1].changed or weight < MIN_WEIGHT + (statements == 1):
                continue
            inputs = exposed.bit_count() + arguments(parameters)
            if 0 < inputs <= min(MAX_INPUTS, 2 * statements + 2):
                score = _score(block, begin, end, inputs, results, (changed & ~outputs).bit_count(), statements, target)
                score -= 1.5 * (outputs & overwritten).bit_count()
                yield Cut(block, begin, end, exposed, outputs, changed, parameters, statements, weight, score)


def _changed_after(items: Sequence[Item], end: int) -> int:
    """Return the locals that statements of the block change after a cut."""
    changed = 0
    for item in items[end:]:
        changed |= item.changed
    return changed


def _assigned_before(items: Sequence[Item], begin: int) -> int:
    """Return the locals that statements of the block assign before a cut."""
    assigned = 0
    for item in items[:begin]:
        assigned |= item.always
    return assigned


def _score(block: Block, begin: int, end: int, inputs: int, results: int, hidden: int, statements: int, target: int) -> float:
    score = (
        4.0 - 0.3 * abs(statements - target) - 0.7 * max(0, inputs - 3) - (0.0, 1.5, 3.5)[results - 1] + 0.5 * min(hidden, 4)
    )
    first = block.items[begin]
    if first.start < first.first or begin == 0:
        score += 0.7
    if end == len(block.items) or block.items[end].start < block.items[end].first:
        score += 0.4
    return score


def _repeated(cuts: Sequence[Cut], flow: Flow) -> set[int]:
    """Return the positions of the cuts whose statements differ from those of another one in names only."""
    first_lines = Counter(
        line.shape
        for block in flow.top.walk()
        for item in block.items
        if item.pure and (line := read_line(block.nodes[item.first].text)).weight
    )
    candidates: dict[tuple[str, ...], list[int]] = {}
    for number, cut in enumerate(cuts):
        if first_lines[read_line(cut.block.nodes[cut.items[0].first].text).shape] > 1:
            candidates.setdefault(shapes_of(cut.block, cut.begin, cut.end), []).append(number)
    found: set[int] = set()
    for numbers in candidates.values():
        apart = [cuts[number] for number in numbers]
        if any(
            first.block is not other.block or first.end <= other.begin
            for first in apart
            for other in apart
            if first is not other
        ):
            found.update(numbers)
    return found


def is_connected(cut: Cut) -> bool:
    """Return whether the statements of a cut belong together: each reads or assigns what another one assigns."""
    groups: list[tuple[int, int]] = []
    items = cut.items
    for number, item in enumerate(items):
        touched, members = (item.exposed & cut.changed) | item.changed, 1 << number
        rest = []
        for locals_of, numbers in groups:
            if locals_of & touched:
                touched, members = touched | locals_of, members | numbers
            else:
                rest.append((locals_of, numbers))
        groups = [*rest, (touched, members)]
    return len(groups) == 1


def shapes_of(block: Block, begin: int, end: int) -> tuple[str, ...]:
    """Return the lines of statements without their names."""
    nodes = block.nodes[block.items[begin].first : block.items[end - 1].stop]
    return tuple(line.shape for node in walk(nodes) if (line := read_line(node.text)).kind != "blank")
