"""Whether the results of a project's kernels make a run fail: by the mode, the baseline, and the adjoints that are intended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from warpsmith.core.errors import WarpsmithError
from warpsmith.validation.gate.baseline import Baseline, Failure
from warpsmith.validation.gate.kernel_result import KernelResult
from warpsmith.validation.gate.strict import DEFAULT_FAILURES, NOTHING, STRICT_FAILURES, of_kernels


@dataclass(frozen=True, slots=True)
class Mode:
    """What makes a run fail.

    Attributes:
        strict: whether everything fails that does not show that a kernel is right.
        intended: patterns of the qualified names of kernels whose adjoints by hand are meant to differ.
        baseline: the file of known failures, or None.
        update_baseline: whether the file is written instead of read.
    """

    strict: bool = False
    intended: tuple[str, ...] = ()
    baseline: Path | None = None
    update_baseline: bool = False

    def known_failures(self) -> Baseline:
        """Return the failures that are known before the run.

        Raises:
            WarpsmithError: if the file cannot be read, or none is named that could be written.
        """
        if self.baseline is None:
            if self.update_baseline:
                raise WarpsmithError("no baseline is named that could be updated: name the file with --baseline FILE as well")
            return Baseline()
        return Baseline() if self.update_baseline else Baseline.read(self.baseline)

    def decide(self, results: Sequence[KernelResult], lost: int = 0) -> Decision:
        """Return what results mean for the run, and write the baseline if it is to be updated.

        Args:
            results: the results of all kernels.
            lost: the number of processes that ended without a report.

        Raises:
            WarpsmithError: if the baseline cannot be read or written.
        """
        known = self.known_failures()
        results = [self._with_intention(result) for result in results]
        failures = STRICT_FAILURES if self.strict else DEFAULT_FAILURES
        if self.update_baseline and self.baseline is not None:
            known = Baseline.of(result for result in results if result.result in failures)
            known.write(self.baseline)
        fixed, unseen = known.fixed(results), known.unseen(results)
        results = [replace(result, is_known=True) if known.contains(result) else result for result in results]
        shortcomings = of_kernels(results) + ([f"workers without a report: {lost}"] if lost else [])
        return Decision(results, self.strict, tuple(shortcomings), tuple(fixed), unseen)

    def _with_intention(self, result: KernelResult) -> KernelResult:
        name = result.qualified_name.partition("[")[0]
        if result.result == "by hand" and any(fnmatchcase(name, pattern) for pattern in self.intended):
            return replace(result, result="intended")
        return result


@dataclass(frozen=True, slots=True)
class Decision:
    """What the results of a run mean.

    Attributes:
        results: the results, with those that are known or intended.
        strict: the mode of the run.
        shortcomings: why the results do not show that all kernels are right.
        fixed: known failures that exist no longer.
        unseen: the number of known failures whose kernels were not launched.
    """

    results: Sequence[KernelResult] = ()
    strict: bool = False
    shortcomings: tuple[str, ...] = ()
    fixed: tuple[Failure, ...] = ()
    unseen: int = 0

    def is_failure(self, result: KernelResult) -> bool:
        """Return whether a result makes the run fail."""
        return result.label in (STRICT_FAILURES if self.strict else DEFAULT_FAILURES)

    @property
    def failed(self) -> bool:
        """Whether the run fails."""
        return any(map(self.is_failure, self.results)) or (self.strict and bool(self.shortcomings))

    @property
    def nothing_checked(self) -> bool:
        """Whether no kernel passed or failed."""
        return NOTHING in self.shortcomings

    def baseline_lines(self, option: str) -> list[str]:
        """Return the lines of a report about the baseline.

        Args:
            option: the option that updates it.
        """
        lines = [
            f"no longer fails: {kernel} ({kind}); remove it from the baseline with {option}" for kernel, kind in self.fixed
        ]
        return lines + (
            [f"{self.unseen} failures of the baseline belong to kernels that were not launched"] * bool(self.unseen)
        )
