"""Data flow between the statements of a kernel: what each reads, assigns and changes, and what is read after it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from warpsmith.synthesis.writing.ideas.outlining.idea_lines import Line, read_line
from warpsmith.synthesis.writing.ideas.tree import Node

_LOOP_JUMPS = ("break", "continue")
_UNROLLED = re.compile(r"for \$\w+ in range\(\d(?:, \d)?\):")


class Item:
    """A statement of a block: a line, a loop, or an ``if`` with all its branches. Sets of locals are bits of integers.

    Attributes:
        start: its position in the block, with the comments and blank lines before it.
        first: the position of its first line.
        stop: the position after it.
        exposed: the locals that it may read before it assigns them.
        always: the locals that it assigns in any case.
        changed: the locals that it may assign or change.
        looped: the locals that it may change in loops that are not unrolled.
        parameters: the keys of the parameters that it names.
        pure: whether it has no effect but on locals, and no jump leaves it.
        statements: the number of its lines.
        weight: the number of its operators and calls.
        live: the locals that may be read after it.
        blocks: the blocks in it.
    """

    __slots__ = (
        "always", "blocks", "changed", "exposed", "first", "jumps", "live", "looped", "loops", "parameters", "pure",
        "start", "statements", "stop", "weight",
    )  # fmt: skip

    def __init__(self, start: int, first: int, stop: int) -> None:
        self.start, self.first, self.stop = start, first, stop
        self.exposed = self.always = self.changed = self.looped = self.live = 0
        self.parameters: frozenset[str] = frozenset()
        self.pure, self.jumps, self.loops = True, False, False
        self.statements = self.weight = 0
        self.blocks: list[Block] = []


class Block:
    """The statements of a kernel, of a loop or of a branch.

    Attributes:
        nodes: their lines.
        items: the statements.
        in_loop: whether they are in a loop.
    """

    __slots__ = ("in_loop", "items", "nodes")

    def __init__(self, nodes: list[Node], items: list[Item], in_loop: bool) -> None:
        self.nodes, self.items, self.in_loop = nodes, items, in_loop

    def walk(self) -> Iterator[Block]:
        """Yield this block and the blocks in it."""
        yield self
        for item in self.items:
            for block in item.blocks:
                yield from block.walk()


class Flow:
    """The data flow of a kernel or function.

    Args:
        body: its statements.
        is_pure: whether a helper function has no effect.
        results: the locals that are read after the body.

    Attributes:
        top: its outermost block.
        bits: the bit of each local.
    """

    def __init__(self, body: list[Node], is_pure: Callable[[str], bool], results: Sequence[str] = ()) -> None:
        self.bits: dict[str, int] = {}
        self._is_pure = is_pure
        self.top = self._block(body, in_loop=False)
        _find_live(self.top, self.mask(results), 0)

    def keys(self, mask: int) -> list[str]:
        """Return the keys of locals."""
        return [key for key, bit in self.bits.items() if mask & bit]

    def mask(self, keys: Sequence[str] | frozenset[str]) -> int:
        """Return the bits of locals."""
        found, bits = 0, self.bits
        for key in keys:
            bit = bits.get(key)
            if bit is None:
                bit = bits[key] = 1 << len(bits)
            found |= bit
        return found

    def _block(self, nodes: list[Node], in_loop: bool) -> Block:
        items: list[Item] = []
        start = position = 0
        while position < len(nodes):
            line = read_line(nodes[position].text)
            if line.kind == "blank":
                position += 1
                continue
            first, position = position, position + 1
            if line.kind == "if":
                position = _end_of_branches(nodes, position)
            item = Item(start, first, position)
            self._fill(item, nodes[first:position], line, in_loop)
            items.append(item)
            start = position
        return Block(nodes, items, in_loop)

    def _fill(self, item: Item, nodes: Sequence[Node], line: Line, in_loop: bool) -> None:
        self._read(item, line)
        if line.kind == "jump":
            item.jumps, item.pure = nodes[0].text in _LOOP_JUMPS, nodes[0].text in _LOOP_JUMPS
        elif line.kind in ("for", "while"):
            self._fill_loop(item, nodes[0], line)
        elif line.kind == "if":
            self._fill_branches(item, nodes, in_loop)
        elif nodes[0].body:
            item.pure = False

    def _read(self, item: Item, line: Line) -> None:
        item.exposed |= self.mask(line.reads) & ~item.always
        item.changed |= self.mask(line.changes)
        item.parameters |= line.parameters
        item.pure = item.pure and line.pure and all(map(self._is_pure, line.calls))
        item.statements += 1
        item.weight += line.weight
        if line.kind == "assign":
            item.always |= self.mask(line.targets)
            item.changed |= item.always

    def _add(self, item: Item, block: Block, before: int) -> tuple[int, int]:
        """Add a block to an item; return what it exposes and assigns in any case, after locals are assigned ``before``."""
        exposed, always = 0, before
        for inner in block.items:
            exposed |= inner.exposed & ~always
            always |= inner.always
            item.changed |= inner.changed
            item.looped |= inner.looped
            item.parameters |= inner.parameters
            item.pure = item.pure and inner.pure
            item.statements += inner.statements
            item.weight += inner.weight
            item.jumps = item.jumps or inner.jumps
        item.blocks.append(block)
        return exposed, always

    def _fill_loop(self, item: Item, node: Node, line: Line) -> None:
        counters = self.mask(line.targets)
        exposed, _ = self._add(item, self._block(node.body, in_loop=True), counters)
        item.exposed |= exposed
        item.changed |= counters
        item.jumps, item.loops = False, True
        if not _UNROLLED.match(node.text):
            item.looped = item.changed

    def _fill_branches(self, item: Item, nodes: Sequence[Node], in_loop: bool) -> None:
        always, has_else = -1, False
        for node in nodes:
            line = read_line(node.text)
            if line.kind in ("elif", "else"):
                self._read(item, line)
                has_else = line.kind == "else"
            elif line.kind == "blank":
                continue
            block = self._block(node.body, in_loop)
            exposed, assigned = self._add(item, block, 0)
            item.exposed |= exposed
            if not _leaves(block):
                always &= assigned
        item.always = always if has_else and always != -1 else 0


def _leaves(block: Block) -> bool:
    """Return whether a block ends with a jump."""
    return bool(block.items) and read_line(block.nodes[block.items[-1].first].text).kind == "jump"


def _end_of_branches(nodes: Sequence[Node], position: int) -> int:
    """Return the position after the last branch of an ``if`` before ``position``."""
    end = position
    while position < len(nodes):
        kind = read_line(nodes[position].text).kind
        if kind in ("elif", "else"):
            end = position + 1
        elif kind != "blank":
            break
        position += 1
    return end


def _find_live(block: Block, live: int, escaping: int) -> None:
    """Find the locals that may be read after each statement.

    Args:
        block: the statements.
        live: the locals that may be read after the block.
        escaping: the locals that may be read after a jump out of the block.
    """
    for item in reversed(block.items):
        live |= escaping if item.jumps else 0
        item.live = live
        inside = live | item.exposed
        for inner in item.blocks:
            _find_live(inner, inside if item.loops else live, inside if item.loops else escaping)
        live = item.exposed | (live & ~item.always)
