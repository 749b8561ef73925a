"""Functions made of cuts: their parameters, their results, and the call that replaces the statements."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from warpsmith.synthesis.writing.ideas.notation import LOCAL, PARAMETER
from warpsmith.synthesis.writing.ideas.outlining.idea_lines import local_of, read_expression, read_line
from warpsmith.synthesis.writing.ideas.outlining.static_types import ArrayType, Kind, Scope
from warpsmith.synthesis.writing.ideas.tree import Node, walk


@dataclass(slots=True)
class Function:
    """A function of a kernel, in the notation of ideas.

    Attributes:
        key: its key in texts.
        body: its statements without the final return.
        parameters: the locals that are its parameters, with their types.
        results: the locals that it returns, with their types.
        arguments: the text of each argument, where the statements were.
        names: candidates for its name.
        doc: its docstring, or empty.
    """

    key: str
    body: list[Node]
    parameters: dict[str, Kind]
    results: dict[str, Kind]
    arguments: list[str]
    names: tuple[str, ...] = ()
    doc: str = ""

    @property
    def call(self) -> str:
        """The call that replaces the statements."""
        return f"@{self.key}({', '.join(self.arguments)})"


@dataclass(slots=True)
class Inputs:
    """The parameters of a function that is made: by the text that they replace in its statements.

    Attributes:
        body: the statements, changed in place.
        kinds: the type of each parameter.
        arguments: the text of each argument.
        dropped: loads whose value has become a parameter.
    """

    body: list[Node]
    kinds: dict[str, Kind] = field(default_factory=dict)
    arguments: dict[str, str] = field(default_factory=dict)

    def add(self, key: str, kind: Kind, argument: str) -> None:
        """Add a parameter."""
        self.kinds[key] = kind
        self.arguments[key] = argument

    def replace(self, text: str, key: str) -> None:
        """Write a parameter in the place of a text."""
        for node in walk(self.body):
            if text in node.text and node.text[0] != "#":
                node.text = node.text.replace(text, f"${key}")

    def ordered(self) -> list[str]:
        """Return the parameters in the order of their first use, those that are numbers of the kernel last."""
        text = "\n".join(node.text for node in walk(self.body) if node.text[:1] != "#")
        used = dict.fromkeys(LOCAL.findall(text))
        return sorted(
            (key for key in used if key in self.kinds), key=lambda key: bool(PARAMETER.fullmatch(self.arguments[key]))
        )


def copy_nodes(nodes: Sequence[Node]) -> list[Node]:
    """Return a copy of statements."""
    copied = []
    for node in nodes:
        copy = Node(node.text, copy_nodes(node.body))
        copy.provided = node.provided
        copied.append(copy)
    return copied


def loads_of(body: Sequence[Node], scope: Scope, changed: Set[str]) -> dict[str, tuple[str, Kind]]:
    """Return the loads of elements that may happen before the statements, with the array and the type of the element.

    They are in no branch or loop, and their indices are not changed by the statements.
    """
    found: dict[str, tuple[str, Kind]] = {}
    for node in body:
        line = read_line(node.text)
        expression = read_expression(line.value) if "[" in line.value and line.kind not in ("elif", "while") else None
        if expression is None:
            continue
        for load in _loads(expression.node):
            owner = scope.infer(load.value)
            element = scope.infer(load) if isinstance(owner, ArrayType) else None
            is_fixed = all(local_of(part) not in changed for part in ast.walk(load.slice) if isinstance(part, ast.Name))
            if element is not None and not isinstance(element, ArrayType) and is_fixed and not _calls(load):
                found.setdefault(expression.text_of(load), (expression.text_of(load.value), element))
    return found


def _loads(value: ast.expr) -> Iterator[ast.Subscript]:
    """Yield the outermost subscripts that are evaluated in any case."""
    if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name):
        yield value
    elif not isinstance(value, ast.BoolOp | ast.IfExp):
        for part in ast.iter_child_nodes(value):
            if isinstance(part, ast.expr):
                yield from _loads(part)


def reassigned(body: Sequence[Node]) -> set[str]:
    """Return the values of locals that are assigned again, or changed in place."""
    lines = [read_line(node.text) for node in walk(list(body))]
    written = Counter(key for line in lines for key in (*line.targets, *line.changes))
    return {line.value for line in lines if line.kind == "assign" and len(line.targets) == 1 and written[line.targets[0]] > 1}


def loads_from(array: str, loads: Iterable[str]) -> list[str]:
    """Return the loads of elements of an array."""
    return [load for load in loads if load.startswith(f"{array}[")]


def _calls(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Call) for part in ast.walk(node))


def take_loads(body: list[Node], loads: Mapping[str, object], results: Set[str]) -> dict[str, str]:
    """Remove statements that only load an element, and return the local of each; it becomes a parameter."""
    found: dict[str, str] = {}
    assigned = [key for node in walk(body) for key in (*read_line(node.text).targets, *read_line(node.text).changes)]
    for node in list(body):
        line = read_line(node.text)
        if line.kind != "assign" or len(line.targets) != 1:
            continue
        key, text = line.targets[0], line.value
        if text in loads and text not in found and key not in results and assigned.count(key) == 1:
            found[text] = key
            body.remove(node)
    return found


def render_head(function: Function, annotated: bool) -> str:
    """Return the first line of a function."""
    parameters = ", ".join(f"${key}: {kind.spelling}" for key, kind in function.parameters.items())
    kinds = [kind.spelling for kind in function.results.values()]
    result = kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"
    return f"def {function.key}({parameters}){f' -> {result}' if annotated else ''}:"


_ASSIGNED = re.compile(r"\$(\w+) = (.+)")


def finish_body(body: list[Node], results: Sequence[str], *, inline: bool, early: bool, chained: bool) -> list[Node]:
    """Return the statements of a function with what it returns.

    Args:
        body: the statements.
        results: the locals that it returns.
        inline: whether the last value is returned without a name.
        early: whether branches that assign the result return it.
        chained: whether such branches stay an ``elif``.
    """
    body = strip_blank(body)
    if len(results) == 1:
        returned = _return_early(body, results[0], chained) if early else None
        if returned is not None:
            return returned
        match = _ASSIGNED.fullmatch(body[-1].text)
        if inline and match and match[1] == results[0] and not body[-1].body:
            return [*body[:-1], Node(f"return {match[2]}")]
    return [*body, Node("return " + ", ".join(f"${key}" for key in results))]


def strip_blank(body: list[Node]) -> list[Node]:
    """Return statements without blank lines around them and comments after them."""
    while body and not body[0].text:
        body = body[1:]
    while body and not body[-1].is_statement:
        body = body[:-1]
    return body


def _return_early(body: list[Node], result: str, chained: bool) -> list[Node] | None:
    """Return statements whose last branches return the result, or None if they do not end in such branches."""
    start = next((place for place in range(len(body) - 1, -1, -1) if body[place].text.startswith("if ")), 0)
    branches = [node for node in body[start:] if node.is_statement]
    ends = [_ending(branch, result) for branch in branches]
    loops = any(read_line(node.text).kind in ("for", "while") for node in walk(body))
    if not branches or None in ends or loops or not all(node.continues for node in branches[1:]):
        return None
    before, value = _without_start(body[:start], branches, result)
    if branches[-1].text != "else:":
        branches, ends = [*branches, Node("else:", [Node("pass")])], [*ends, value]
    returned = [
        Node(branch.text, [*branch.body[:-1], Node(f"return {end}")]) for branch, end in zip(branches, ends, strict=True)
    ]
    if not chained:
        for branch in returned:
            branch.text = branch.text.removeprefix("el") if branch.text.startswith("elif ") else branch.text
    return [*before, *returned[:-1], *returned[-1].body]


def _without_start(before: list[Node], branches: Sequence[Node], result: str) -> tuple[list[Node], str]:
    """Return the statements before branches, and what the result is if no branch is taken.

    A value that the result has only then is no longer assigned.
    """
    lines = [read_line(node.text) for branch in branches for node in branch.walk()]
    last = _ASSIGNED.fullmatch(before[-1].text) if before else None
    if last is None or last[1] != result or before[-1].body or any(result in line.reads for line in lines):
        return before, f"${result}"
    changed = {key for line in lines for key in line.targets} - {result}
    if changed & set(LOCAL.findall(last[2])):
        return before, f"${result}"
    return before[:-1], _PLAIN.sub(lambda match: match[1], last[2])


_PLAIN = re.compile(r"^(?:int|float)\((-?[\d.e+-]+)\)$")
"""A number that a variable starts with."""


def _ending(branch: Node, result: str) -> str | None:
    """Return the value that a branch assigns to the result in its last line, if it does not assign it before."""
    if not branch.body or any(result in read_line(node.text).targets for node in walk(branch.body[:-1])):
        return None
    match = _ASSIGNED.fullmatch(branch.body[-1].text)
    return match[2] if match and match[1] == result else None
