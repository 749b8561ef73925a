"""The gate of `warpsmith-validate run`: the decision about the kernels of a project, and the files of results."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from warpsmith.core.project_settings import read_settings
from warpsmith.validation.gate.decision import Decision, Mode
from warpsmith.validation.gate.gate_command import GateRequest
from warpsmith.validation.gate.kernel_result import KernelResult
from warpsmith.validation.gate.reports.places import Places
from warpsmith.validation.gate.reports.report_files import ReportFiles

UPDATE = "--update-baseline"


@dataclass(frozen=True, slots=True)
class GateRun:
    """The gate of one run.

    Attributes:
        mode: what makes the run fail.
        files: the files of results.
        folders: the folders that files of kernels may be relative to.
    """

    mode: Mode
    files: ReportFiles
    folders: tuple[Path, ...]

    @classmethod
    def of(cls, request: GateRequest) -> GateRun:
        """Return the gate for the options of the command line, and of the project where the command line has none.

        Raises:
            WarpsmithError: if the settings of the project are invalid, or the baseline cannot be read.
        """
        folder = Path.cwd()
        settings = read_settings(folder)
        mode = Mode(
            strict=bool(settings.strict if request.strict is None else request.strict),
            intended=settings.intended,
            baseline=request.baseline or settings.file(settings.baseline),
            update_baseline=request.update_baseline,
        )
        mode.known_failures()
        files = ReportFiles(
            request.sarif or settings.file(settings.sarif),
            request.junit or settings.file(settings.junit),
            request.summary or settings.file(settings.summary),
        )
        return cls(mode, files, (folder, Path(settings.folder)) if settings.folder else (folder,))

    def decide(self, results: Sequence[KernelResult]) -> Decision:
        """Return what results mean for the run, and write the files of results.

        Raises:
            WarpsmithError: if a file cannot be read or written.
        """
        decision = self.mode.decide(results)
        self.files.write(decision, Places.of(self.folders, os.environ), os.environ, UPDATE)
        return decision
