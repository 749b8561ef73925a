"""Clusters of faults by cause: the kind of a fault, the features of its simplest form, and the bug of the ledger that it is."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from warpsmith.validation.fuzz.form_draws import features_of
from warpsmith.validation.fuzz.form_search import Finding
from warpsmith.validation.fuzz.grammar.forms import Form, keeps_operator, parse_form
from warpsmith.validation.fuzz.ledger import Bug, knows

NEUTRAL = ("dtype",)
"""Axes that a ledger's pattern need not mention."""


class Cluster(msgspec.Struct):
    """Faults with one cause.

    Attributes:
        kind: the kind of the faults, see `comparisons.Fault`.
        form: the simplest form, as a line.
        detail: the numbers or the message of its fault.
        other: the form that means the same, as a line, for faults of pairs.
        difference: the values in which the two forms differ.
        bug: the name of the bug in the ledger; empty if the cluster is new.
        count: the number of forms with this fault.
        seconds: the time of the run at which it was found.
        source: the file of the simplest form, reduced as text.
    """

    kind: str
    form: str
    detail: str
    other: str = ""
    difference: str = ""
    bug: str = ""
    count: int = 0
    seconds: float = 0.0
    source: str = ""

    @property
    def name(self) -> str:
        """A name for files."""
        family, *features = self.form.split()
        parts = [self.kind, family, *(feature.replace("=", "-") for feature in features), self.difference.replace("~", "-or-")]
        return "_".join(part.replace("=", "-") for part in parts if part)

    def explains(self, finding: Finding) -> bool:
        """Return whether a finding contains all features of the cluster, and has its kind."""
        return (
            finding.fault.kind == self.kind
            and finding.difference == self.difference
            and distinctive(parse_form(self.form)) <= features_of(finding.form)
        )


def distinctive(form: Form) -> frozenset[str]:
    """Return the features of a simplest form that other forms of its cluster have, too.

    These are all features but a plain first axis. An l-value or a loop is distinctive together with its operator only:
    ``p.y = …`` and ``p.y += …`` are compiled in different ways.
    """
    changed = {feature for feature in form.features if not _is_plain(form, feature)}
    if keeps_operator(form):
        changed.add(f"operator={form['operator']}")
    return frozenset([f"family:{form.family}", *(changed or form.features)])


def _is_plain(form: Form, feature: str) -> bool:
    axis, _, value = feature.partition("=")
    first = form.values[0][0]
    return axis == first and value in {"local", "atomic_add", "sum", "none"}


def known_as(bugs: Sequence[Bug], cluster: Cluster) -> str:
    """Return the name of the bug that a cluster is, or nothing.

    A pattern of the ledger explains a cluster only if it mentions every axis on which the form is not plain, apart from those
    in `NEUTRAL`: a fault that needs one feature more has another cause.
    """
    form = parse_form(cluster.form)
    values = dict(form.values) | {"family": form.family}
    if cluster.difference:
        axis, _, pair = cluster.difference.partition("=")
        values["pair"] = axis
        values[f"pair.{axis}"] = pair
    changed = distinctive(form)
    needed = {axis for axis in form.changed if f"{axis}={form[axis]}" in changed and axis not in NEUTRAL}
    features = [f"{axis}={value}" for axis, value in values.items()]
    for bug in bugs:
        if knows(bug, cluster.kind, features, needed):
            return bug.name
    return ""
