"""Inlining: functions of the catalogue become statements of a kernel, as in kernels that are written in one piece."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from textwrap import dedent

from msgspec import Struct

from warpsmith.synthesis.language.layout.statement_text import closing_bracket, split_commas
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.notation import HELPER, LOCAL, Choices
from warpsmith.synthesis.writing.ideas.parts import Domain
from warpsmith.synthesis.writing.ideas.tree import Node, parse, walk
from warpsmith.synthesis.writing.policy import MAX_INLINED_CALLS, MAX_INLINED_STATEMENTS, MAX_PLACED_LENGTH

_HEAD = re.compile(r"def \w+\((?P<params>[^:]*(?::(?!\n)[^:]*)*)\)(?: -> [^\n]+)?:\n")
_DOCSTRING = re.compile(r'^\s*"""[\s\S]*?"""\n')
_COUNTER = re.compile(r"\bfor ([A-Za-z_]\w*) in ")
_PLAIN_ASSIGNMENT = re.compile(r"^[A-Za-z_]\w*(?:, \w+)* [-+*/]?= ")
_LITERAL_RANGE = re.compile(r" in range\(-?\d+(?:, -?\d+)*\):$")
_CALL = re.compile(r"@(\w+)\(")
_ASSIGNMENT = re.compile(r"(?P<target>[^=]+?) (?P<sign>[-+*/]?=) (?P<value>.*)")
_LOCALS = re.compile(r"\$\w+(?:, \$\w+)*")
_NUMBER = re.compile(r"-?\d[\d.e+-]*")
_SIMPLE = re.compile(r"-?\d[\d.e+-]*|\$\w+(?:\.\w+)*|\{\w+\}|(?:True|False)")
_EFFECT = r"\bwp\.(?:atomic_|rand|poisson|sample_|tile_)"
_VALUE = re.compile(rf"\$(\w+) = (?!.*{_EFFECT})([^{{@#]+)")
"""A local whose value depends on no array, no random number and no call of a function."""

_LAZY = re.compile(r" if | and | or |\bnot @")
_BEFORE_VALUES = ("(", "[", ", ", " = ", " += ", " -= ", " *= ", " /= ")
_ATOM = re.compile(r"[@$\w.{}]+(?:\([^()]*\)|\[[^\[\]]*\])*")


class _Function(Struct, frozen=True, gc=False):
    """A function that can be inlined.

    Attributes:
        params: the keys of its parameters.
        text: its statements without the last.
        results: the values that it returns.
        counts: how often it assigns or changes each local.
    """

    params: tuple[str, ...]
    text: str
    results: tuple[str, ...]
    counts: Counter[str]


class Inliner:
    """Writes the functions of one kernel in the places of their calls.

    Args:
        domain: the functions.
        choices: the choices of the kernel.
        rng: its randomness.
        chance: the probability that a function is inlined, in all its calls.
    """

    def __init__(self, domain: Domain, choices: Choices, rng: RandomStream, chance: float) -> None:
        self._rows = {row.key: row for row in domain.helpers}
        self._choices, self._rng, self._chance = choices, rng, chance
        self._functions: dict[str, _Function | None] = {}
        self._calls: Counter[str] = Counter()
        self._used: set[str] = set()
        self._fresh_keys: set[str] = set()  # of the call that is being replaced
        self._left = 0

    def inline(self, body: list[Node]) -> None:
        """Replace calls in ``body``, which is changed in place."""
        nodes = list(walk(body))
        self._calls = self._count_calls(nodes)
        self._used = {key for node in nodes for key in LOCAL.findall(node.text)}
        self._assigned = Counter(key for node in nodes for key in _changes(node))
        self._left = MAX_INLINED_STATEMENTS - sum(node.is_statement for node in nodes)
        self._inline_block(body, {})

    def _count_calls(self, nodes: list[Node]) -> Counter[str]:
        """Return how many calls each function has in a kernel and in the functions that it calls."""
        calls = Counter(key for node in nodes for key in HELPER.findall(node.text))
        pending = list(calls)
        for key in pending:  # grows while it is read
            further = HELPER.findall(self._rows[key].ways[0]) if key in self._rows else []
            pending += [found for found in dict.fromkeys(further) if found not in calls]
            calls.update(further)
        return calls

    def _inline_block(self, block: list[Node], known: dict[str, str]) -> None:
        """Replace calls in a block.

        Args:
            block: the statements.
            known: the locals that have values before the block, by the expressions of these values.
        """
        known, position = dict(known), 0
        while position < len(block):
            node = block[position]
            self._fresh_keys.clear()
            may_replace = "@" in node.text and node.is_statement and not node.body and self._left > 0
            lines = self._replace(node.text) if may_replace else None
            if lines is None:
                self._inline_block(node.body, known)
                if (value := self._value(node)) and value[1] not in known:
                    known[value[1]] = value[0]
                position += 1
            else:
                block[position : position + 1] = self._without_known(lines, known)
                self._left -= sum(line.is_statement for line in walk(lines))

    def _value(self, node: Node) -> tuple[str, str] | None:
        """Return the local of a statement that assigns a value once, and the expression, which depends on such locals only."""
        match = _VALUE.fullmatch(node.text)
        if match is None or any(self._assigned[key] > 1 for key in (match[1], *LOCAL.findall(match[2]))):
            return None
        return match[1], match[2]

    def _without_known(self, lines: list[Node], known: dict[str, str]) -> list[Node]:
        """Return statements without those that repeat the value of a local."""
        known, texts = dict(known), dict[str, str]()
        rename, kept = _Renaming(texts), []
        for line in lines:
            for node in line.walk():
                node.text = rename(node.text)
            value = self._value(line)
            if value is not None and value[1] in known and value[0] in self._fresh_keys:
                texts[value[0]] = f"${known[value[1]]}"
                continue
            if value is not None:
                known.setdefault(value[1], value[0])
            kept.append(line)
        return kept

    def _replace(self, text: str) -> list[Node] | None:
        """Return the statements for a statement, with one of its calls inlined; None if none is."""
        match = _ASSIGNMENT.fullmatch(text)
        if match is None and not text.startswith("wp.atomic_"):
            return None
        offset = match.start("value") if match else 0
        for call in reversed(list(_CALL.finditer(text, offset))):
            function = self._function(call[1])
            if function is None:
                continue
            end = closing_bracket(text, call.end() - 1)
            arguments = split_commas(text[call.end() : end])
            if len(arguments) != len(function.params):
                continue
            is_value = match is not None and call.start() == offset and end == len(text) - 1
            if is_value and match and match["sign"] == "=" and _LOCALS.fullmatch(match["target"]):
                lines = self._assign(function, arguments, LOCAL.findall(match["target"]))
            elif len(function.results) == 1 and not _LAZY.search(text):
                lines = self._place(function, arguments, call[1], text[: call.start()], text[end + 1 :])
            else:
                continue
            if lines is not None:
                return lines
        return None

    def _function(self, key: str) -> _Function | None:
        if key not in self._functions:
            wanted = key in self._rows and self._rng.chance(self._chance) and self._calls[key] <= MAX_INLINED_CALLS
            ways = self._rows[key].ways if wanted else ()
            found = [function for way in ways if (function := _read(dedent(self._choices.resolve(way)).strip("\n")))]
            self._functions[key] = self._rng.choice(found) if found else None
        return self._functions[key]

    def _assign(self, function: _Function, arguments: list[str], targets: list[str]) -> list[Node] | None:
        """Return the statements for a call whose results are assigned to locals."""
        if len(targets) != len(function.results):
            return None
        read = {key for argument in arguments for key in LOCAL.findall(argument)}
        if len(targets) > 1 and read.intersection(targets):
            return None
        renamed: dict[str, str] = {}
        for target, result in zip(targets, function.results, strict=True):
            key = result[1:]
            is_result = LOCAL.fullmatch(result) and key not in function.params and key not in renamed
            if is_result and target not in read and self._assigned[target] == 1 and function.results.count(result) == 1:
                renamed[key] = target
        bound = self._bind(function, arguments, renamed)
        if bound is None:
            return None
        lines, rename = bound
        for target, result in zip(targets, function.results, strict=True):
            if renamed.get(result[1:]) != target:
                lines.append(Node(f"${target} = {rename(result)}"))
        return lines

    def _place(self, function: _Function, arguments: list[str], key: str, before: str, after: str) -> list[Node] | None:
        """Return the statements for a call within a statement."""
        bound = self._bind(function, arguments, {})
        if bound is None:
            return None
        lines, rename = bound
        value = rename(function.results[0])
        if len(value) > MAX_PLACED_LENGTH:
            name = self._fresh(key)
            lines.append(Node(f"${name} = {value}"))
            value = f"${name}"
        alone = before.endswith(_BEFORE_VALUES) and not after.startswith((" ", ".", "["))
        lines.append(Node(before + (value if alone else _bracketed(value)) + after))
        return lines

    def _bind(self, function: _Function, arguments: list[str], renamed: dict[str, str]) -> tuple[list[Node], _Renaming] | None:
        """Return the statements of a function but the last, with its locals renamed and its parameters replaced."""
        uses = Counter(LOCAL.findall("\n".join((function.text, *function.results))))
        texts: dict[str, str] = {}
        first: list[Node] = []
        for param, argument in zip(function.params, arguments, strict=True):
            changed = param in function.counts
            has_effect = "@" in argument or re.search(_EFFECT, argument)
            if changed and LOCAL.fullmatch(argument):
                return None  # the name would stand for the same value
            if not changed and (_SIMPLE.fullmatch(argument) or (uses[param] <= 1 and not has_effect)):
                texts[param] = _bracketed(argument)
                continue
            name = self._fresh(param)
            texts[param] = f"${name}"
            self._assigned[name] += function.counts[param]
            kind = ("float" if "." in argument else "int") if changed and _NUMBER.fullmatch(argument) else ""
            first.append(Node(f"${name} = {kind}({argument})" if kind else f"${name} = {argument}"))
        for key in dict.fromkeys(LOCAL.findall(function.text)):
            if key not in texts:
                texts[key] = f"${renamed[key]}" if key in renamed else f"${self._fresh(key)}"
                self._assigned[texts[key][1:]] = function.counts[key]
        rename = _Renaming(texts)
        lines = parse(function.text) if function.text.strip() else []
        for node in walk(lines):
            node.text = rename(node.text)
        return first + lines, rename

    def _fresh(self, key: str) -> str:
        """Return a key that no other local has."""
        name, number = key, 2
        while name in self._used:
            name, number = f"{key}__{number}", number + 1
        self._used.add(name)
        self._fresh_keys.add(name)
        self._assigned[name] = 1
        return name


class _Renaming:
    """Replaces keys of locals by texts."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    def __call__(self, text: str) -> str:
        return text if text.startswith("#") else LOCAL.sub(lambda match: self._texts.get(match[1], match[0]), text)


