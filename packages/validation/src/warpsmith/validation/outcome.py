"""`Outcome`: the result of a check of a shard or of a dataset, in counts and failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from warpsmith.core.records.verdict import MACHINE, Verdict
from warpsmith.validation.confinement.measures import Confinement
from warpsmith.validation.levels.registry import Level


@dataclass(slots=True)
class Outcome:
    """The result of a run.

    Attributes:
        pairs: the number of lines that were to be checked.
        statuses: the number of verdicts by level and status.
        failures: the verdicts with the status ``fail``.
        reused: the number of lines whose verdicts are all from an earlier run.
        discarded: the number of stored verdicts that were not used, by reason.
        not_checked: the number of lines that could not be checked by all levels because of the machine. Their verdicts at the
            levels concerned are neither counted nor stored.
        shares: how many pairs there are for each that a level checked, for levels that did not check all.
        machine: what the machine lacked for the first of them; empty if there are none.
        sandbox: the measures that held for the workers; None if no line was checked.
    """

    pairs: int = 0
    statuses: dict[str, Counter[str]] = field(default_factory=dict)
    failures: list[Verdict] = field(default_factory=list)
    reused: int = 0
    discarded: Counter[str] = field(default_factory=Counter)
    not_checked: int = 0
    machine: str = ""
    shares: dict[str, int] = field(default_factory=dict)
    sandbox: Confinement | None = None

    @classmethod
    def of_levels(cls, levels: Iterable[Level]) -> Outcome:
        """Return the outcome of a run that has checked nothing yet."""
        levels = list(levels)
        shares = {level.name: level.share for level in levels if level.share > 1}
        return cls(statuses={level.name: Counter() for level in levels}, shares=shares)

    def add(self, other: Outcome) -> None:
        """Add the outcome for another shard."""
        self.pairs += other.pairs
        for name, counts in other.statuses.items():
            self.statuses.setdefault(name, Counter()).update(counts)
        self.failures += other.failures
        self.reused += other.reused
        self.discarded.update(other.discarded)
        self.not_checked += other.not_checked
        self.machine = self.machine or other.machine
        self.sandbox = self.sandbox or other.sandbox

    def count(self, verdicts: Sequence[Verdict]) -> None:
        """Count the verdicts on one line; those about the machine are not verdicts."""
        self.pairs += 1
        certain = certain_verdicts(verdicts)
        for verdict in certain:
            self.count_verdict(verdict)
        if len(certain) < len(verdicts):
            self.not_checked += 1
            self.machine = self.machine or verdicts[len(certain)].reason.removeprefix(MACHINE)

    def count_verdict(self, verdict: Verdict) -> None:
        """Count one verdict."""
        self.statuses[verdict.level][verdict.status] += 1
        if verdict.status == "fail":
            self.failures.append(verdict)

    @property
    def remarks(self) -> list[str]:
        """What users should know besides the counts of verdicts, one line each."""
        remarks = [
            f"{name} checks one pair in {share:,}, chosen by its id: {self.statuses[name].total():,} of {self.pairs:,}"
            for name, share in self.shares.items()
        ]
        remarks += [f"{count:,} stored verdicts were not used: {reason}" for reason, count in self.discarded.items()]
        if self.reused:
            remarks.append(f"{self.reused:,} of {self.pairs:,} pairs keep the verdicts of an earlier run (--again checks them)")
        if self.sandbox:
            remarks.append(f"sandbox: {self.sandbox.summary}")
        if self.not_checked:
            remarks.append(f"{self.not_checked:,} of {self.pairs:,} pairs were not checked: {self.machine}")
        return remarks


def certain_verdicts(verdicts: Sequence[Verdict]) -> Sequence[Verdict]:
    """Return the verdicts on one line before the first one about the machine."""
    for position, verdict in enumerate(verdicts):
        if verdict.is_about_machine:
            return verdicts[:position]
    return verdicts
