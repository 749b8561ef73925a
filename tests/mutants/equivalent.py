"""Proofs that a mutant is equivalent to the original, each a rule with a one-line reason.

The proofs use the text, the definitions of the functions in `effects` in Warp's headers, and the inputs that a launch allows.
No pair runs for a proof, and no level is used. The proofs ignore the sign of zero, and zero times infinity. Adjoints of plain
arguments count as read, and so does every contribution to an array of floats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from mutants.effects import SYMMETRIC, Effect, effect
from mutants.flow import Flow, flows, flows_nothing
from mutants.unaffected import exact_cast, unaffected
from mutants.values import Values
from warpsmith.core.records.launch import Launch
from warpsmith.scoring.mutants.text import IF, NAME, Statement

SCALARS = frozenset(f"wp::{kind}" for kind in ("float16", "float32", "float64", "int32", "int64", "uint32", "uint64"))
NEUTRAL = {frozenset(("wp::mul", "wp::div")): 1.0, frozenset(("wp::add", "wp::sub")): 0.0}
"""For a pair of functions, the second operand for which both have the same value."""

EVEN = frozenset(("wp::length_sq", "wp::length", "wp::abs"))
"""Functions that ignore the sign of their operand."""


@dataclass(frozen=True, slots=True)
class Case:
    """A changed line.

    Attributes:
        flow: the flow of its function.
        position: its position among the statements.
        before: the statement.
        after: its replacement; None if the line is removed.
        done: the effect of the statement.
        would: the effect of its replacement; None for a removed line or a branch.
        values: the known values of variables at the statement.
    """

    flow: Flow
    position: int
    before: Statement
    after: Statement | None
    done: Effect
    would: Effect | None
    values: Values


_flows = lru_cache(maxsize=64)(flows)


UNCHECKED = "nothing that matters reads it, if only its indices are in range"
"""The proof for lines whose only remaining effect is a check of indices.

