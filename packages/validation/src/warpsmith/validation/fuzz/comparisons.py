"""What is wrong with the results of cases: alone, beside a case that means the same, or with another release of Warp."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from warpsmith.validation.fuzz.case_runs import Result
from warpsmith.validation.fuzz.grammar.expression_text import expected
from warpsmith.validation.fuzz.grammar.forms import Form

TOLERANCE = {"float": 1e-3, "double": 1e-9, "half": 5e-2}
"""The relative difference of two results that mean the same, by precision: the order of operations may differ."""

HALF_MAX = 65504.0
"""The largest number of half precision; larger ones are infinite."""

Numbers = Mapping[str, list[float | None]]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a form.

    Attributes:
        kind: ``gradient``, ``forward``, ``compile``, ``crash`` or ``hang`` for a form alone; ``pair-values``,
            ``pair-gradient`` and ``pair-rejected`` for two forms that mean the same; ``release`` for two releases of Warp.
        detail: the numbers or the message.
    """

    kind: str
    detail: str


def fault_alone(form: Form, result: Result) -> Fault | None:
    """Return what is wrong with the result of one form, or None."""
    if result.status in {"compile", "crash", "hang"}:
        place = f" in the {result.stage} pass" if result.stage in {"forward", "backward"} else ""
        return Fault(result.status, f"{result.reason}{place}")
    if result.status != "ok":
        return None
    if form.family == "expression":
        for name, number in expected(form).items():
            got = result.values.get(name, [None])[0]
            if got is None and form["dtype"] == "half" and abs(number) > HALF_MAX:
                continue
            if got is None or abs(got - number) > 1e-6 * abs(number):
                return Fault("forward", f"{name}[0] is {got}, and {number} by Python's rules")
    if result.wrong:
        parts = (f"{w.leaf}{list(w.index)}: Warp {_short(w.got)}, differences {_short(w.expected)}" for w in result.wrong[:3])
        return Fault("gradient", "; ".join(parts))
    return None


def fault_of_pair(form: Form, other: Form, first: Result, second: Result) -> Fault | None:
    """Return what differs between the results of two forms that mean the same, or None; both are right alone.

    Of forms with different precisions Warp has to accept both or none; their numbers are not compared.
    """
    if {first.status, second.status} == {"ok", "rejected"}:
        return Fault("pair-rejected", first.reason or second.reason)
    if first.status != "ok" or second.status != "ok" or form["dtype"] != other["dtype"]:
        return None
    tolerance = TOLERANCE[form["dtype"]]
    if place := different(first.values, second.values, tolerance):
        return Fault("pair-values", place)
    if not first.wrong and not second.wrong and (place := different(first.gradient, second.gradient, 10.0 * tolerance)):
        return Fault("pair-gradient", place)
    return None


def fault_of_releases(form: Form, first: Result, second: Result) -> Fault | None:
    """Return what differs between the results of one form with two releases of Warp, or None.

    Which kernels the deterministic mode rejects, with a message that says why, is a matter of the release.
    """
    if form["options"] == "deterministic" and "rejected" in {first.status, second.status}:
        return None
    if first.status != second.status:
        return Fault("release", f"{first.status} and {second.status}: {first.reason or second.reason}")
    if bool(first.wrong) != bool(second.wrong):
        return Fault("release", f"the gradient is {'wrong' if first.wrong else 'right'} with this release only")
    place = different(first.values, second.values, TOLERANCE[form["dtype"]])
    return Fault("release", place) if place and first.status == "ok" else None


def different(first: Numbers, second: Numbers, tolerance: float) -> str:
    """Return the first place where two sets of numbers differ, or nothing; only names that both have are compared."""
    for name in first.keys() & second.keys():
        numbers, compared = first[name], second[name]
        scale = max((abs(number) for number in (*numbers, *compared) if number is not None), default=0.0)
        for index, (a, b) in enumerate(zip(numbers, compared, strict=False)):
            if (a is None) != (b is None) or (a is not None and b is not None and abs(a - b) > tolerance * max(scale, 1e-6)):
                return f"{name}[{index}]: {_short(a)} and {_short(b)}"
    return ""


def _short(number: float | str | None) -> str:
    return f"{number:.5g}" if isinstance(number, float) else str(number)
