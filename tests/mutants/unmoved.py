"""Mutants that change a value nobody can tell apart: what a changed line moves is followed until nothing is moved any more.

A minimum does not move with an operand that is never the smaller, a clamp not with a bound that is never reached, a branch not
with a condition that always holds. Bounds on all values, before and after the change, say when that is so.
"""

from __future__ import annotations

from collections.abc import Sequence

from mutants.effects import effect
from mutants.flow import Flow, flows_nothing
from mutants.intervals import ANYTHING, Interval, arguments, assigned, intervals, truth
from mutants.text import FOR_EXIT, IF, NAME, WHILE_EXIT, Statement
from warpsmith.core.records.launch import Launch

Bounds = dict[str, Interval]


def unmoved(flow: Flow, place: int, after: Statement | None, launch: Launch | None, every: Sequence[Flow] = ()) -> bool:
    """Whether nothing that matters moves when a statement is replaced.

    Args:
        flow: of the function.
        place: of the statement.
        after: what stands there then, None for nothing.
        launch: the inputs that the pair is for.
        every: the flows of all functions of the text.
    """
    function = flow.function
    line = function.statements[place].line
    changed = function.edited(line, after.code if after else None)
    given = _given(flow, every, launch)
    before_all, after_all = (intervals(one, flow.helpers, launch, given) for one in (function, changed))
    unreached = _unreached(flow, before_all, after_all)
    if place in unreached:
        return True
    still = _still(flow, changed.statements, (before_all, after_all))
    moved: set[str] = set()
    while True:
        known = set(moved)
        for number, (old, new) in enumerate(zip(function.statements, changed.statements, strict=True)):
            if number in unreached:
                continue
            if old.adjoint and all(
                _hands_nothing(flow, one, known, still) for one, known in ((old, before_all), (new, after_all))
            ):
                continue
            found = _moves(flow, number, old, new, moved, (before_all, after_all))
            if found is None:
                return False
            moved |= found
        if moved == known:
            return True


def _given(flow: Flow, every: Sequence[Flow], launch: Launch | None) -> Bounds:
    """What a helper is given, if only a kernel calls it."""
    name = flow.function.name
    calling = [one for one in every if any(each.call and each.call[1] == name for each in one.function.statements)]
    if any("kernel" not in one.function.name for one in calling):
        return {}
    return arguments(flow.function, [(one.function, intervals(one.function, one.helpers, launch)) for one in calling])


def _unreached(flow: Flow, *bounds: Bounds) -> set[int]:
    """The places in branches whose condition never holds, whichever of the bounds hold."""
    found: set[int] = set()
    for region in flow.regions.values():
        match = IF.match(flow.function.statements[region.head].code)
        if match and all(truth(match[1], one) is False for one in bounds):
            found |= set(range(region.start, region.stop))
    return found


def _still(flow: Flow, after: Sequence[Statement], bounds: tuple[Bounds, Bounds]) -> frozenset[str]:
    """The adjoints that are zero throughout, before and after the change: nothing that is not zero is handed to them."""
    still = frozenset(name for name in flow.function.types if name.startswith("adj_")) - frozenset(flow.function.parameters)
    while True:
        given: set[str] = set()
        for statements, known in ((flow.function.statements, bounds[0]), (after, bounds[1])):
            for one in statements:
                if one.adjoint:
                    given |= _handed(flow, one, known, still)
        if not given & still:
            return still
        still -= given


def _handed(flow: Flow, one: Statement, known: Bounds, still: frozenset[str]) -> set[str]:
    """The adjoints to which a line of the reverse pass may add something that is not zero."""
    done = effect(one, flow.function, flow.helpers)
    handed = {name for name, tag, needs in done.writes if tag == "anything" or not flows_nothing(needs, still)}
    call = one.call
    key, operands = (call[1].removeprefix("wp::adj_"), call[2]) if call else ("", ())
    values = [known.get(name, ANYTHING) for name in operands]
    if key in ("min", "max") and len(operands) == 5:
        (low, high), (other_low, other_high) = values[:2]
        if low > other_high:
            return handed & {operands[2] if key == "max" else operands[3]}
        if high < other_low:
            return handed & {operands[3] if key == "max" else operands[2]}
    if key == "clamp" and len(operands) == 7:
        x, bottom, top = values[:3]
        if bottom[1] < x[0] and x[1] < top[0]:
            return handed & {operands[3]}
    return handed


