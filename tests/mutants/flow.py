"""Which values of a function matter: liveness, and which adjoints are zero, as fixed points over the statements.

Both are on the safe side. A value is dead only if no path leads to a use of it that matters; an adjoint is zero only if it is
so on every path. The body of a branch or of a loop over a range in which nothing matters does not matter either.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from mutants.effects import Effect, Helpers, effect
from mutants.text import FOR_EXIT, GOTO, IF, LABEL, NAME, WHILE_EXIT, Function, functions, is_float

Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class Region:
    """The body of a branch or of a loop over a range: from ``start`` to before ``stop``, its head at ``head``."""

    head: int
    start: int
    stop: int
    labels: Names


class Flow:
    """What is known about one function.

    Attributes:
        effects: of every statement.
        live: what matters after every statement.
        zero: which adjoints are zero before every statement.
        regions: bodies of branches and of loops over ranges, by the place of their heads.
        idle: those in which nothing matters.
    """

    def __init__(self, function: Function, helpers: Helpers, checked: bool = True) -> None:
        """Look at ``function``; unless ``checked``, no index is out of range."""
        self.function, self.helpers = function, helpers
        self._checked = checked
        self._codes = [one.code for one in function.statements]
        self._labels = {match[1]: place for place, code in enumerate(self._codes) if (match := LABEL.match(code))}
        self.regions = {region.head: region for region in self._find_regions()}
        self.effects = [self._effect(place, helpers) for place in range(len(self._codes))]
        self._next = [self._successors(place) for place in range(len(self._codes))]
        self._at_end = self._observed()
        self.zero = self._zeros()
        self.effects = [self._without_zeros(place) for place in range(len(self._codes))]
        self.idle = dict(self.regions)
        self.live = self._liveness()
        while busy := [head for head, region in self.idle.items() if self._matters(region)]:
            for head in busy:
                del self.idle[head]
            self.live = self._liveness()

    def place(self, line: int) -> int:
        """The place of the statement at ``line`` of the text."""
        return next(place for place, one in enumerate(self.function.statements) if one.line == line)

    def dead(self, place: int, done: Effect | None = None) -> bool:
        """Whether a statement, or one that does what ``done`` says in its place, leaves nothing behind that matters."""
        done = done or self.effects[place]
        return not done.acts and not any(name in self.live[place] for name, _, _ in done.writes)

    @property
    def harmless(self) -> bool:
        """Whether the function touches nothing but what it returns and what it is given references to."""
        return not any(done.acts for done in self.effects)

    # ------------------------------------------------------------------------------------------------------------ structure

    def _effect(self, place: int, helpers: Helpers) -> Effect:
        code = self._codes[place]
        if not code or code == "}" or LABEL.match(code) or GOTO.match(code) or FOR_EXIT.match(code):
            return Effect()
        if match := WHILE_EXIT.match(code):
            return Effect(reads=(match[1],))
        if IF.match(code) or code in ("continue;", "return;"):
            return Effect()
        if code.startswith("return "):
            return Effect(reads=tuple(NAME.findall(code)))
        return effect(self.function.statements[place], self.function, helpers)

    def _find_regions(self) -> Iterator[Region]:
        for place, code in enumerate(self._codes):
            if IF.match(code):
                stop = self._closing(place)
                yield Region(place, place + 1, stop, frozenset())
            elif match := FOR_EXIT.match(code):
                stop = self._labels[match[2]]
                yield Region(place, place + 1, stop, frozenset({match[2], match[2].replace("end_", "start_")}))

    def _closing(self, place: int) -> int:
        depth = 0
        for other in range(place, len(self._codes)):
            depth += self._codes[other].endswith("{") - self._codes[other].startswith("}")
            if depth == 0:
                return other
        raise ValueError(f"a branch without an end: {self._codes[place]}")

    def _successors(self, place: int) -> tuple[int, ...]:
        code, after = self._codes[place], place + 1
        if match := GOTO.match(code):
            return (self._labels[match[1]],)
        if code.startswith(("return", "continue;")):
            return (len(self._codes),)
        if match := FOR_EXIT.match(code) or WHILE_EXIT.match(code):
            return (after, self._labels[match[2]])
        return (after, self._closing(place)) if IF.match(code) else (after,)

    def _observed(self) -> Names:
        """The variables that a caller sees: what it is given references to, and a kernel's adjoints of floats."""
        kernel = "kernel" in self.function.name
        return frozenset(
            name
            for name in self.function.parameters
            if name in self.function.references or (kernel and name.startswith("adj_") and is_float(self.function.types[name]))
        )

    # ------------------------------------------------------------------------------------------------------------- liveness

    def _matters(self, region: Region) -> bool:
        return any(self._does_something(place, region) for place in range(region.start, region.stop))

    def _does_something(self, place: int, region: Region) -> bool:
        code = self._codes[place]
        if match := GOTO.match(code):
            return not any(
                match[1] in other.labels for other in self._around(place) if region.start <= other.start or other == region
            )
        if code.startswith(("return", "continue;")) or WHILE_EXIT.match(code):
            return True
        return not self.dead(place)

    def _around(self, place: int) -> list[Region]:
        return [region for region in self.regions.values() if region.start <= place <= region.stop]

    def _needed(self, place: int) -> Names:
        """What a statement's condition reads, where it matters which way it goes."""
        code = self._codes[place]
        if place in self.regions and place not in self.idle:
            return frozenset(NAME.findall(code))
        return frozenset()

    def _before(self, place: int, live: Names) -> Names:
        done = self.effects[place]
        needs = {name for one, _, needed in done.writes if one in live for name in needed}
        reads = frozenset(done.reads if self._checked or not done.checks else ())
        return (live - done.kills) | needs | reads | self._needed(place)

    def _liveness(self) -> list[Names]:
        before: list[Names] = [frozenset() for _ in self._codes] + [self._at_end]
        after: list[Names] = [frozenset() for _ in self._codes]
        changed = True
        while changed:
            changed = False
            for place in reversed(range(len(self._codes))):
                after[place] = frozenset().union(*(before[one] for one in self._next[place]))
                found = self._before(place, after[place])
                changed |= found != before[place]
                before[place] = found
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
            for place, before in enumerate(known[:-1]):
                if before is None:
                    continue
                left = self._zero_after(place, before) & local
                for one in self._next[place]:
                    old = known[one]
                    new = left if old is None else old & left
                    changed |= new != old
                    known[one] = new
        return [one if one is not None else frozenset() for one in known]

    def _zero_after(self, place: int, zero: Names) -> Names:
        done = self.effects[place]
        touched = {name for name, tag, needs in done.writes if not flows_nothing(needs, zero) or tag == "anything"}
        return (zero - touched) | done.clears

    def _without_zeros(self, place: int) -> Effect:
        """What a line of the reverse pass does once what it adds zero to is left out."""
        done, zero, one = self.effects[place], self.zero[place], self.function.statements[place]
        if not one.adjoint or any(tag == "anything" for _, tag, _ in done.writes):
            return done
        if done.acts and one.call and one.call[1] == "wp::adj_address" and one.call[2][-1] in zero:
            return replace(done, acts=False, checks=True)
        return replace(done, writes=tuple(write for write in done.writes if not flows_nothing(write[2], zero)))


def flows_nothing(needs: tuple[str, ...], zero: Names) -> bool:
    """Whether an adjoint that is made from ``needs`` gets nothing, because all adjoints it is made from are zero."""
    given = [name for name in needs if name.startswith("adj_")]
    return bool(given) and all(name in zero for name in given)


def flows(text: str, before: str = "", checked: bool = True) -> list[Flow]:
    """The flow of every function of ``text``, which may call helpers of itself and of the text ``before`` it.

    Helpers that do nothing but compute are known as such to those after them.
    """
    found: list[Flow] = []
    pure = {flow.function.name for flow in flows(before) if flow.harmless} if before else set()
    for function in functions(text):
        flow = Flow(function, frozenset(pure), checked)
        pure |= {function.name} if flow.harmless else set()
        found.append(flow)
    return found
