"""Long values of stores, sums and atomic operations: each is assigned to a separate local while functions are made."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set

from warpsmith.synthesis.language.layout.statement_text import split_commas
from warpsmith.synthesis.writing.ideas.notation import LOCAL
from warpsmith.synthesis.writing.ideas.outlining.idea_lines import Line, count_operations, read_line
from warpsmith.synthesis.writing.ideas.tree import Node

MIN_OPERATIONS = 2
"""The least number of operators and calls of a value with a local."""


class LongValues:
    """The long values of a kernel.

    Attributes:
        names: what each of their locals is called, from the array or sum that receives it.
        owners: the array or sum.
    """

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.owners: dict[str, str] = {}
        self._branches: dict[int, list[tuple[Node, str]]] = {}

    def split(self, body: list[Node], names: Mapping[str, str]) -> None:
        """Put each long value into a separate line; ``names`` are candidates for names by key of local or parameter."""
        for position in range(len(body) - 1, -1, -1):
            node = body[position]
            if node.body:
                self.split(node.body, names)
            line = read_line(node.text)
            if line.kind == "if":
                self._split_if(body, position, names)
                continue
            value = stored_value(line)
            if line.owner and "atomic_" not in value and count_operations(value) >= MIN_OPERATIONS:
                key = self._add(line.owner, names.get(line.owner, line.owner.strip("{}")).split())
                before, _, after = node.text.rpartition(value)
                body[position : position + 1] = [Node(f"${key} = {value}"), Node(f"{before}${key}{after}", node.body)]

    def _add(self, owner: str, words: Sequence[str]) -> str:
        stem = owner.strip("{}")
        key = f"{stem}__v{len(self.names)}"
        self.names[key] = " ".join(dict.fromkeys(map(singular, words)))
        self.owners[key] = owner
        return key

    def _split_if(self, body: list[Node], position: int, names: Mapping[str, str]) -> None:
        """Let branches that store to one place assign a local, and give the test of an index a name."""
        end = position + 1
        while end < len(body) and (body[end].continues or not body[end].is_statement):
            end += 1
        branches = [node for node in body[position:end] if node.is_statement]
        stores = [_only_store(branch) for branch in branches]
        targets = {store.text.partition(" = ")[0] for store in stores if store is not None}
        if branches[-1].text == "else:" and None not in stores and len(targets) == 1:
            owner = read_line(stores[0].text).owner  # type: ignore[union-attr]
            key = self._add(owner, names.get(owner, owner.strip("{}")).split())
            receiver = Node(f"{targets.pop()} = ${key}")
            self._branches[id(receiver)] = [(store, store.text) for store in stores if store is not None]
            for store in filter(None, stores):
                store.text = f"${key} = {store.text.partition(' = ')[2]}"
            last = max(place for place in range(position, end) if body[place].is_statement)
            body.insert(last + 1, receiver)
        test = body[position].text[3:-1]
        if all(map(_BOUND.fullmatch, test.split(" and "))) and count_operations(test) >= MIN_BOUNDS:
            key = self._add("in_bounds", ("in_bounds", "inside", "is_inside", "is_valid"))
            body[position : position + 1] = [Node(f"${key} = {test}"), Node(f"if ${key}:", body[position].body)]

    def merge(self, body: list[Node], inlined: Set[str] = frozenset()) -> None:
        """Put the values back that are used in the next line, and the values of locals that are ``inlined``."""
        self._merge_block(body, self.names.keys() | inlined)

    def _merge_block(self, body: list[Node], merged: Set[str]) -> None:
        for node in list(body):
            if node.body:
                self._merge_block(node.body, merged)
            elif id(node) in self._branches:
                self._merge_branches(body, node)
        position = 0
        while position + 1 < len(body):
            line, after = read_line(body[position].text), body[position + 1]
            if line.kind == "assign" and len(line.targets) == 1 and line.targets[0] in merged:
                key = line.targets[0]
                if key in read_line(after.text).reads and not after.text.startswith(("for ", "while ", "elif ")):
                    after.text = replace_local(after.text, key, line.value)
                    del body[position]
                    continue
            position += 1

    def _merge_branches(self, body: list[Node], receiver: Node) -> None:
        """Let branches store their values again, unless they have become a function."""
        stores = self._branches[id(receiver)]
        before = body[: body.index(receiver)]
        inside = {id(node) for branch in before for node in branch.body}
        if all(id(store) in inside for store, _ in stores):
            body.remove(receiver)
            for store, text in stores:
                store.text = text


def replace_local(text: str, key: str, value: str) -> str:
    """Return a text with a value in the place of a local."""
    return LOCAL.sub(lambda match: value if match[1] == key else match[0], text)


MIN_BOUNDS = 3
"""The least number of operators of the test of an index that has a name."""

_BOUND = re.compile(r"\$\w+ (?:>=? 0|<=? (?:\{\w+\}|\$\w+)(?: - 1)?)")


def _only_store(branch: Node) -> Node | None:
    """Return the only statement of a branch, if it stores a value."""
    statements = [node for node in branch.body if node.is_statement]
    is_store = len(statements) == 1 and read_line(statements[0].text).kind == "store" and _STORE.match(statements[0].text)
    return statements[0] if is_store else None


_STORE = re.compile(r"\{\w+\}\[[^=]*\] = ")


def stored_value(line: Line) -> str:
    """Return the value of a store, a sum or an atomic sum, or an empty text."""
    if line.kind == "effect" and line.owner and "_add(" in line.value and "=" not in line.value:
        return split_commas(line.value[line.value.index("(") + 1 : -1])[-1]
    return line.value if line.kind in ("store", "change") else ""


_PLURALS = {
    "axes": "axis", "matrices": "matrix", "vertices": "vertex", "indices": "index", "radii": "radius", "bases": "basis",
    "children": "child", "bias": "bias", "gas": "gas", "lens": "lens",
}  # fmt: skip
_DIRECTION = re.compile(r"_(?:out|in|new|next|prev|buf|buffer|array|arr|result|output|values?|ws)$|^(?:out|new|d_out|dst)_")


def singular(word: str) -> str:
    """Return what an element of an array of this name is called, such as ``inv_mass`` for ``inv_masses_out``."""
    word = _DIRECTION.sub("", word)
    stem, _, last = word.rpartition("_")
    start = f"{stem}_" if stem else ""
    if last in _PLURALS:
        return start + _PLURALS[last]
    if last.endswith("ies") and len(last) > 4:
        return f"{start}{last[:-3]}y"
    if last.endswith(("sses", "xes", "ches", "shes")):
        return start + last[:-2]
    if last.endswith("s") and not last.endswith(("ss", "us", "is")) and len(last) > 3:
        return start + last[:-1]
    return word
