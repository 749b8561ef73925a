"""The options of the pytest plugin: those of the command line, and those of the project where the command line has none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warpsmith.core.project_settings import read_settings
from warpsmith.extraction.launches.launch_limits import DEFAULT_LIMITS
from warpsmith.extraction.launches.launch_limits import Limits as CaptureLimits
from warpsmith.validation.gate.decision import Mode
from warpsmith.validation.gate.default_limits import KERNELS, SECONDS
from warpsmith.validation.gate.project_checks import Limits
from warpsmith.validation.gate.reports.report_files import ReportFiles
from warpsmith.validation.gate.untested import Selection


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginOptions:
    """The options of a session.

    Attributes:
        selection: the kernels to check.
        capture: how much of their launches is kept.
        tapes: whether backward passes of tapes are checked.
        limits: how much is checked.
        output: the file of the pairs, or None.
        unconfined: whether to work without the parts of the sandbox that the system lacks.
        mode: what makes the run fail.
        files: the files of results.
        root: the folder of the project.
    """

    selection: Selection
    capture: CaptureLimits
    tapes: bool
    limits: Limits
    output: Path | None
    unconfined: bool
    mode: Mode
    files: ReportFiles
    root: Path


def plugin_options(typed: Callable[[str], Any], root: Path) -> PluginOptions:
    """Return the options of a session.

    Args:
        typed: returns the value of an option of the command line.
        root: the folder of the tests' configuration.

    Raises:
        WarpsmithError: if the settings of the project are invalid.
    """
    settings = read_settings(root)

    def chosen(name: str, *defaults: Any) -> Any:
        values = (typed(f"warpsmith_{name}"), *defaults)
        return next((value for value in values if value not in (None, [], ())), None)

    def file(name: str) -> Path | None:
        path = typed(f"warpsmith_{name}")
        return Path(path) if path is not None else settings.file(getattr(settings, name))

    launches = chosen("per_kernel", settings.per_kernel, DEFAULT_LIMITS.launches)
    copied = DEFAULT_LIMITS.total_bytes if settings.copy_mib is None else settings.copy_mib << 20
    return PluginOptions(
        selection=Selection(tuple(chosen("only", settings.only) or ()), root),
        capture=CaptureLimits(launches, DEFAULT_LIMITS.launch_bytes, copied),
        tapes=bool(chosen("tapes", settings.tapes, True)),
        limits=Limits(chosen("kernels", settings.kernels, KERNELS), chosen("seconds", settings.seconds, SECONDS)),
        output=file("output"),
        unconfined=typed("warpsmith_unconfined"),
        mode=Mode(
            strict=bool(chosen("strict", settings.strict)),
            intended=settings.intended,
            baseline=file("baseline"),
            update_baseline=typed("warpsmith_update_baseline"),
        ),
        files=ReportFiles(file("sarif"), file("junit"), file("summary")),
        root=root,
    )
