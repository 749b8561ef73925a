"""Liveness of the values of a function, and the adjoints that are zero, as fixed points over its statements.

Both are conservative. A value is dead only if no path leads to a use that matters; an adjoint is zero only if it is zero on
every path. A branch or a loop over a range whose body has no effect that matters does not matter either.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from mutants.effects import Effect, Helpers, effect
from warpsmith.scoring.mutants.text import FOR_EXIT, GOTO, IF, LABEL, NAME, WHILE_EXIT, Function, functions, is_float

Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class Region:
    """The body of a branch or of a loop over a range.

    Attributes:
        head: the position of the condition or of the loop's exit.
        start: the position of the first statement of the body.
        stop: the position after its last statement.
        labels: the labels of a loop.
    """

    head: int
    start: int
    stop: int
    labels: Names


class Flow:
    """The data flow of one function.

    Attributes:
        effects: the effect of every statement.
        live: the variables whose values matter after every statement.
        zero: the adjoints that are zero before every statement.
        regions: the bodies of branches and of loops over ranges, by the position of their heads.
        idle: the regions in which nothing matters.
    """

    def __init__(self, function: Function, helpers: Helpers, checked: bool = True) -> None:
        """Analyze ``function``; unless ``checked``, assume that no index is out of range."""
        self.function, self.helpers = function, helpers
        self._checked = checked
        self._codes = [one.code for one in function.statements]
        self._labels = {match[1]: position for position, code in enumerate(self._codes) if (match := LABEL.match(code))}
        self.regions = {region.head: region for region in self._find_regions()}
        self.effects = [self._effect(position, helpers) for position in range(len(self._codes))]
        self._next = [self._successors(position) for position in range(len(self._codes))]
        self._at_end = self._observed()
        self.zero = self._zeros()
        self.effects = [self._without_zeros(position) for position in range(len(self._codes))]
        self.idle = dict(self.regions)
        self.live = self._liveness()
        while busy := [head for head, region in self.idle.items() if self._matters(region)]:
            for head in busy:
                del self.idle[head]
            self.live = self._liveness()

    def position(self, line: int) -> int:
        """Return the position of the statement at ``line`` of the text."""
        return next(position for position, one in enumerate(self.function.statements) if one.line == line)

    def dead(self, position: int, done: Effect | None = None) -> bool:
        """Return whether a statement, or a replacement with the effect ``done``, has no effect that matters."""
        done = done or self.effects[position]
        return not done.acts and not any(name in self.live[position] for name, _, _ in done.writes)

    @property
    def harmless(self) -> bool:
        """Whether the function writes only its result and its parameters passed by reference."""
        return not any(done.acts for done in self.effects)

    # ------------------------------------------------------------------------------------------------------------ structure

    def _effect(self, position: int, helpers: Helpers) -> Effect:
        code = self._codes[position]
        if not code or code == "}" or LABEL.match(code) or GOTO.match(code) or FOR_EXIT.match(code):
            return Effect()
        if match := WHILE_EXIT.match(code):
            return Effect(reads=(match[1],))
        if IF.match(code) or code in ("continue;", "return;"):
            return Effect()
        if code.startswith("return "):
            return Effect(reads=tuple(NAME.findall(code)))
        return effect(self.function.statements[position], self.function, helpers)

    def _find_regions(self) -> Iterator[Region]:
        for position, code in enumerate(self._codes):
            if IF.match(code):
                stop = self._closing(position)
                yield Region(position, position + 1, stop, frozenset())
            elif match := FOR_EXIT.match(code):
                stop = self._labels[match[2]]
                yield Region(position, position + 1, stop, frozenset({match[2], match[2].replace("end_", "start_")}))

    def _closing(self, position: int) -> int:
        depth = 0
        for other in range(position, len(self._codes)):
            depth += self._codes[other].endswith("{") - self._codes[other].startswith("}")
            if depth == 0:
                return other
        raise ValueError(f"a branch without an end: {self._codes[position]}")

    def _successors(self, position: int) -> tuple[int, ...]:
        code, after = self._codes[position], position + 1
        if match := GOTO.match(code):
            return (self._labels[match[1]],)
        if code.startswith(("return", "continue;")):
            return (len(self._codes),)
        if match := FOR_EXIT.match(code) or WHILE_EXIT.match(code):
            return (after, self._labels[match[2]])
        return (after, self._closing(position)) if IF.match(code) else (after,)

    def _observed(self) -> Names:
        """Return the variables that a caller observes: parameters passed by reference, and the float adjoints of a kernel."""
        kernel = "kernel" in self.function.name
        return frozenset(
            name
            for name in self.function.parameters
            if name in self.function.references or (kernel and name.startswith("adj_") and is_float(self.function.types[name]))
        )

    # ------------------------------------------------------------------------------------------------------------- liveness

    def _matters(self, region: Region) -> bool:
        return any(self._has_effect(position, region) for position in range(region.start, region.stop))

    def _has_effect(self, position: int, region: Region) -> bool:
        code = self._codes[position]
        if match := GOTO.match(code):
            return not any(
                match[1] in other.labels
                for other in self._enclosing(position)
                if region.start <= other.start or other == region
            )
        if code.startswith(("return", "continue;")) or WHILE_EXIT.match(code):
            return True
        return not self.dead(position)

    def _enclosing(self, position: int) -> list[Region]:
        return [region for region in self.regions.values() if region.start <= position <= region.stop]

    def _needed(self, position: int) -> Names:
        """Return the variables in the condition of a statement, if its branch matters."""
        code = self._codes[position]
        if position in self.regions and position not in self.idle:
            return frozenset(NAME.findall(code))
        return frozenset()

    def _before(self, position: int, live: Names) -> Names:
        done = self.effects[position]
        needs = {name for one, _, needed in done.writes if one in live for name in needed}
        reads = frozenset(done.reads if self._checked or not done.checks else ())
        return (live - done.kills) | needs | reads | self._needed(position)

    def _liveness(self) -> list[Names]:
        before: list[Names] = [frozenset() for _ in self._codes] + [self._at_end]
        after: list[Names] = [frozenset() for _ in self._codes]
        changed = True
        while changed:
            changed = False
            for position in reversed(range(len(self._codes))):
                after[position] = frozenset().union(*(before[one] for one in self._next[position]))
                found = self._before(position, after[position])
                changed |= found != before[position]
                before[position] = found
        return after

    # ---------------------------------------------------------------------------------------------------------------- zeros

    def _zeros(self) -> list[Names]:
        adjoints = frozenset(name for name in self.function.types if name.startswith("adj_"))
        local = adjoints - frozenset(self.function.parameters)
        known: list[Names | None] = [None for _ in range(len(self._codes) + 1)]
        known[0] = frozenset()
        changed = True
        while changed:
            changed = False
            for position, before in enumerate(known[:-1]):
                if before is None:
                    continue
                left = self._zero_after(position, before) & local
                for one in self._next[position]:
                    old = known[one]
                    new = left if old is None else old & left
                    changed |= new != old
                    known[one] = new
        return [one if one is not None else frozenset() for one in known]

    def _zero_after(self, position: int, zero: Names) -> Names:
        done = self.effects[position]
        touched = {name for name, tag, needs in done.writes if not flows_nothing(needs, zero) or tag == "anything"}
        return (zero - touched) | done.clears

    def _without_zeros(self, position: int) -> Effect:
        """Return the effect of a line of the reverse pass without the additions of zero."""
        done, zero, one = self.effects[position], self.zero[position], self.function.statements[position]
        if not one.adjoint or any(tag == "anything" for _, tag, _ in done.writes):
            return done
        if done.acts and one.call and one.call[1] == "wp::adj_address" and one.call[2][-1] in zero:
            return replace(done, acts=False, checks=True)
        return replace(done, writes=tuple(write for write in done.writes if not flows_nothing(write[2], zero)))


def flows_nothing(needs: tuple[str, ...], zero: Names) -> bool:
    """Return whether a contribution computed from ``needs`` is zero, because all adjoints among them are zero."""
    adjoints = [name for name in needs if name.startswith("adj_")]
    return bool(adjoints) and all(name in zero for name in adjoints)


def flows(text: str, before: str = "", checked: bool = True) -> list[Flow]:
    """Return the flow of every function of ``text``, which may call helpers of the texts ``before`` and ``text``.

    Helper functions without side effects are treated as such where later functions call them.
    """
    result: list[Flow] = []
    pure = {flow.function.name for flow in flows(before) if flow.harmless} if before else set()
    for function in functions(text):
        flow = Flow(function, frozenset(pure), checked)
        pure |= {function.name} if flow.harmless else set()
        result.append(flow)
    return result
