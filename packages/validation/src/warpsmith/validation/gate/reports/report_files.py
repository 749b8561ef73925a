"""The files that a run writes for other tools: SARIF, JUnit's XML, and Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.files.atomic import write_atomic
from warpsmith.validation.gate.decision import Decision
from warpsmith.validation.gate.reports.junit import junit_text
from warpsmith.validation.gate.reports.markdown_summary import markdown_summary
from warpsmith.validation.gate.reports.places import Places
from warpsmith.validation.gate.reports.sarif import sarif_text

STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable in which GitHub Actions names the file of a step's page; steps append to it."""


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """The files to write; None for those that are not wanted."""

    sarif: Path | None = None
    junit: Path | None = None
    summary: Path | None = None

    def write(
        self, decision: Decision, places: Places, environment: Mapping[str, str], update_option: str, problem: str = ""
    ) -> None:
        """Write the files, and append the Markdown to the page of a run of GitHub Actions.

        Raises:
            WarpsmithError: if a file cannot be written.
        """
        if self.sarif is not None:
            write_atomic(self.sarif, sarif_text(decision, places).encode())
        if self.junit is not None:
            write_atomic(self.junit, junit_text(decision, places))
        text = markdown_summary(decision, places, update_option, problem)
        if self.summary is not None:
            write_atomic(self.summary, text.encode())
        if page := environment.get(STEP_SUMMARY):
            try:
                with Path(page).open("a", encoding="utf-8") as file:
                    file.write(text)
            except OSError as error:
                raise WarpsmithError(f"cannot write {page}, which {STEP_SUMMARY} names: {error.strerror}") from error
