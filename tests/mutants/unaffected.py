"""Proofs that the change of a value affects no result: the affected values are followed to a fixed point.

A minimum is not affected by an operand that is never the smaller one, a clamp by a bound that is never reached, and a branch by
a condition that always holds. Bounds on all values, before and after the change, decide these cases.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mutants.effects import effect
from mutants.flow import Flow, flows_nothing
from mutants.intervals import ANYTHING, Interval, arguments, assigned, intervals, truth
from warpsmith.core.records.launch import Launch
from warpsmith.scoring.mutants.text import FOR_EXIT, IF, NAME, WHILE_EXIT, Statement

Bounds = dict[str, Interval]

_CAST_ON_THE_WAY = re.compile(r"var_\w+ = wp::\w+\(wp::(\w+)\((var_\w+)\)\);")
_EXACT = {"float16": 2048.0, "int8": 127.0, "uint16": 65535.0, "int32": 2.0**31 - 1.0, "uint32": 2.0**32 - 1.0}
"""Up to which size a type holds all integers."""


def exact_cast(flow: Flow, position: int, after: Statement | None, launch: Launch | None, every: Sequence[Flow] = ()) -> bool:
    """Return whether the replacement converts integers, or a constant, to another type on the way, which holds the values."""
    before = flow.function.statements[position]
    match = _CAST_ON_THE_WAY.fullmatch(after.code) if after else None
    if match is None or before.call is None or before.call[2] != (match[2],):
        return False
    whole = "int" in flow.function.types.get(match[2], "") or "int" in before.call[1]
    known = intervals(flow.function, flow.helpers, launch, _parameters(flow, every, launch))
    low, high = known.get(match[2], ANYTHING)
    if match[1] == "float16" and match[2] in flow.function.constants:
        number = float(flow.function.constants[match[2]].rpartition(" ")[2])
        return abs(number) <= _EXACT["float16"] and (number * 8.0).is_integer()
    least = 0.0 if match[1].startswith("u") else -_EXACT.get(match[1], 0.0)
    return whole and least <= low and high <= _EXACT.get(match[1], 0.0)


def unaffected(flow: Flow, position: int, after: Statement | None, launch: Launch | None, every: Sequence[Flow] = ()) -> bool:
    """Return whether the replacement of a statement changes no value that matters.

    Args:
        flow: the flow of the function.
        place: the position of the statement.
        after: the new statement; None if it is removed.
        launch: the inputs of the pair.
        every: the flows of all functions of the text.
    """
    function = flow.function
    line = function.statements[position].line
    changed = function.edited(line, after.code if after else None)
    parameters = _parameters(flow, every, launch)
    before_all, after_all = (intervals(one, flow.helpers, launch, parameters) for one in (function, changed))
    unreached = _unreached(flow, before_all, after_all)
    if position in unreached:
        return True
    zeros = _always_zero(flow, changed.statements, (before_all, after_all))
    changed_names: set[str] = set()
    while True:
        known = set(changed_names)
        for number, (old, new) in enumerate(zip(function.statements, changed.statements, strict=True)):
            if number in unreached:
                continue
            if old.adjoint and all(
                _contributes_nothing(flow, one, known, zeros) for one, known in ((old, before_all), (new, after_all))
            ):
                continue
            found = _changes(flow, number, old, new, changed_names, (before_all, after_all))
            if found is None:
                return False
            changed_names |= found
        if changed_names == known:
            return True


def _parameters(flow: Flow, every: Sequence[Flow], launch: Launch | None) -> Bounds:
    """Return the intervals of the arguments of a helper, if only a kernel calls it."""
    name = flow.function.name
    calling = [one for one in every if any(each.call and each.call[1] == name for each in one.function.statements)]
    if any("kernel" not in one.function.name for one in calling):
        return {}
    return arguments(flow.function, [(one.function, intervals(one.function, one.helpers, launch)) for one in calling])


def _unreached(flow: Flow, *bounds: Bounds) -> set[int]:
    """Return the positions in branches whose condition never holds, before and after the change."""
    found: set[int] = set()
    for region in flow.regions.values():
        match = IF.match(flow.function.statements[region.head].code)
        if match and all(truth(match[1], one) is False for one in bounds):
            found |= set(range(region.start, region.stop))
    return found


def _always_zero(flow: Flow, after: Sequence[Statement], bounds: tuple[Bounds, Bounds]) -> frozenset[str]:
    """Return the adjoints that are always zero, before and after the change: every contribution to them is zero."""
    zeros = frozenset(name for name in flow.function.types if name.startswith("adj_")) - frozenset(flow.function.parameters)
    while True:
        nonzero: set[str] = set()
        for statements, known in ((flow.function.statements, bounds[0]), (after, bounds[1])):
            for one in statements:
                if one.adjoint:
                    nonzero |= _contributions(flow, one, known, zeros) - effect(one, flow.function, flow.helpers).clears
        if not nonzero & zeros:
            return zeros
        zeros -= nonzero


def _contributions(flow: Flow, one: Statement, known: Bounds, zeros: frozenset[str]) -> set[str]:
    """Return the adjoints to which a line of the reverse pass may add a value other than zero."""
    done = effect(one, flow.function, flow.helpers)
    adjoints = {name for name, tag, needs in done.writes if tag == "anything" or not flows_nothing(needs, zeros)}
    call = one.call
    key, operands = (call[1].removeprefix("wp::adj_"), call[2]) if call else ("", ())
    values = [known.get(name, ANYTHING) for name in operands]
    if key in ("min", "max") and len(operands) == 5:
        (low, high), (other_low, other_high) = values[:2]
        if low > other_high:
            return adjoints & {operands[2] if key == "max" else operands[3]}
        if high < other_low:
            return adjoints & {operands[3] if key == "max" else operands[2]}
    if key == "clamp" and len(operands) == 7:
        x, bottom, top = values[:3]
        if bottom[1] < x[0] and x[1] < top[0]:
            return adjoints & {operands[3]}
    return adjoints


def _contributes_nothing(flow: Flow, one: Statement, known: Bounds, zeros: frozenset[str]) -> bool:
    """Return whether every contribution of a line of the reverse pass is zero."""
    if not one.code:
        return True
    if not one.adjoint or _contributions(flow, one, known, zeros):
        return False
    call = one.call
    if effect(one, flow.function, flow.helpers).acts:
        return call is not None and call[1] == "wp::adj_address" and call[2][-1] in zeros
    return True


def _changes(
    flow: Flow, position: int, old: Statement, new: Statement, changed_names: set[str], bounds: tuple[Bounds, Bounds]
) -> set[str] | None:
    """Return the variables that a statement changes; None if one of them matters or they are not known."""
    same = old.code == new.code
    if same and not changed_names & set(NAME.findall(old.code)):
        return set()
    heads = IF.match(old.code), IF.match(new.code)
    if heads[0] or heads[1]:
        ways = [truth(_plain(match[1]), one) if match else None for match, one in zip(heads, bounds, strict=True)]
        return set() if ways[0] is not None and ways[0] == ways[1] else None
    if FOR_EXIT.match(old.code) or WHILE_EXIT.match(old.code) or old.code.startswith("return"):
        return None
    done = flow.effects[position]
    if done.acts:
        return set() if same and _insensitive(old, changed_names, bounds) else None
    if (same and _insensitive(old, changed_names, bounds)) or _fixed(flow, old, new, bounds):
        return set()
    written = {name for name, _, _ in done.writes if name in flow.live[position]}
    return None if written & flow._at_end else written


def _plain(condition: str) -> str:
    """Return a condition, simplified where a mutant has prefixed it with ``false &&``."""
    return "false" if condition.startswith("false && ") else condition


def _fixed(flow: Flow, old: Statement, new: Statement, bounds: tuple[Bounds, Bounds]) -> bool:
    """Return whether both statements assign the same number to the same variable."""
    if not new.code:
        return False
    left = [assigned(one, flow.function, flow.helpers, known, {}) for one, known in zip((old, new), bounds, strict=True)]
    targets = {target for values in left for target, _ in values}
    ends = {end for values in left for _, interval in values for end in interval}
    return all(left) and len(targets) == 1 and len(ends) == 1


def _insensitive(one: Statement, changed_names: set[str], bounds: tuple[Bounds, Bounds]) -> bool:
    """Return whether the changed operands never determine the result, before or after the change."""
    call = one.call
    if call is None:
        return False
    name, operands = call[1].removeprefix("wp::").removeprefix("adj_"), call[2]
    if call[1].startswith("wp::adj_") and operands[-1] in changed_names:  # the incoming adjoint changes
        return False
    if name in ("min", "max") and len(operands) > 1 and "adj_" not in operands[1]:
        a, b = operands[:2]
        return all(_never_chosen(name, a, b, changed_names, known) for known in bounds)
    if name == "clamp":
        return all(_never_reached(operands[:3], changed_names, known) for known in bounds)
    return False


def _never_chosen(name: str, a: str, b: str, changed_names: set[str], known: Bounds) -> bool:
    if {a, b} <= changed_names:
        return False
    mover, other = (a, b) if a in changed_names else (b, a)
    if mover not in changed_names:
        return False
    first, second = known.get(mover, ANYTHING), known.get(other, ANYTHING)
    return second[1] < first[0] if name == "min" else second[0] > first[1]


def _never_reached(operands: tuple[str, ...], changed_names: set[str], known: Bounds) -> bool:
    x, low, high = (known.get(name, ANYTHING) for name in operands)
    if operands[0] in changed_names:
        return False
    return (operands[1] not in changed_names or low[1] < x[0]) and (operands[2] not in changed_names or high[0] > x[1])
