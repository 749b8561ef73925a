"""Repeats: runs of statements that differ from a cut in names only, which call its function, too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from msgspec import Struct

from warpsmith.synthesis.writing.ideas.outlining.cuts import Cut, shapes_of
from warpsmith.synthesis.writing.ideas.outlining.data_flow import Block, Flow
from warpsmith.synthesis.writing.ideas.outlining.functions import Function
from warpsmith.synthesis.writing.ideas.outlining.idea_lines import NAME
from warpsmith.synthesis.writing.ideas.outlining.static_types import ArrayType, Scope
from warpsmith.synthesis.writing.ideas.tree import Node, walk

_PLAIN_NAME = re.compile(r"\$\w+|\{\w+\}")


class Run(Struct, frozen=True, gc=False):
    """A run of statements that becomes a call.

    Attributes:
        nodes: the statements of its block.
        first: the position of its first line.
        stop: the position after its last line.
        call: the line that replaces it.
    """

    nodes: list[Node]
    first: int
    stop: int
    call: str


def find_repeats(cut: Cut, function: Function, flow: Flow, scope: Scope, fixed: Set[str], batched: Set[str]) -> Iterator[Run]:
    """Yield the runs of statements that can call the function of a cut, too.

    Args:
        cut: the cut.
        function: its function.
        flow: the data flow of the kernel or function.
        scope: its types.
        fixed: the keys of parameters that are arguments of the kernel; others must be the same.
        batched: the keys of arrays with a dimension for worlds.
    """
    names = _names_of(cut.block, cut.begin, cut.end)
    inside = {id(block) for item in cut.items for inner in item.blocks for block in inner.walk()}
    length = cut.end - cut.begin
    for block in flow.top.walk():
        begin = 0
        while id(block) not in inside and begin + length <= len(block.items):
            overlaps = block is cut.block and begin < cut.end and cut.begin < begin + length
            call = None if overlaps else _Match(cut, function, flow, scope, fixed, batched).call(names, block, begin)
            if call is not None:
                yield Run(block.nodes, block.items[begin].first, block.items[begin + length - 1].stop, call)
            begin += length if call is not None else 1


def _names_of(block: Block, begin: int, end: int) -> list[str]:
    nodes = block.nodes[block.items[begin].first : block.items[end - 1].stop]
    return [name for node in walk(nodes) if node.is_statement for name in NAME.findall(node.text)]


class _Match:
    """The comparison of a cut with another run of statements."""

    def __init__(self, cut: Cut, function: Function, flow: Flow, scope: Scope, arguments: Set[str], batched: Set[str]) -> None:
        self._cut, self._function, self._flow, self._scope = cut, function, flow, scope
        self._arguments, self._batched = arguments, batched
        self._changed = {f"${key}" for key in flow.keys(cut.changed)}
        self._names: dict[str, str] = {}

    def call(self, names: list[str], block: Block, begin: int) -> str | None:
        """Return the line that replaces the statements of ``block`` from ``begin`` on, or None if they differ."""
        cut, end = self._cut, begin + self._cut.end - self._cut.begin
        items = block.items[begin:end]
        if not all(item.pure and not item.jumps for item in items) or items[0].statements != cut.items[0].statements:
            return None
        if shapes_of(block, begin, end) != shapes_of(cut.block, cut.begin, cut.end):
            return None
        if not all(map(self._unify, names, _names_of(block, begin, end))):
            return None
        changed = live = 0
        for item in items:
            changed, live = changed | item.changed, item.live
        outputs = [self._names[f"${key}"] for key in self._function.results]
        if {f"${key}" for key in self._flow.keys(changed & live)} != set(outputs):
            return None
        locals_changed = {f"${key}" for key in self._flow.keys(changed)}
        arguments = [self._argument(argument, locals_changed) for argument in self._function.arguments]
        if None in arguments or {self._names[name] for name in self._changed & self._names.keys()} != locals_changed:
            return None
        results = [self._scope.local(output[1:]) for output in outputs]
        if results != list(self._function.results.values()):
            return None
        return f"{', '.join(outputs)} = @{self._function.key}({', '.join(filter(None, arguments))})"

    def _argument(self, argument: str, changed: set[str]) -> str | None:
        """Return the argument of the other run, if it has the same type and is known before the run."""
        other = self._names.get(argument, argument)
        kind, wanted = self._scope.infer_text(other), self._scope.infer_text(argument)
        if kind is None or kind != wanted or changed & set(_PLAIN_NAME.findall(other)):
            return None
        if isinstance(kind, ArrayType) and (other.strip("{}") in self._batched) != (argument.strip("{}") in self._batched):
            return None
        return other

    def _unify(self, name: str, other: str) -> bool:
        """Map a name to the name in its place; return whether this is possible."""
        if "[" in name and name not in self._function.arguments:
            if "[" not in other or _PLAIN_NAME.sub("#", name) != _PLAIN_NAME.sub("#", other):
                return False
            return all(map(self._unify, _PLAIN_NAME.findall(name), _PLAIN_NAME.findall(other)))
        if name[0] == "$" and "[" not in name:
            is_local = other[0] == "$" and "[" not in other
            if not is_local or (name in self._changed and self._is_taken(name, other)):
                return False
        elif "[" in name or name[1:-1] in self._arguments:
            if "[" in name and "[" not in other:
                return False
        elif name != other:
            return False
        return self._names.setdefault(name, other) == other

    def _is_taken(self, name: str, other: str) -> bool:
        """Return whether another local of the cut has been mapped to a name."""
        return any(known != name and mapped == other for known, mapped in self._names.items())


def replace_runs(runs: list[Run]) -> None:
    """Put the calls in the place of the statements."""
    for run in sorted(runs, key=lambda run: -run.first):
        run.nodes[run.first : run.stop] = [Node(run.call)]
