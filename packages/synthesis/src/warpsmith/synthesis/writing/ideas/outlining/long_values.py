"""Long values of stores, sums and atomic operations: each has a local of its own while functions are made."""

from __future__ import annotations

import re

from warpsmith.synthesis.writing.ideas.narrate import split_arguments
from warpsmith.synthesis.writing.ideas.outlining.syntax import Line, count_operations, read_line
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

    def split(self, body: list[Node], names: dict[str, str]) -> None:
        """Put each long value into a line of its own; ``names`` are candidates for names by key of local or parameter."""
        for position in range(len(body) - 1, -1, -1):
            node = body[position]
            self.split(node.body, names)
            line = read_line(node.text)
            value = stored_value(line)
            if not line.owner or count_operations(value) < MIN_OPERATIONS:
                continue
            stem = line.owner.strip("{}")
            key = f"{stem}__v{len(self.names)}"
            self.names[key] = " ".join(dict.fromkeys(singular(word) for word in names.get(line.owner, stem).split()))
            self.owners[key] = line.owner
            before, _, after = node.text.rpartition(value)
            body[position : position + 1] = [Node(f"${key} = {value}"), Node(f"{before}${key}{after}", node.body)]

    def merge(self, body: list[Node]) -> None:
        """Put the values back that are used in the next line."""
        position = 0
        while position < len(body):
            node = body[position]
            self.merge(node.body)
            line = read_line(node.text)
            if line.kind == "assign" and len(line.targets) == 1 and line.targets[0] in self.names:
                key = line.targets[0]
                after = next((after for after in body[position + 1 : position + 2] if key in read_line(after.text).reads), None)
                if after is not None:
                    after.text = re.sub(rf"\${key}\b", line.value.replace("\\", r"\\"), after.text)
                    del body[position]
                    continue
            position += 1


def stored_value(line: Line) -> str:
    """Return the value of a store, a sum or an atomic sum, or an empty text."""
    if line.kind == "effect" and line.owner and "_add(" in line.value and "=" not in line.value:
        return split_arguments(line.value[line.value.index("(") + 1 : -1])[-1]
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
