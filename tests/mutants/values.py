"""Which variables hold the same value for sure: constants of the same value, and what is computed alike from the same."""

from __future__ import annotations

import re

from mutants.effects import CHECKED
from mutants.flow import Flow
from mutants.text import FOR_EXIT, NAME, WHILE_EXIT

_WRITTEN = re.compile(r"wp::(?:array_store|atomic_\w+)\((var_\w+)")
_RIGHT = re.compile(r"^var_\w+ = (.*);$")


class Values:
    """The values of one function's variables as they are read at one place."""

    def __init__(self, flow: Flow, place: int) -> None:
        statements = flow.function.statements
        self._flow = flow
        self._constants = flow.function.constants
        self._stored = {name for one in statements for name in _WRITTEN.findall(one.code)}
        self._definitions: dict[str, list[int]] = {}
        for other, done in enumerate(flow.effects):
            for name, _, _ in done.writes:
                self._definitions.setdefault(name, []).append(other)
        self._place = place
        self._scopes = list(_scopes(flow))
        self._known: dict[str, str] = {}

    def same(self, first: str, second: str) -> bool:
        """Whether two codes are the same once every variable is replaced by what is known of its value."""
        return self._replaced(first) == self._replaced(second)

    def value(self, name: str) -> str:
        """What is known of a variable's value: its own name, if nothing else."""
        if name not in self._known:
            self._known[name] = name
            self._known[name] = self._constants.get(name) or self._computed(name)
        return self._known[name]

    def _replaced(self, code: str) -> str:
        return NAME.sub(lambda match: self.value(match[0]) if match[0].startswith("var_") else match[0], code)

    def _computed(self, name: str) -> str:
        places = self._definitions.get(name, [])
        if len(places) != 1 or name in self._flow.function.parameters or not self._visible(places[0]):
            return name
        code, done = self._flow.function.statements[places[0]].code, self._flow.effects[places[0]]
        match = _RIGHT.match(code)
        if match is None or done.acts or len(done.writes) != 1:
            return name
        call = self._flow.function.statements[places[0]].call
        if call and call[1].removeprefix("wp::") in CHECKED and self._stored & set(call[2]):
            return name
        if any(len(self._definitions.get(one, [])) > 1 for one in NAME.findall(match[1])):
            return name
        return f"({self._replaced(match[1])})"

    def _visible(self, place: int) -> bool:
        """Whether what is computed at ``place`` is what is read: earlier, in no branch or loop that the reader is not in."""
        around = [(start, stop) for start, stop in self._scopes if start <= place < stop]
        return place < self._place and all(start <= self._place < stop for start, stop in around)


def _scopes(flow: Flow) -> list[tuple[int, int]]:
    """Bodies of branches and loops."""
    codes = [one.code for one in flow.function.statements]
    found = [(region.start, region.stop) for region in flow.regions.values()]
    for place, code in enumerate(codes):
        if match := WHILE_EXIT.match(code) or FOR_EXIT.match(code):
            found.append((codes.index(match[2].replace("end_", "start_") + ":;"), codes.index(match[2] + ":;")))
            assert found[-1][0] <= place
    return found