The emulator checks indices, so that it may still catch such a mutant; released code does not check them.
"""

EXACT_CAST = "the other type holds all values"

UNAFFECTED = "within their bounds, no value that matters changes"


def prove(text: str, line: int, after: str | None, forward: str = "", launch: Launch | None = None) -> str | None:
    """Return the reason why ``text`` is equivalent after ``line`` is replaced by ``after``, or None if no rule applies.

    Args:
        text: CUDA text of one direction.
        line: the number of the line, from 0.
        after: the new line, or None to remove the line.
        forward: the forward text with its helper functions, if ``text`` is the backward text.
        launch: the inputs of the pair.
    """
    case = _case(text, line, after, forward, checked=True)
    proof = next((reason for rule, reason in RULES if rule(case)), None)
    if proof is None and _dead(_case(text, line, after, forward, checked=False), checked=False):
        proof = UNCHECKED
    if proof is None and exact_cast(case.flow, case.position, case.after, launch, _flows(text, forward, True)):
        proof = EXACT_CAST
    if proof is None and unaffected(case.flow, case.position, case.after, launch, _flows(text, forward, True)):
        # a statement that acts on an array checks its indices first
        proof = UNCHECKED if case.would is not None and (case.would.checks or case.would.acts) else UNAFFECTED
    return proof


def _case(text: str, line: int, after: str | None, forward: str, checked: bool) -> Case:
    every = _flows(text, forward, checked)
    flow = next(one for one in every if any(statement.line == line for statement in one.function.statements))
    position = flow.position(line)
    before = flow.function.statements[position]
    new = Statement(line, after) if after is not None else None
    would = effect(new, flow.function, flow.helpers) if new is not None and not IF.match(new.code) else None
    return Case(flow, position, before, new, flow.effects[position], would, Values(flow, position))


def _dead(case: Case, checked: bool = True) -> bool:
    if IF.match(case.before.code) or not case.flow.dead(case.position) or not (case.done.writes or case.done.reads):
        return False
    if case.would is None:
        return case.after is None
    harmless = case.would.reads in ((), case.done.reads) or (not checked and case.would.checks)
    return harmless and case.flow.dead(case.position, case.would)


def _idle(case: Case) -> bool:
    return case.position in case.flow.idle and case.after is not None and IF.match(case.after.code) is not None


def _same_operands(case: Case) -> bool:
    return case.after is not None and case.values.same(case.before.code, case.after.code)


def _commutes(case: Case) -> bool:
    call, other = case.before.call, case.after.call if case.after else None
    if call is None or other is None or call[:2] != other[:2]:
        return False
    if call[1] == "wp::clamp":  # min(max(x, low), high)
        return set(call[2][:2]) == set(other[2][:2]) and call[2][2:] == other[2][2:]
    if len(call[2]) != 2 or call[2] != other[2][::-1]:
        return False
    name, types = call[1].removeprefix("wp::"), {case.flow.function.types.get(one, "") for one in call[2]}
    return name in SYMMETRIC or (name in ("mul", "min", "max") and types <= SCALARS)


def _neutral(case: Case) -> bool:
    call, other = case.before.call, case.after.call if case.after else None
    if call is None or other is None or call[0] != other[0] or call[2] != other[2] or len(call[2]) != 2:
        return False
    neutral = NEUTRAL.get(frozenset((call[1], other[1])))
    kind, _, number = case.values.value(call[2][1]).partition(" ")
    return neutral is not None and kind == "wp::float32" and float(number or "nan") == neutral


def _opposite(case: Case) -> bool:
    """Return whether the result only changes its sign, and every reader ignores the sign."""
    call, other = case.before.call, case.after.call if case.after else None
    if call is None or other is None or call[:2] != other[:2] or call[2] != other[2][::-1] or call[0] is None:
        return False
    reading = [one for one in case.flow.function.statements if one != case.before and call[0] in NAME.findall(one.code)]
    uses = [one.call for one in reading if one.declared is None]
    return call[1] in ("wp::sub", "wp::cross") and all(
        use and use[0] and use[1] in EVEN and use[2] == (call[0],) for use in uses
    )


def _same_contributions(case: Case) -> bool:
    done, would = case.done, case.would
    if would is None or not case.before.adjoint or done.acts != would.acts or done.reads != would.reads:
        return False
    if done.acts and (any(tag == "anything" for _, tag, _ in done.writes) or _called(case.before) != _called(case.after)):
        return False
    return _contributions(case, done) == _contributions(case, would)


def _called(statement: Statement | None) -> str | None:
    return statement.call[1] if statement and statement.call else None


def _contributions(case: Case, done: Effect) -> list[tuple[str, str, tuple[str, ...]]]:
    live = case.flow.live[case.position]
    return sorted(
        (name, tag, tuple(case.values.value(one) if one.startswith("var_") else one for one in needs))
        for name, tag, needs in done.writes
        if name in live
    )


def _nothing_flows(case: Case) -> bool:
    if case.after is not None or not case.before.adjoint:
        return False
    zero, live = case.flow.zero[case.position], case.flow.live[case.position]
    call = case.before.call
    if call and call[1] == "wp::adj_address":
        return call[2][-1] in zero
    writes = [(name, needs) for name, _, needs in case.done.writes if name in live]
    nothing = all(flows_nothing(needs, zero) if needs else name in zero for name, needs in writes)
    return nothing and not case.done.acts


RULES: tuple[tuple[Callable[[Case], bool], str], ...] = (
    (_dead, "nothing that matters reads what the line leaves"),
    (_idle, "nothing in the branch matters"),
    (_same_operands, "the operands have the same value"),
    (_commutes, "the operands commute"),
    (_neutral, "the operand is neutral to both"),
    (_opposite, "only the sign changes, and nothing reads it"),
    (_same_contributions, "the adjoints that matter get the same"),
    (_nothing_flows, "the adjoints that flow back are zero here"),
)
"""The rules in order, each with its reason."""
