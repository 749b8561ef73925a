"""Reduction of faults on the axes of forms: the plain value on as many axes as the fault allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from warpsmith.validation.fuzz.case_runs import Result
from warpsmith.validation.fuzz.comparisons import Fault, fault_alone, fault_of_pair
from warpsmith.validation.fuzz.grammar.cases import Case, case_of
from warpsmith.validation.fuzz.grammar.forms import Form, simpler

Runner = Callable[[Sequence[Case]], list[Result]]
"""A function that runs cases."""

ROUNDS = 12
"""The most rounds of a reduction; a form has no more axes."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A form with a fault.

    Attributes:
        form: the form.
        fault: what is wrong.
        other: the form that means the same, for the fault of a pair.
    """

    form: Form
    fault: Fault
    other: Form | None = None

    @property
    def other_text(self) -> str:
        """The form that means the same as a line; empty if there is none."""
        return "" if self.other is None else self.other.text

    @property
    def difference(self) -> str:
        """The values in which the two forms of a pair differ, as ``axis=value~value``."""
        if self.other is None:
            return ""
        ((axis, first, second),) = [
            (axis, first, second)
            for (axis, first), (_, second) in zip(self.form.values, self.other.values, strict=True)
            if first != second
        ]
        return f"{axis}={'~'.join(sorted((first, second)))}"


def reduced(finding: Finding, run: Runner) -> Finding:
    """Return the simplest form whose fault has the same kind."""
    for _ in range(ROUNDS if finding.other is not None or len(finding.form.changed) > 1 else 0):
        candidates = _candidates(finding)
        if not candidates:
            break
        forms = [form for pair in candidates for form in pair if form is not None]
        results = dict(zip(forms, run([case_of(form) for form in forms]), strict=True))
        better = next((kept for pair in candidates if (kept := _kept(finding, pair, results)) is not None), None)
        if better is None:
            break
        finding = better
    return finding


def _candidates(finding: Finding) -> list[tuple[Form, Form | None]]:
    if finding.other is None:
        return [(form, None) for form in simpler(finding.form)]
    axis, _, values = finding.difference.partition("=")
    second_forms = {form: _with(form, axis, finding.other) for form in simpler(finding.form)}
    return [(form, other) for form, other in second_forms.items() if form != other and form[axis] in values.split("~")]


def _with(form: Form, axis: str, other: Form) -> Form:
    return form.replaced(axis, other[axis])


def _kept(finding: Finding, pair: tuple[Form, Form | None], results: dict[Form, Result]) -> Finding | None:
    form, other = pair
    fault = fault_alone(form, results[form]) if other is None else fault_of_pair(form, other, results[form], results[other])
    return Finding(form, fault, other) if fault is not None and fault.kind == finding.fault.kind else None