def _read(text: str) -> _Function | None:
    """Return a function that has one ``return``, at its end, and whose names are keys; None for others."""
    head = _HEAD.match(text)
    if head is None or "@wp." in text:
        return None
    params = [part.partition(":")[0].strip() for part in split_commas(head["params"])]
    rest = dedent(_DOCSTRING.sub("", text[head.end() :])).rstrip("\n")
    for counter in set(_COUNTER.findall(rest)):
        rest = re.sub(rf"(?<![.$@{{\w]){counter}\b", f"${counter}", rest)
    lines = rest.split("\n")
    returns = sum(line.lstrip().startswith("return") for line in lines)
    if not lines[-1].startswith("return ") or returns > 1 or not all(map(LOCAL.fullmatch, params)):
        return None
    if any(_PLAIN_ASSIGNMENT.match(line.strip()) or _is_long_loop(line.strip()) for line in lines):
        return None
    inner = "\n".join(lines[:-1])
    counts = Counter(key for node in walk(parse(inner) if inner.strip() else []) for key in _changes(node))
    return _Function(
        tuple(param[1:] for param in params), inner, tuple(split_commas(lines[-1].removeprefix("return "))), counts
    )


def _is_long_loop(line: str) -> bool:
    """Return whether a line begins a loop whose length is no literal: its sums have right gradients as values of a function."""
    return line.startswith("while ") or (line.startswith("for ") and not _LITERAL_RANGE.search(line))


def _changes(node: Node) -> Iterator[str]:
    """Yield the keys of the locals that a statement changes, also by a component."""
    yield from node.changes
    if match := re.match(r"\$(\w+)[.\[][^=]* [-+*/]?= ", node.text):
        yield match[1]


def _bracketed(text: str) -> str:
    """Return a value that may stand beside an operator."""
    is_atom = _ATOM.fullmatch(text) or (_SIMPLE.fullmatch(text) and not text.startswith("-"))
    return text if is_atom else f"({text})"
