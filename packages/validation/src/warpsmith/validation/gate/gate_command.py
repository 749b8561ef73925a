"""The options of `warpsmith-validate run` for the pairs of a project, and what their results mean for its exit code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from warpsmith.core.errors import WarpsmithError

_FILE = click.Path(dir_okay=False, path_type=Path)


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRequest:
    """The options of the command line.

    Attributes:
        strict: whether the run is strict; None if the project decides.
        baseline: the file of known failures.
        update_baseline: whether the file is written.
        sarif: the file of results in SARIF.
        junit: the file of results in JUnit's XML.
        summary: the file of results in Markdown.
    """

    strict: bool | None
    baseline: Path | None
    update_baseline: bool
    sarif: Path | None
    junit: Path | None
    summary: Path | None

    def reject(self) -> None:
        """Check that no option is given that needs the pairs of a project.

        Raises:
            WarpsmithError: if one is.
        """
        for name in ("baseline", "update_baseline", "sarif", "junit", "summary"):
            if getattr(self, name):
                option = f"--{name.replace('_', '-')}"
                raise WarpsmithError(f"{option} is for the kernels of a project, which warpsmith-extract writes as pairs")


def gate_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options of a gate, which the command receives as ``gate``."""

    @wraps(command)
    def with_gate(
        *,
        strict: bool | None,
        baseline: Path | None,
        update_baseline: bool,
        sarif: Path | None,
        junit: Path | None,
        summary: Path | None,
        **settings: Any,
    ) -> int:
        request = GateRequest(
            strict=strict, baseline=baseline, update_baseline=update_baseline, sarif=sarif, junit=junit, summary=summary
        )
        return command(gate=request, **settings)

    for option in reversed(_OPTIONS):
        with_gate = option(with_gate)
    return with_gate


_OPTIONS = (
    click.option(
        "--strict/--no-strict",
        default=None,
        help="Also fail if a pair is inconclusive or not checked, or if nothing is checked; for the kernels of a project also "
        "if there is a memory error, or an adjoint by hand that disagrees.",
    ),
    click.option("--baseline", type=_FILE, help="Do not fail for the failures of a project's kernels that FILE contains."),
    click.option("--update-baseline", is_flag=True, help="Write the failures of this run into the file of the baseline."),
    click.option("--sarif", type=_FILE, help="Write the findings on a project's kernels to FILE in SARIF 2.1.0."),
    click.option("--junit", type=_FILE, help="Write a test case for each kernel of a project to FILE in JUnit's XML."),
    click.option("--summary", type=_FILE, help="Write the results of a project's kernels to FILE in Markdown."),
)