def _hands_nothing(flow: Flow, one: Statement, known: Bounds, still: frozenset[str]) -> bool:
    """Whether a line of the reverse pass adds zero to whatever it adds to."""
    if not one.code:
        return True
    if not one.adjoint or _handed(flow, one, known, still):
        return False
    call = one.call
    if effect(one, flow.function, flow.helpers).acts:
        return call is not None and call[1] == "wp::adj_address" and call[2][-1] in still
    return True


def _moves(
    flow: Flow, place: int, old: Statement, new: Statement, moved: set[str], bounds: tuple[Bounds, Bounds]
) -> set[str] | None:
    """What a statement moves; None if what it moves matters or is not known."""
    same = old.code == new.code
    if same and not moved & set(NAME.findall(old.code)):
        return set()
    heads = IF.match(old.code), IF.match(new.code)
    if heads[0] or heads[1]:
        ways = [truth(_plain(match[1]), one) if match else None for match, one in zip(heads, bounds, strict=True)]
        return set() if ways[0] is not None and ways[0] == ways[1] else None
    if FOR_EXIT.match(old.code) or WHILE_EXIT.match(old.code) or old.code.startswith("return"):
        return None
    done = flow.effects[place]
    if done.acts:
        return set() if same and _insensitive(old, moved, bounds) else None
    if (same and _insensitive(old, moved, bounds)) or _fixed(flow, old, new, bounds):
        return set()
    written = {name for name, _, _ in done.writes if name in flow.live[place]}
    return None if written & flow._at_end else written


def _plain(condition: str) -> str:
    """A condition less what a mutant put in front of it, with the value that this gives it."""
    return "false" if condition.startswith("false && ") else condition


def _fixed(flow: Flow, old: Statement, new: Statement, bounds: tuple[Bounds, Bounds]) -> bool:
    """Whether both statements leave one number in the same variable."""
    if not new.code:
        return False
    left = [assigned(one, flow.function, flow.helpers, known, {}) for one, known in zip((old, new), bounds, strict=True)]
    targets = {target for values in left for target, _ in values}
    ends = {end for values in left for _, interval in values for end in interval}
    return all(left) and len(targets) == 1 and len(ends) == 1


def _insensitive(one: Statement, moved: set[str], bounds: tuple[Bounds, Bounds]) -> bool:
    """Whether the operands that move are never chosen, before or after the change."""
    call = one.call
    if call is None:
        return False
    name, operands = call[1].removeprefix("wp::").removeprefix("adj_"), call[2]
    if call[1].startswith("wp::adj_") and operands[-1] in moved:  # what flows back moves
        return False
    if name in ("min", "max") and len(operands) > 1 and "adj_" not in operands[1]:
        a, b = operands[:2]
        return all(_never_chosen(name, a, b, moved, known) for known in bounds)
    if name == "clamp":
        return all(_never_reached(operands[:3], moved, known) for known in bounds)
    return False


def _never_chosen(name: str, a: str, b: str, moved: set[str], known: Bounds) -> bool:
    if {a, b} <= moved:
        return False
    mover, other = (a, b) if a in moved else (b, a)
    if mover not in moved:
        return False
    first, second = known.get(mover, ANYTHING), known.get(other, ANYTHING)
    return second[1] < first[0] if name == "min" else second[0] > first[1]


def _never_reached(operands: tuple[str, ...], moved: set[str], known: Bounds) -> bool:
    x, low, high = (known.get(name, ANYTHING) for name in operands)
    if operands[0] in moved:
        return False
    return (operands[1] not in moved or low[1] < x[0]) and (operands[2] not in moved or high[0] > x[1])
