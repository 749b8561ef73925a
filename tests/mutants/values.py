"""Variables that certainly have equal values: equal constants, and the same expressions of equal variables."""

from __future__ import annotations

import re

from mutants.effects import CHECKED
from mutants.flow import Flow
from warpsmith.scoring.mutants.text import FOR_EXIT, NAME, WHILE_EXIT

_WRITTEN = re.compile(r"wp::(?:array_store|atomic_\w+)\((var_\w+)")
_RIGHT = re.compile(r"^var_\w+ = (.*);$")


class Values:
    """The known values of the variables of a function at one statement."""

    def __init__(self, flow: Flow, position: int) -> None:
        statements = flow.function.statements
        self._flow = flow
        self._constants = flow.function.constants
        self._stored = {name for one in statements for name in _WRITTEN.findall(one.code)}
        self._definitions: dict[str, list[int]] = {}
        for other, done in enumerate(flow.effects):
            for name, _, _ in done.writes:
                self._definitions.setdefault(name, []).append(other)
        self._position = position
        self._scopes = list(_scopes(flow))
        self._known: dict[str, str] = {}

    def same(self, first: str, second: str) -> bool:
        """Return whether two statements are equal after every variable is replaced by its known value."""
        return self._replaced(first) == self._replaced(second)

    def value(self, name: str) -> str:
        """Return the known value of a variable, or its name."""
        if name not in self._known:
            self._known[name] = name
            self._known[name] = self._constants.get(name) or self._computed(name)
        return self._known[name]

    def _replaced(self, code: str) -> str:
        return NAME.sub(lambda match: self.value(match[0]) if match[0].startswith("var_") else match[0], code)

    def _computed(self, name: str) -> str:
        positions = self._definitions.get(name, [])
        if len(positions) != 1 or name in self._flow.function.parameters or not self._visible(positions[0]):
            return name
        code, done = self._flow.function.statements[positions[0]].code, self._flow.effects[positions[0]]
        match = _RIGHT.match(code)
        if match is None or done.acts or len(done.writes) != 1:
            return name
        call = self._flow.function.statements[positions[0]].call
        if call and call[1].removeprefix("wp::") in CHECKED and self._stored & set(call[2]):
            return name
        if any(len(self._definitions.get(one, [])) > 1 for one in NAME.findall(match[1])):
            return name
        return f"({self._replaced(match[1])})"

    def _visible(self, position: int) -> bool:
        """Return whether the reader sees the value computed at ``position``.

        The value is earlier, and every body around it also contains the reader.
        """
        enclosing = [(start, stop) for start, stop in self._scopes if start <= position < stop]
        return position < self._position and all(start <= self._position < stop for start, stop in enclosing)


def _scopes(flow: Flow) -> list[tuple[int, int]]:
    """Return the bodies of branches and loops."""
    codes = [one.code for one in flow.function.statements]
    found = [(region.start, region.stop) for region in flow.regions.values()]
    for position, code in enumerate(codes):
        if match := WHILE_EXIT.match(code) or FOR_EXIT.match(code):
            found.append((codes.index(match[2].replace("end_", "start_") + ":;"), codes.index(match[2] + ":;")))
            assert found[-1][0] <= position
    return found
